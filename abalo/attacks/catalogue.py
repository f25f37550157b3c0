"""Finding attacks: one module each in this package, found by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from abalo.attacks.attack import Attack
from abalo.discovery import offered


@cache
def attacks() -> Mapping[str, Attack[Any]]:
    """Every attack by name: the ``ATTACK`` of each module of this package that has one."""
    return MappingProxyType({each.name: each for _, each in offered("abalo.attacks", "ATTACK")})
