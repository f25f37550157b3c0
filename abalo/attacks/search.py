"""The engine that all attacks share: many searches, one for each target, in lock step.

A search is a generator. It yields changes to predict and is sent the predictions, until it returns its result. It
knows nothing of tasks, models, constraints, batches or budgets: at every step the changes of all searches that are
still alive are checked together, and predicted in one call.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from typing import Any

from abalo.core.example import Variant
from abalo.core.outcome import Tried
from abalo.core.targets import Target
from perturbations import Perturbed, Sentence


class Refusal(StrEnum):
    """The reason why a variant may not be shown.

    It goes beyond a limit on changes, so that it is no candidate; it is not similar enough; or it is, but with another
    part of speech.
    """

    LIMIT = "limit"
    SIMILARITY = "similarity"
    PART_OF_SPEECH = "part_of_speech"


Sift = Callable[[Sequence[tuple[Sentence, Perturbed]]], Sequence[float | Refusal]]
"""The similarity of each pair of an original and a variant; the reason where a constraint refuses the variant."""

Predict = Callable[[Sequence[Variant]], Sequence[Any]]
"""The prediction of each variant of an example."""


@dataclass(frozen=True, slots=True, eq=False)
class Ask:
    """Changes of the field of a target, to predict. Probes, which only rank words, are bound by no constraint.

    With ``enough`` the candidates most alike to the original come first, a few at a time, and after an answer that is
    enough no more are shown.
    """

    target: Target
    candidates: Sequence[Perturbed]
    probe: bool = False
    enough: Callable[[Answer], bool] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """The prediction after a change. ``similarity`` to the original is 1 for a probe, where it is not measured."""

    perturbed: Perturbed
    prediction: Any
    similarity: float


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """A variant that a search went through, and its prediction."""

    perturbed: Perturbed
    prediction: Any


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The result of a search: its last change, the original prediction where it made none.

    ``best`` is the state in which the target was hit hardest, None where that is the last one.
    """

    perturbed: Perturbed | None
    prediction: Any
    similarity: float = 1.0
    best: State | None = None


Search = Generator[Ask, Sequence[Answer], Found]
"""Answers come in the order in which the candidates were shown, without those that were not.

That is the order of the candidates, or of their similarity where one answer can be enough.
"""

_FEW = 4
"""How many candidates are shown at first where one can be enough; from then on as many as were shown before."""


@dataclass(frozen=True, slots=True, eq=False)
class Ended:
    """The end of a search: its result, how many variants the model predicted for it, and its candidates.

    ``spent`` says that its budget kept it from asking about more.
    """

    found: Found
    queries: int
    spent: bool
    tried: Tried


Admitted = tuple[Perturbed, float]
"""A candidate that may be shown, with its similarity to the original."""


class _Live:
    """A search under way. ``waiting`` are the candidates of its ask that may be shown and were not yet."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.queries = 0
        self.spent = False
        self.tried = Tried(0, 0, 0, 0)
        self.ended: Ended | None = None
        self.ask: Ask | None = None
        self.waiting: Sequence[Admitted] | None = None
        self._answers: list[Answer] = []
        self._advance(lambda: next(search))

    def admit(self, candidates: Sequence[Admitted]) -> None:
        """The candidates of its ask that may be shown."""
        is_in_order = self.ask is None or self.ask.enough is None
        self.waiting = candidates if is_in_order else sorted(candidates, key=lambda each: -each[1])

    def next(self) -> Sequence[Admitted]:
        """Those that are shown now."""
        waiting = self.waiting or ()
        return waiting if self.ask is None or self.ask.enough is None else waiting[: max(_FEW, len(self._answers))]

    def take(self, answers: Sequence[Answer]) -> None:
        """The answers to these: the search goes on where they are enough, or all that there are."""
        ask, left = self.ask, (self.waiting or ())[len(answers) :]
        self._answers += answers
        self.queries += len(answers)
        if ask is not None and not ask.probe:
            self.tried = replace(self.tried, shown=self.tried.shown + len(answers))
        if left and not (ask is not None and ask.enough is not None and any(map(ask.enough, answers))):
            self.waiting = left
            return
        every, self._answers, self.waiting = self._answers, [], None
        self._advance(lambda: self.search.send(every))

    def _advance(self, step: Callable[[], Ask]) -> None:
        try:
            self.ask = step()
        except StopIteration as end:
            self.ask, self.ended = None, Ended(end.value, self.queries, self.spent, self.tried)


def lock_step(searches: Sequence[Search], predict: Predict, sift: Sift, budget: int) -> list[Ended]:
    """Runs all searches to their ends, each with at most ``budget`` variants shown to the model."""
    every = [_Live(search) for search in searches]
    while live := [each for each in every if each.ask is not None]:
        _admit([each for each in live if each.waiting is None], sift, budget)
        chosen = [each.next() for each in live]
        asks = _asks(live)
        variants = [ask.target.variant(made) for ask, part in zip(asks, chosen, strict=True) for made, _ in part]
        predictions = iter(predict(variants) if variants else ())
        for each, part in zip(live, chosen, strict=True):
            answers = zip(part, islice(predictions, len(part)), strict=True)
            each.take([Answer(perturbed, prediction, alike) for (perturbed, alike), prediction in answers])
    return [each.ended for each in every if each.ended is not None]


def _admit(live: Sequence[_Live], sift: Sift, budget: int) -> None:
    """Tells each search which of the candidates of its new ask it may show, with their similarity to the original."""
    pairs = [(ask.target.sentence, made) for ask in _asks(live) if not ask.probe for made in ask.candidates]
    alike = iter(sift(pairs) if pairs else ())
    for each, ask in zip(live, _asks(live), strict=True):
        known = [1.0] * len(ask.candidates) if ask.probe else list(islice(alike, len(ask.candidates)))
        admitted = [(made, near) for made, near in zip(ask.candidates, known, strict=True) if isinstance(near, float)]
        left = budget - each.queries
        each.spent = each.spent or len(admitted) > left
        each.admit(admitted[:left])
        if not ask.probe:
            each.tried = _further(each.tried, known)


def _further(tried: Tried, known: Sequence[float | Refusal]) -> Tried:
    """The candidates so far and those of one more step, none of which was shown yet."""
    return Tried(
        tried.candidates + len(known) - known.count(Refusal.LIMIT),
        tried.unlike + known.count(Refusal.SIMILARITY),
        tried.other_part_of_speech + known.count(Refusal.PART_OF_SPEECH),
        tried.shown,
    )


def _asks(live: Sequence[_Live]) -> Iterator[Ask]:
    return (each.ask for each in live if each.ask is not None)
