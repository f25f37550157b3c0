"""Slips in a word, by perturbations of the catalogue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random

from abalo.attacks.parts import TargetSite
from perturbations import Edit, Perturbation, Sentence, find, sentence_id, stream


class Slips:
    """Changes a word by a perturbation, drawn ``draws`` times; 0 for every possible slip.

    Words shorter than ``shortest`` stay; with ``inner``, first and last characters too.
    """

    def __init__(
        self, perturbation: Perturbation, seed: int, *, draws: int = 1, shortest: int = 1, inner: bool = False
    ) -> None:
        self._perturbation = perturbation.configured(rate=1.0)
        self._seed = seed
        self._draws = draws
        self._shortest = shortest
        self._inner = inner
        given = perturbation.own_params
        self.name = " ".join([perturbation.name, *(f"{name}={value}" for name, value in given.items())])

    def of(self, sites: Sequence[TargetSite]) -> list[Sequence[Edit]]:
        return [self._of(target.sentence, place) for target, place in sites]

    def _of(self, sentence: Sentence, place: int) -> list[Edit]:
        word = sentence.tokens[place]
        if len(word) < self._shortest:
            return []
        slips = self._drawn(sentence, place) if self._draws else self._every(word)
        kept = (tokens for tokens in slips if not self._inner or _keeps_ends(word, "".join(tokens)))
        return [Edit(place, place + 1, tokens) for tokens in dict.fromkeys(kept)]

    def _drawn(self, sentence: Sentence, place: int) -> Iterator[tuple[str, ...]]:
        for k in range(self._draws):
            drawn = stream(self._seed, self.name, sentence_id(sentence), place, k)
            word = Sentence((sentence.tokens[place],))
            yield from (edit.tokens for edit in self._perturbation.draw(word, partial(_pass_draws, drawn)))

    def _every(self, word: str) -> Iterator[tuple[str, ...]]:
        for site in self._perturbation.sites(Sentence((word,))):
            yield from (edit.tokens for edit in site)


def check_layout(layout: str) -> None:
    """Raises ValueError if no language has this keyboard."""
    list(find("keyboard").configured(layout=layout).sites(Sentence(("word",))))


def _keeps_ends(word: str, slip: str) -> bool:
    return slip[:1] == word[:1] and slip[-1:] == word[-1:]


def _pass_draws(draws: Random, *_: str) -> Random:
    return draws
