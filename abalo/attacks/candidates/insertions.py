"""Insertions of words."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.attacks.parts import TargetSite
from abalo.models.auxiliary.masked_lm import MaskedLM
from abalo.sources.candidates import SPARE
from abalo.sources.masked import is_word, whole_words, words_of
from perturbations import Edit, Sentence, apply

_HELD = "x"


class Insertions:
    """The ``most`` likeliest whole words that a masked language model inserts beside a word.

    ``sides`` holds 0 for before, 1 for after; before wins ties.
    """

    def __init__(self, model: MaskedLM, most: int, language: str = "", sides: Sequence[int] = (0, 1)) -> None:
        self._model = model
        self._most = most
        self._words = words_of(language)
        self._sides = sides
        beside = "" if len(sides) > 1 else " after a word" if sides[0] else " before a word"
        self.name = f"put in{beside} by masked LM {model.name}, the {most} likeliest"

    def of(self, sites: Sequence[TargetSite]) -> list[Sequence[Edit]]:
        beside = [site for site in sites if is_word(site[0].sentence.tokens[site[1]])]
        gaps = dict.fromkeys((target.sentence, place + side) for target, place in beside for side in self._sides)
        proposals = self._model.proposals([(_with_room(*gap), gap[1]) for gap in gaps], SPARE * self._most)
        kept = (whole_words(each, self._words)[: self._most] for each in proposals)
        found = dict(zip(gaps, kept, strict=True))
        return [
            self._of(target.sentence, place, found) if is_word(target.sentence.tokens[place]) else []
            for target, place in sites
        ]

    def _of(
        self, sentence: Sentence, place: int, found: dict[tuple[Sentence, int], list[tuple[str, float]]]
    ) -> list[Edit]:
        gaps = [place + side for side in self._sides]
        proposed = [(-probability, gap, word) for gap in gaps for word, probability in found[sentence, gap]]
        return [Edit(gap, gap, (word,)) for _, gap, word in sorted(proposed)[: self._most]]


def _with_room(sentence: Sentence, gap: int) -> Sentence:
    return apply(sentence, [Edit(gap, gap, (_HELD,))]).sentence
