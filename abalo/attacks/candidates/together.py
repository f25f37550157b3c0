"""Several kinds of candidates together."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.attacks.parts import Candidates, TargetSite
from perturbations import Edit


class Together:
    """The distinct edits of all parts, in their order."""

    def __init__(self, *parts: Candidates) -> None:
        self._parts = parts
        self.name = "; ".join(part.name for part in parts)

    def of(self, sites: Sequence[TargetSite]) -> list[Sequence[Edit]]:
        found = [part.of(sites) for part in self._parts]
        return [list(dict.fromkeys(edit for own in each for edit in own)) for each in zip(*found, strict=True)]
