"""Checks of answers that were kept: none passes that a fresh reply could not give."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any


def names_among(packed: Any, allowed: Collection[str], number: int | None = None) -> tuple[str, ...]:
    """A list of allowed names, as many as ``number`` if given; raises ValueError."""
    if not isinstance(packed, list | tuple) or number not in (None, len(packed)):
        raise ValueError(packed)
    known = frozenset(allowed)
    if not all(isinstance(each, str) and each in known for each in packed):
        raise ValueError(packed)
    return tuple(packed)


def count_up_to(packed: Any, most: int) -> int:
    """An integer from 0 to ``most``; raises ValueError."""
    if not isinstance(packed, int) or isinstance(packed, bool) or not 0 <= packed <= most:
        raise ValueError(packed)
    return packed
