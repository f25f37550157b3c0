"""Finds what a package's modules offer."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any


def discover(package: str, name: str) -> Iterator[tuple[str, Any]]:
    """Modules directly in ``package`` that define ``name``, sorted, each with its value."""
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        found = getattr(importlib.import_module(f"{package}.{module.name}"), name, None)
        if found is not None:
            yield module.name, found
