"""Finding invariances: one module each in this package, found by themselves."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from abalo.invariances.invariance import Invariance


@cache
def invariances() -> Mapping[str, Invariance[Any]]:
    """Every invariance by name: the ``INVARIANCE`` of each module of this package that has one."""
    package = __name__.rpartition(".")[0]
    modules = (f"{package}.{each.name}" for each in pkgutil.iter_modules(importlib.import_module(package).__path__))
    found = (getattr(importlib.import_module(name), "INVARIANCE", None) for name in modules if name != __name__)
    return MappingProxyType({invariance.name: invariance for invariance in found if invariance is not None})
