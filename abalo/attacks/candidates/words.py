"""Replacements of words."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.attacks.parts import TargetSite
from abalo.sources import Synonyms
from perturbations import Edit


class SourceWords:
    """Replaces a word by words of a source, the most similar first."""

    def __init__(self, source: Synonyms) -> None:
        self._source = source
        self.name = source.name

    def of(self, sites: Sequence[TargetSite]) -> list[Sequence[Edit]]:
        asked = dict.fromkeys((target.sentence, place) for target, place in sites)
        found = dict(zip(asked, self._source.of(list(asked)), strict=True))
        return [
            [Edit(place, place + 1, (synonym.word,)) for synonym in found[target.sentence, place]]
            for target, place in sites
        ]
