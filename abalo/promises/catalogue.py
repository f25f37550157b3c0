"""Finding promises: one module each in this package, found by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from abalo.discovery import offered
from abalo.promises.promise import Promise


@cache
def promises() -> Mapping[str, Promise[Any]]:
    """Every promise by name: the ``PROMISE`` of each module of this package that has one."""
    return MappingProxyType({each.name: each for _, each in offered("abalo.promises", "PROMISE")})
