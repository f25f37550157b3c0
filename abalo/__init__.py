"""Abalo shakes NLP models before they ship: the harness that runs `perturbations`, measures, judges and reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from abalo.errors import AbaloError
from abalo.version import __version__

if TYPE_CHECKING:
    from abalo.api import Report, Result, Session

__all__ = ["AbaloError", "Report", "Result", "Session", "__version__"]


def __dir__() -> list[str]:
    """All names, those that are not imported yet among them."""
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    """The names of the public interface, whose modules are imported when they are used [PEP 562]."""
    if name in ("Report", "Result", "Session"):
        from abalo import api

        return getattr(api, name)
    raise AttributeError(f"module 'abalo' has no attribute {name!r}")
