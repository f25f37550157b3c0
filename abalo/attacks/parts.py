"""The parts that a recipe of an attack is put together from: candidates, a ranking of words, a search.

Each has a room: `abalo.attacks.candidates`, `abalo.attacks.rankings` and `abalo.attacks.searches`, one module a part.
Constraints are in `abalo.attacks.constraints` and `abalo.attacks.limits`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from abalo.attacks.search import Answer, Ask, Search
from abalo.core.registry import Registry
from abalo.core.targets import Reading, Target
from perturbations import Edit, Perturbed, apply

DECIMALS = 4
"""Scores of one sentence differ by some 1e-7 from batch to batch; what differs by no more than that is equal."""

Options = Mapping[int, Sequence[Edit]]
"""For each place that can be changed, in the order to try them, the edits that could be made there. One is made."""

Site = tuple[Target, int]
"""A target, and the place of a word in its sentence."""


class Candidates(Protocol):
    """Edits that an attack may make; ``name`` names the source in reports, with all that changes its answers."""

    @property
    def name(self) -> str:
        """The name in reports."""
        ...

    def of(self, sites: Sequence[Site]) -> list[Sequence[Edit]]:
        """The edits for each word, the best first; none where there is nothing to put there."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Tuning:
    """The settings that rankings and searches share.

    ``draws`` are those of one search. ``unknown`` is the token that stands for a word that the model does not know,
    ``width`` how many states a beam keeps, or live in a genetic search, ``generations`` how often these are bred,
    ``steps`` the most words that are changed, 0 for any number, ``left`` how many words a reduction leaves at least of
    those that may go.
    """

    draws: Random
    unknown: str = "[UNK]"
    width: int = 1
    steps: int = 0
    left: int = 1
    generations: int = 20


Ranked = Generator[Ask, Sequence[Answer], Options]
"""A ranking under way: asks as a search does, and ends with the options in the order in which to try the places."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """An order of words: ``rank`` gives the options in it, and may leave out some; ``drawn`` says whether by chance."""

    name: str
    rank: Callable[[Target, Options, Tuning], Ranked]
    drawn: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class SearchMethod:
    """A way to search. ``search`` is given the target, the options not yet ranked, a ranking and the settings.

    ``ranks`` says whether it looks at the ranking, ``drawn`` whether it draws.
    """

    name: str
    search: Callable[[Target, Options, Ranking, Tuning], Search]
    ranks: bool = True
    drawn: bool = False

    @property
    def summary(self) -> str:
        """The first line of the docstring of ``search``."""
        return (inspect.getdoc(self.search) or "").partition("\n")[0]


rankings: Registry[Ranking] = Registry("ranking", "abalo.attacks.rankings", "RANKING")
"""Every ranking by name: one module each."""

methods: Registry[SearchMethod] = Registry("search", "abalo.attacks.searches", "SEARCH")
"""Every way to search by name: one module each."""


def made(target: Target, edits: Iterable[Edit]) -> Perturbed:
    """The sentence of the target with these edits."""
    return apply(target.sentence, sorted(edits, key=lambda edit: (edit.start, edit.stop)))


def lost(target: Target, answer: Answer) -> float:
    """The score that what is right loses by a change, the sum over all parts of the target."""
    return total(target.read(target.clean)) - total(target.read(answer.prediction, answer.perturbed))


def total(reading: Reading) -> float:
    """The sum of the scores of all parts."""
    return reading.total(range(len(reading.scores)))


def matched(asked: Sequence[tuple[Any, Perturbed]], answers: Sequence[Answer]) -> list[tuple[Any, Answer]]:
    """The answers, each with what its candidate was asked for: some candidates may have been refused."""
    known = {id(candidate): about for about, candidate in asked}
    return [(known[id(answer.perturbed)], answer) for answer in answers]
