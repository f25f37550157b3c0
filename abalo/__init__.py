"""Abalo tests the behaviour of NLP models: it runs `perturbations`, measures and reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abalo.errors import AbaloError
from abalo.version import __version__

if TYPE_CHECKING:
    from abalo.api import Report, Result, Session

__all__ = ["AbaloError", "Report", "Result", "Session", "__version__"]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> object:
    """Imports a public name on first use (PEP 562)."""
    if name in ("Report", "Result", "Session"):
        from abalo import api

        return getattr(api, name)
    raise AttributeError(f"module 'abalo' has no attribute {name!r}")
