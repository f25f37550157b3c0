"""Spaces within a word."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.attacks.parts import TargetSite
from perturbations import Edit, Sentence, sentence_id, stream


class Spaces:
    """Splits a word of 2 to ``longest`` letters at a drawn place."""

    def __init__(self, seed: int, longest: int) -> None:
        self._seed = seed
        self._longest = longest
        self.name = f"a space in words of at most {longest} letters"

    def of(self, sites: Sequence[TargetSite]) -> list[Sequence[Edit]]:
        return [self._of(target.sentence, place) for target, place in sites]

    def _of(self, sentence: Sentence, place: int) -> list[Edit]:
        word = sentence.tokens[place]
        if not (word.isalpha() and 2 <= len(word) <= self._longest):
            return []
        drawn = stream(self._seed, "spaces", sentence_id(sentence), place)
        k = 1 + int(drawn.random() * (len(word) - 1))
        return [Edit(place, place + 1, (word[:k], word[k:]))]
