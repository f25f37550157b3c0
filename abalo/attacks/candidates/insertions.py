"""Words put in beside a word."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.attacks.parts import Site
from abalo.models.masked_lm import MaskedLM
from abalo.sources.candidates import SPARE
from abalo.sources.masked import is_word, whole_words, words_of
from perturbations import Edit, Sentence, apply

_HELD = "x"
"""A word that holds the place of the new one; the model does not see it."""


class Insertions:
    """The words that a masked language model would put right before or right after a word: the ``most`` likeliest.

    Only beside words, and whole words alone, as `MaskedSynonyms` has it.
    """

    def __init__(self, model: MaskedLM, most: int, language: str = "") -> None:
        self._model = model
        self._most = most
        self._words = words_of(language)
        self.name = f"put in by masked LM {model.name}, the {most} likeliest"

    def of(self, sites: Sequence[Site]) -> list[Sequence[Edit]]:
        """Insertions on both sides of each word, the likeliest first, of equally likely ones that before it."""
        beside = [site for site in sites if is_word(site[0].sentence.tokens[site[1]])]
        gaps = dict.fromkeys((target.sentence, place + side) for target, place in beside for side in (0, 1))
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
        proposed = [
            (-probability, gap, word) for gap in (place, place + 1) for word, probability in found[sentence, gap]
        ]
        return [Edit(gap, gap, (word,)) for _, gap, word in sorted(proposed)[: self._most]]


def _with_room(sentence: Sentence, gap: int) -> Sentence:
    return apply(sentence, [Edit(gap, gap, (_HELD,))]).sentence
