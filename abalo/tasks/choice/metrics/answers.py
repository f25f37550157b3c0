"""Accuracy, and how far answers hold when questions are reworded [module 3, "Analysis Metrics"].

Each metric is a mean over questions; that of a question is over its answers, the one to the original among them, and
over its seeds and epochs. So the counts of a question stand in the row of its first answer. Groups are the variants:
those of a question in one variant stand in the row of the first answer to it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from abalo.core.metrics import Floats, Metric, Net, Share, column, share
from abalo.core.outcome import Outcome
from abalo.tasks.choice.answers import ORIG
from abalo.tasks.choice.replies import (
    AnswerSet,
    Question,
    answers_of,
    consistent,
    flipped,
    groups,
    lost_accuracy,
    missing,
    right,
    variant_id,
)

Rate = Callable[[AnswerSet], float]

RATES: tuple[Rate, ...] = (right, missing, consistent, flipped, lost_accuracy)
"""The rates of a question, each with two columns: the mean, and whether the question has one."""

_OF_A_VARIANT = RATES[:2]
"""The rates of a variant in which the original has no part."""


def answer_counts(outcomes: Sequence[Outcome], _view: str, variants: Sequence[str]) -> Floats:
    """For each outcome, of its question and then of its variant: mean and number of each rate."""
    rows = answers_of(outcomes)
    questions = {(row.id, row.seed): (row.task, row.id, row.model) for row in rows}
    units = [(questions[each.example.id, each.seed], variant_id(each)) for each in outcomes]
    return counted(units, groups(rows), variants)


def counted(
    units: Sequence[tuple[Question, str]], sets: Mapping[Question, Sequence[AnswerSet]], variants: Sequence[str]
) -> Floats:
    """The counts of answers, each given by its question and its variant (units × 1 + variants × columns)."""
    table = np.zeros((len(units), 1 + len(variants), 2 * len(RATES)))
    column = {variant: k for k, variant in enumerate(variants, start=1)}
    seen: set[tuple[object, ...]] = set()
    for row, (question, variant) in enumerate(units):
        if question not in seen:
            _add(table[row, 0], sets[question])
        if (question, variant) not in seen:
            cell = table[row, column[variant]]
            if variant == ORIG:
                _add(cell, [AnswerSet(each.original, ()) for each in sets[question] if each.original is not None])
            else:
                beside = [each for each in (own.beside(variant) for own in sets[question]) if each.variants]
                _add(cell, beside)
                _add(cell, [AnswerSet(None, each.variants) for each in beside], _OF_A_VARIANT)
        seen |= {question, (question, variant)}
    return table


def _add(cell: Floats, sets: Sequence[AnswerSet], rates: Iterable[Rate] = RATES) -> None:
    for k, rate in enumerate(rates):
        values = [value for value in map(rate, sets) if not math.isnan(value)]
        if values:
            cell[2 * k : 2 * k + 2] = (math.fsum(values) / len(values), 1)


def _mean(k: int) -> Share:
    return share(2 * k, 2 * k + 1)


METRICS = (
    Metric(
        "accuracy",
        answer_counts,
        _mean(0),
        more_is_better=True,
        given=True,
        of_clean=True,
        meaning="of the answers, those that are right, mean over questions; an answer that names no option is wrong",
    ),
    Metric(
        "missing_rate",
        answer_counts,
        _mean(1),
        per_group=False,
        given=True,
        of_clean=True,
        title="without an answer",
        meaning="of the answers, those that name no option",
    ),
    Metric(
        "consistency_at_k",
        answer_counts,
        _mean(2),
        more_is_better=True,
        per_group=False,
        given=True,
        compares=True,
        flips=True,
        title="consistency",
        meaning="of the questions with variants, those answered with one and the same option in all of them",
    ),
    Metric(
        "fragility_score",
        answer_counts,
        _mean(3),
        given=True,
        compares=True,
        flips=True,
        title="fragility",
        meaning="of the variants, those answered with another option than the original, mean over questions",
    ),
    Metric(
        "delta_accuracy",
        answer_counts,
        Net(column(8), column(9)),
        per_group=False,
        low=-1.0,
        given=True,
        compares=True,
        title="accuracy lost",
        meaning="accuracy of the originals minus that of their variants",
    ),
)
