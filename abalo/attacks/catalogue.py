"""Finding attacks: one module each in this package, found by themselves."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from abalo.attacks.attack import Attack


@cache
def attacks() -> Mapping[str, Attack[Any]]:
    """Every attack by name: the ``ATTACK`` of each module of this package that has one."""
    package = __name__.rpartition(".")[0]
    modules = (f"{package}.{each.name}" for each in pkgutil.iter_modules(importlib.import_module(package).__path__))
    found = (getattr(importlib.import_module(name), "ATTACK", None) for name in modules if name != __name__)
    return MappingProxyType({attack.name: attack for attack in found if attack is not None})
