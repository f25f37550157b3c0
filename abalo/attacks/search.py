"""The engine that all attacks share: many searches, one for each target, in lock step.

A search is a generator. It yields changes to predict and is sent the predictions, until it returns its result. It
knows nothing of tasks, models, constraints, batches or budgets: at every step the changes of all searches that are
still alive are checked together, and predicted in one call.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any

from abalo.core.example import Tried, Variant
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
    """Changes of the field of a target, to predict. Probes, which only rank words, are bound by no constraint."""

    target: Target
    candidates: Sequence[Perturbed]
    probe: bool = False


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
"""Answers come in the order of the candidates, without those that a constraint or the budget refused."""


@dataclass(frozen=True, slots=True, eq=False)
class Ended:
    """The end of a search: its result, how many variants the model predicted for it, and its candidates.

    ``spent`` says that its budget kept it from asking about more.
    """

    found: Found
    queries: int
    spent: bool
    tried: Tried


class _Live:
    """A search under way."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.queries = 0
        self.spent = False
        self.tried = Tried(0, 0, 0, 0)
        self.ended: Ended | None = None
        self.ask: Ask | None = None
        self._advance(lambda: next(search))

    def answer(self, answers: Sequence[Answer]) -> None:
        self._advance(lambda: self.search.send(answers))

    def _advance(self, step: Callable[[], Ask]) -> None:
        try:
            self.ask = step()
        except StopIteration as end:
            self.ask, self.ended = None, Ended(end.value, self.queries, self.spent, self.tried)


def lock_step(searches: Sequence[Search], predict: Predict, sift: Sift, budget: int) -> list[Ended]:
    """Runs all searches to their ends, each with at most ``budget`` variants shown to the model."""
    every = [_Live(search) for search in searches]
    while live := [each for each in every if each.ask is not None]:
        chosen = _chosen(live, sift, budget)
        asks = _asks(live)
        variants = [ask.target.variant(made) for ask, part in zip(asks, chosen, strict=True) for made, _ in part]
        predictions = iter(predict(variants) if variants else ())
        for each, part in zip(live, chosen, strict=True):
            each.queries += len(part)
            answers = zip(part, islice(predictions, len(part)), strict=True)
            each.answer([Answer(perturbed, prediction, alike) for (perturbed, alike), prediction in answers])
    return [each.ended for each in every if each.ended is not None]


def _chosen(live: Sequence[_Live], sift: Sift, budget: int) -> list[list[tuple[Perturbed, float]]]:
    """The candidates that each search may show the model now, with their similarity to the original."""
    pairs = [(ask.target.sentence, made) for ask in _asks(live) if not ask.probe for made in ask.candidates]
    alike = iter(sift(pairs) if pairs else ())
    chosen = []
    for each, ask in zip(live, _asks(live), strict=True):
        known = [1.0] * len(ask.candidates) if ask.probe else list(islice(alike, len(ask.candidates)))
        admitted = [(made, near) for made, near in zip(ask.candidates, known, strict=True) if isinstance(near, float)]
        left = budget - each.queries
        each.spent = each.spent or len(admitted) > left
        chosen.append(admitted[:left])
        if not ask.probe:
            each.tried = _further(each.tried, known, len(chosen[-1]))
    return chosen


def _further(tried: Tried, known: Sequence[float | Refusal], shown: int) -> Tried:
    """The candidates so far and those of one more step."""
    return Tried(
        tried.candidates + len(known) - known.count(Refusal.LIMIT),
        tried.unlike + known.count(Refusal.SIMILARITY),
        tried.other_part_of_speech + known.count(Refusal.PART_OF_SPEECH),
        tried.shown + shown,
    )


def _asks(live: Sequence[_Live]) -> Iterator[Ask]:
    return (each.ask for each in live if each.ask is not None)
