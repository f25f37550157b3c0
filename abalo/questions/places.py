"""Position bias under reordered options."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev
from typing import Unpack

from abalo.core.statistics.estimates import Estimate
from abalo.core.statistics.verdicts import FEWEST_HOLDING
from abalo.questions.answers import ORIG, ChoiceAnswer
from abalo.questions.measures import Sampling, over_questions
from abalo.questions.question import reorders
from abalo.questions.replies import NO_COPIES, Question

Shown = tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class PlaceShare:
    """The share of answers at ``place``, from 0, over all orders.

    ``right`` is the share of a perfect model. Shares sum to 1 minus missing answers.
    """

    place: int
    answers: Estimate
    right: Estimate


def place_shares(
    rows: Iterable[ChoiceAnswer], task: str | None = None, **sampling: Unpack[Sampling]
) -> tuple[PlaceShare, ...]:
    """The share of answers at each place, as a mean over reordered questions."""
    kept = [(key[1], shown) for key, shown in _reorderings(row for row in rows if task is None or row.task == task)]
    return tuple(
        PlaceShare(
            place,
            over_questions(((key, _share(place, [chosen for chosen, _ in shown])) for key, shown in kept), **sampling),
            over_questions(((key, _share(place, [right for _, right in shown])) for key, shown in kept), **sampling),
        )
        for place in _places(shown for _, shown in kept)
    )


def mean_shares(rows: Iterable[ChoiceAnswer], copies: Mapping[str, str]) -> list[tuple[int, float, float, float]]:
    """Mean shares of answers and right options at each place, and the p of their difference.

    A two-sided z-test over questions, corrected for the number of places (Bonferroni); NaN for few questions.
    """
    questions = [shown for _, shown in _reorderings(rows, copies)]
    places, found = _places(questions), []
    for place in places:
        answers = [_share(place, [chosen for chosen, _ in shown]) for shown in questions]
        right = [_share(place, [right for _, right in shown]) for shown in questions]
        p = _p([one - other for one, other in zip(answers, right, strict=True)], len(places))
        found.append((place, fmean(answers), fmean(right), p))
    return found


def _p(differences: Sequence[float], tests: int) -> float:
    """The two-sided p of a mean that differs from 0, corrected for the number of tests."""
    if len(differences) < FEWEST_HOLDING:
        return math.nan
    mean, error = fmean(differences), stdev(differences) / math.sqrt(len(differences))
    return min(1.0, tests * 2 * NormalDist().cdf(-abs(mean) / error)) if error else float(not mean)


def _reorderings(
    rows: Iterable[ChoiceAnswer], copies: Mapping[str, str] = NO_COPIES
) -> list[tuple[Question, list[Shown]]]:
    found: dict[Question, list[ChoiceAnswer]] = {}
    for row in rows:
        if row.variant == ORIG or reorders(row.variant):
            found.setdefault((row.task, copies.get(row.id, row.id), row.model), []).append(row)
    return [
        (key, [(row.pred_index, row.target_index) for row in own])
        for key, own in sorted(found.items())
        if any(reorders(row.variant) for row in own)
    ]


def _places(questions: Iterable[Sequence[Shown]]) -> range:
    found = (place for shown in questions for both in shown for place in both if place is not None)
    return range(max(found, default=-1) + 1)


def _share(place: int, places: Sequence[int | None]) -> float:
    return places.count(place) / len(places)
