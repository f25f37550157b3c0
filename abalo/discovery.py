"""Finding what the modules of a package offer, so that a new one is there as soon as its file is."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any


def offered(package: str, name: str) -> Iterator[tuple[str, Any]]:
    """The modules right in ``package`` that have a ``name``, in alphabetical order, each with what it calls so."""
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        found = getattr(importlib.import_module(f"{package}.{module.name}"), name, None)
        if found is not None:
            yield module.name, found
