"""The engine of all attacks: many searches in lock step.

A search is a generator: it yields changes, receives predictions, and returns its result. At every step, the engine
checks the changes of all searches together and predicts them in one call.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from typing import Any

from abalo.core.records.example import Variant
from abalo.core.records.outcome import Tried
from abalo.core.records.targets import Target
from perturbations import Perturbed, Sentence


class Refusal(StrEnum):
    """Why a variant may not be shown; beyond a limit, it is no candidate at all."""

    LIMIT = "limit"
    SIMILARITY = "similarity"
    PART_OF_SPEECH = "part_of_speech"


Sift = Callable[[Sequence[tuple[Sentence, Perturbed]]], Sequence[float | Refusal]]
"""Similarities to the originals, or reasons of refusal."""

Predict = Callable[[Sequence[Variant]], Sequence[Any]]
"""Predictions; None if no calls to the model were left."""


@dataclass(frozen=True, slots=True, eq=False)
class Ask:
    """Changes to predict; a ``probe`` only ranks words, without constraints.

    With ``enough``, the most similar candidates are shown first, a few at a time, until an answer is enough.
    """

    target: Target
    candidates: Sequence[Perturbed]
    probe: bool = False
    enough: Callable[[Answer], bool] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """The prediction after a change; ``similarity`` is 1 for a probe."""

    perturbed: Perturbed
    prediction: object
    similarity: float


@dataclass(frozen=True, slots=True, eq=False)
class SearchState:
    """A variant on the way, and its prediction."""

    perturbed: Perturbed
    prediction: object


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A search's last change, or the original prediction without one.

    ``best`` is the state that hurt the target most; None if it is the last.
    """

    perturbed: Perturbed | None
    prediction: object
    similarity: float = 1.0
    best: SearchState | None = None


Search = Generator[Ask, Sequence[Answer], Found]
"""Answers keep the order of the shown candidates, or of similarity with ``enough``."""

_FEW = 4
"""Candidates shown first if one can be enough; then the total doubles."""


@dataclass(frozen=True, slots=True, eq=False)
class Ended:
    """A finished search; ``spent`` is True if the budget stopped it."""

    found: Found
    queries: int
    spent: bool
    tried: Tried


Admitted = tuple[Perturbed, float]


class _Live:
    def __init__(self, search: Search) -> None:
        self.search = search
        self.queries = 0
        self.spent = False
        self.tried = Tried(0, 0, 0, 0)
        self.is_cut = False
        self.ended: Ended | None = None
        self.ask: Ask | None = None
        self.waiting: Sequence[Admitted] | None = None
        self._answers: list[Answer] = []
        self._advance(lambda: next(search))

    def admit(self, candidates: Sequence[Admitted], most: int) -> None:
        is_in_order = self.ask is None or self.ask.enough is None
        ordered = candidates if is_in_order else sorted(candidates, key=lambda each: -each[1])
        self.waiting, self.is_cut = ordered[:most], len(ordered) > most

    def next(self) -> Sequence[Admitted]:
        waiting = self.waiting or ()
        return waiting if self.ask is None or self.ask.enough is None else waiting[: max(_FEW, len(self._answers))]

    def take(self, shown: Sequence[Admitted], predictions: Sequence[object]) -> None:
        ask, left = self.ask, (self.waiting or ())[len(shown) :]
        answers = [
            Answer(perturbed, prediction, alike)
            for (perturbed, alike), prediction in zip(shown, predictions, strict=True)
            if prediction is not None
        ]
        if len(answers) < len(shown):
            left, self.spent = (), True
        self._answers += answers
        self.queries += len(answers)
        if ask is not None and not ask.probe:
            self.tried = replace(self.tried, shown=self.tried.shown + len(answers))
        has_enough = ask is not None and ask.enough is not None and any(map(ask.enough, answers))
        if left and not has_enough:
            self.waiting = left
            return
        self.spent = self.spent or (self.is_cut and not has_enough)
        every, self._answers, self.waiting = self._answers, [], None
        self._advance(lambda: self.search.send(every))

    def _advance(self, step: Callable[[], Ask]) -> None:
        try:
            self.ask = step()
        except StopIteration as end:
            self.ask, self.ended = None, Ended(end.value, self.queries, self.spent, self.tried)


def lock_step(searches: Sequence[Search], predict: Predict, sift: Sift, budget: int) -> list[Ended]:
    """Runs all searches, each with at most ``budget`` variants shown to the model."""
    every = [_Live(search) for search in searches]
    while live := [each for each in every if each.ask is not None]:
        _admit([each for each in live if each.waiting is None], sift, budget)
        chosen = [each.next() for each in live]
        asks = _asks(live)
        variants = [ask.target.variant(made) for ask, part in zip(asks, chosen, strict=True) for made, _ in part]
        predictions = iter(predict(variants) if variants else ())
        for each, part in zip(live, chosen, strict=True):
            each.take(part, list(islice(predictions, len(part))))
    return [each.ended for each in every if each.ended is not None]


def _admit(live: Sequence[_Live], sift: Sift, budget: int) -> None:
    pairs = [(ask.target.sentence, made) for ask in _asks(live) if not ask.probe for made in ask.candidates]
    alike = iter(sift(pairs) if pairs else ())
    for each, ask in zip(live, _asks(live), strict=True):
        known = [1.0] * len(ask.candidates) if ask.probe else list(islice(alike, len(ask.candidates)))
        admitted = [(made, near) for made, near in zip(ask.candidates, known, strict=True) if isinstance(near, float)]
        each.admit(admitted, budget - each.queries)
        if not ask.probe:
            each.tried = _further(each.tried, known)


def _further(tried: Tried, known: Sequence[float | Refusal]) -> Tried:
    return Tried(
        tried.candidates + len(known) - known.count(Refusal.LIMIT),
        tried.unlike + known.count(Refusal.SIMILARITY),
        tried.other_part_of_speech + known.count(Refusal.PART_OF_SPEECH),
        tried.shown,
    )


def _asks(live: Sequence[_Live]) -> Iterator[Ask]:
    return (each.ask for each in live if each.ask is not None)
