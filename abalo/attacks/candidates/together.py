"""Several kinds of candidates for each word."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.attacks.parts import Candidates, Site
from perturbations import Edit


class Together:
    """The edits of all parts for a word, those of the first part first, each edit once."""

    def __init__(self, *parts: Candidates) -> None:
        self._parts = parts
        self.name = "; ".join(part.name for part in parts)

    def of(self, sites: Sequence[Site]) -> list[Sequence[Edit]]:
        """The edits of all parts."""
        found = [part.of(sites) for part in self._parts]
        return [list(dict.fromkeys(edit for own in each for edit in own)) for each in zip(*found, strict=True)]
