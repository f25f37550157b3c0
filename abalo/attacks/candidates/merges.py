"""Merges of two words into one."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.attacks.parts import TargetSite
from abalo.models.auxiliary.masked_lm import MaskedLM
from abalo.sources.candidates import SPARE, fit_candidates
from abalo.sources.masked import is_word, likely_words, words_of
from perturbations import Edit, Sentence, apply

_HELD = "x"


class Merges:
    """Replaces two changeable words by one of the ``most`` likeliest whole words of a masked language model.

    The new word has a probability of at least ``least`` and differs from both. The edit belongs to the first word.
    """

    def __init__(self, model: MaskedLM, most: int, language: str = "", least: float = 0.0) -> None:
        self._model = model
        self._most = most
        self._least = least
        self._words = words_of(language)
        self.name = f"two words merged by masked LM {model.name}, the {most} likeliest of at least {least:g}"

    def of(self, sites: Sequence[TargetSite]) -> list[Sequence[Edit]]:
        open_ = {(id(target), place) for target, place in sites if is_word(target.sentence.tokens[place])}
        fitting = [{(id(target), place), (id(target), place + 1)} <= open_ for target, place in sites]
        pairs = dict.fromkeys(
            (target.sentence, place) for (target, place), fits in zip(sites, fitting, strict=True) if fits
        )
        proposals = self._model.proposals([(_merged(*pair), pair[1]) for pair in pairs], SPARE * self._most)
        found = {pair: self._of(*pair, proposed) for pair, proposed in zip(pairs, proposals, strict=True)}
        return [
            found[target.sentence, place] if fits else [] for (target, place), fits in zip(sites, fitting, strict=True)
        ]

    def _of(self, sentence: Sentence, place: int, proposed: Sequence[tuple[str, float]]) -> list[Edit]:
        first, second = sentence.tokens[place : place + 2]
        others = [
            pair for pair in likely_words(proposed, self._words, self._least) if pair[0].lower() != second.lower()
        ]
        return [Edit(place, place + 2, (found.word,)) for found in fit_candidates(first, others, self._most)]


def _merged(sentence: Sentence, place: int) -> Sentence:
    return apply(sentence, [Edit(place, place + 2, (_HELD,))]).sentence
