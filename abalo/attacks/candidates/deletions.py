"""Deletions of words."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.attacks.parts import TargetSite
from perturbations import Edit


class Deletions:
    """Deletes each word."""

    name = "words left out"

    def of(self, sites: Sequence[TargetSite]) -> list[Sequence[Edit]]:
        return [[Edit(place, place + 1, ())] for _, place in sites]
