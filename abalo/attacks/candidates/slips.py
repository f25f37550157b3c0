"""Slips in a word, as perturbations of words in the catalogue make them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random

from abalo.attacks.parts import Site
from perturbations import Edit, Perturbation, Sentence, sentence_id, stream


class Slips:
    """One word made another by a perturbation, drawn ``draws`` times; words shorter than ``shortest`` stay.

    A draw depends on the seed, the perturbation with its parameters, the sentence and the place alone. What is drawn
    twice is there once.
    """

    def __init__(self, perturbation: Perturbation, seed: int, *, draws: int = 1, shortest: int = 1) -> None:
        self._perturbation = perturbation.configured(rate=1.0)
        self._seed = seed
        self._draws = draws
        self._shortest = shortest
        given = perturbation.own_params
        self.name = " ".join([perturbation.name, *(f"{name}={value}" for name, value in given.items())])

    def of(self, sites: Sequence[Site]) -> list[Sequence[Edit]]:
        """The slips of each word; none for a word in which the perturbation changes nothing."""
        return [self._of(target.sentence, place) for target, place in sites]

    def _of(self, sentence: Sentence, place: int) -> list[Edit]:
        word = sentence.tokens[place]
        if len(word) < self._shortest:
            return []
        found: dict[tuple[str, ...], None] = {}
        for k in range(self._draws):
            drawn = stream(self._seed, self.name, sentence_id(sentence), place, k)
            for edit in self._perturbation.draw(Sentence((word,)), partial(_given, drawn)):
                found[edit.tokens] = None
        return [Edit(place, place + 1, tokens) for tokens in found]


def _given(draws: Random, *_: str) -> Random:
    """The draws, whatever they are for."""
    return draws
