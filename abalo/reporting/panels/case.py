"""What the panels of a case are made from."""

from __future__ import annotations

from dataclasses import dataclass

from abalo.reporting.selection import Json, is_baseline


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """The result that is shown, the same case in its other views, and the document they stand in."""

    result: Json
    siblings: tuple[Json, ...]
    document: Json

    @property
    def views(self) -> tuple[Json, ...]:
        """Every view of the case, the shown one first."""
        return (self.result, *self.siblings)

    @property
    def is_baseline(self) -> bool:
        """Whether nothing was perturbed, so that there is no drop to speak of."""
        return is_baseline(self.result)
