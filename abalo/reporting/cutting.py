"""Cutting what is too long for a page: the rows, columns and bars that matter most stay, in their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar


class Weighted(Protocol):
    """Anything with a weight: the greater, the more it matters."""

    @property
    def weight(self) -> float:
        """How much it matters."""
        ...


T = TypeVar("T", bound=Weighted)


def heaviest(items: Sequence[T], most: int | None) -> tuple[T, ...]:
    """At most so many items, all for None, those of the greatest weight, in their order."""
    kept = {id(item) for item in sorted(items, key=lambda item: -item.weight)[:most]}
    return tuple(item for item in items if id(item) in kept)
