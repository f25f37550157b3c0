"""Position bias: how often the option at each place is chosen, where options were put in several orders."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

from abalo.core.statistics import Estimate
from abalo.tasks.choice.answers import ORIG, Answer
from abalo.tasks.choice.measures import Sampling, over_questions
from abalo.tasks.choice.question import reorders
from abalo.tasks.choice.replies import NO_COPIES, Question

Shown = tuple[int | None, int | None]
"""The places, as shown, of the option chosen and of the right one; None for none."""


@dataclass(frozen=True, slots=True)
class PlaceShare:
    """Of the answers over all orders, the share that chose what stood at ``place``, counted from 0.

    ``right`` is the share of them in which the right option stood there: the share that a perfect model has. Shares of
    answers add up to 1, less those that name no option.
    """

    place: int
    answers: Estimate
    right: Estimate


def place_shares(
    rows: Iterable[Answer], task: str | None = None, **sampling: Unpack[Sampling]
) -> tuple[PlaceShare, ...]:
    """The share of answers at each place, over the original order and all reorderings of the questions that have any.

    A mean over questions, each order of a question counting alike. Empty without reorderings.
    """
    kept = [(key[1], shown) for key, shown in _reordered(row for row in rows if task is None or row.task == task)]
    return tuple(
        PlaceShare(
            place,
            over_questions(((key, _share(place, [chosen for chosen, _ in shown])) for key, shown in kept), **sampling),
            over_questions(((key, _share(place, [right for _, right in shown])) for key, shown in kept), **sampling),
        )
        for place in _places(shown for _, shown in kept)
    )


def mean_shares(rows: Iterable[Answer], copies: Mapping[str, str]) -> list[tuple[int, float, float]]:
    """For each place the shares of answers and of right options there, means over questions; without intervals.

    All orders of a question and its ``copies`` count alike.
    """
    questions = [shown for _, shown in _reordered(rows, copies)]
    return [
        (
            place,
            math.fsum(_share(place, [chosen for chosen, _ in shown]) for shown in questions) / len(questions),
            math.fsum(_share(place, [right for _, right in shown]) for shown in questions) / len(questions),
        )
        for place in _places(questions)
    ]


def _reordered(rows: Iterable[Answer], copies: Mapping[str, str] = NO_COPIES) -> list[tuple[Question, list[Shown]]]:
    """The places in all orders of each question that was put in several, its copies among it."""
    found: dict[Question, list[Answer]] = {}
    for row in rows:
        if row.variant == ORIG or reorders(row.variant):
            found.setdefault((row.task, copies.get(row.id, row.id), row.model), []).append(row)
    return [
        (key, [(row.pred_index, row.target_index) for row in own])
        for key, own in sorted(found.items())
        if any(reorders(row.variant) for row in own)
    ]


def _places(questions: Iterable[Sequence[Shown]]) -> range:
    """All places up to the last that was chosen or held the right option."""
    found = (place for shown in questions for both in shown for place in both if place is not None)
    return range(max(found, default=-1) + 1)


def _share(place: int, places: Sequence[int | None]) -> float:
    return places.count(place) / len(places)
