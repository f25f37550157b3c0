"""The parts of a recipe: candidates, a ranking of words, and a search."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from abalo.attacks.search import Answer, Ask, Search
from abalo.core.protocols.registry import Registry
from abalo.core.records.targets import Effect, Target
from perturbations import Edit, Perturbed, apply

DECIMALS = 4
"""Rounds away differences between batches, about 1e-7."""

EditOptions = Mapping[int, Sequence[Edit]]
"""Alternative edits by place, in the order to try the places."""

TargetSite = tuple[Target, int]


class Candidates(Protocol):
    """Edits that an attack may make."""

    @property
    def name(self) -> str:
        """The source in reports, with all settings that change its answers."""
        ...

    def of(self, sites: Sequence[TargetSite]) -> list[Sequence[Edit]]:
        """The edits for each word, best first; empty if no edit is possible."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Tuning:
    """Settings that rankings and searches share.

    ``steps`` limits the changed words, 0 for any number; ``left`` is the fewest words that a reduction leaves;
    ``replacements`` limits the changes of one word.
    """

    draws: Random
    unknown: str = "[UNK]"
    width: int = 1
    steps: int = 0
    left: int = 1
    generations: int = 20
    replacements: int = 5


RankingSteps = Generator[Ask, Sequence[Answer], EditOptions]


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """An order of words: ``rank`` may drop some; ``drawn`` says whether it uses chance."""

    name: str
    rank: Callable[[Target, EditOptions, Tuning], RankingSteps]
    drawn: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class SearchMethod:
    """A way to search: ``search`` gets the target, unranked options, a ranking and the settings.

    ``ranks`` says whether it uses the ranking, ``drawn`` whether it draws.
    """

    name: str
    search: Callable[[Target, EditOptions, Ranking, Tuning], Search]
    ranks: bool = True
    drawn: bool = False

    @property
    def summary(self) -> str:
        """First line of the docstring of ``search``."""
        return (inspect.getdoc(self.search) or "").partition("\n")[0]


rankings: Registry[Ranking] = Registry("ranking", "abalo.attacks.rankings", "RANKING", group="abalo.rankings")

methods: Registry[SearchMethod] = Registry("search", "abalo.attacks.searches", "SEARCH", group="abalo.searches")


def apply_edits(target: Target, edits: Iterable[Edit]) -> Perturbed:
    """Applies the edits, except those that overlap an earlier one."""
    kept: list[Edit] = []
    for edit in edits:
        if not overlaps(edit, kept):
            kept.append(edit)
    return apply(target.sentence, sorted(kept, key=lambda edit: (edit.start, edit.stop)))


def overlaps(edit: Edit, others: Iterable[Edit]) -> bool:
    """Whether the edit replaces a word that another replaces, or inserts inside it."""
    return any(
        edit.start < other.stop and other.start < edit.stop
        if edit.start < edit.stop and other.start < other.stop
        else other.start < edit.start < other.stop or edit.start < other.start < edit.stop
        for other in others
    )


def score_loss(target: Target, answer: Answer) -> float:
    """The score that the right answer loses, summed over the target's parts."""
    return total(target.read(target.clean)) - total(target.read(answer.prediction, answer.perturbed))


def total(effect: Effect) -> float:
    """The sum of all parts' scores."""
    return effect.total(range(len(effect.scores)))


def match_answers(asked: Sequence[tuple[object, Perturbed]], answers: Sequence[Answer]) -> list[tuple[Any, Answer]]:
    """Pairs each answer with its request; refused candidates have no answer."""
    known = {id(candidate): about for about, candidate in asked}
    return [(known[id(answer.perturbed)], answer) for answer in answers]
