"""Other words in the place of a word."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.attacks.parts import Site
from abalo.sources import Synonyms
from perturbations import Edit


class Words:
    """The words of a source in the place of a word, the most similar first. Equal sentences are looked up once."""

    def __init__(self, source: Synonyms) -> None:
        self._source = source
        self.name = source.name

    def of(self, sites: Sequence[Site]) -> list[Sequence[Edit]]:
        """An edit for each word of the source."""
        asked = dict.fromkeys((target.sentence, place) for target, place in sites)
        found = dict(zip(asked, self._source.of(list(asked)), strict=True))
        return [
            [Edit(place, place + 1, (synonym.word,)) for synonym in found[target.sentence, place]]
            for target, place in sites
        ]
