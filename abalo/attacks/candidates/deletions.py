"""Words left out."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.attacks.parts import Site
from perturbations import Edit


class Deletions:
    """Each word left out."""

    name = "words left out"

    def of(self, sites: Sequence[Site]) -> list[Sequence[Edit]]:
        """The one edit of each word."""
        return [[Edit(place, place + 1, ())] for _, place in sites]
