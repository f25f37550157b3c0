"""Accuracy and answer stability [module 3, "Analysis Metrics"].

Each metric is a mean over questions, with all answers, seeds and epochs. Counts are in the row of the first answer to a
question or variant.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from abalo.core.records.outcome import Outcome
from abalo.core.statistics.metrics import Floats, Metric, Net, Share, column, share
from abalo.questions.answers import ORIG
from abalo.questions.replies import (
    AnswerSet,
    Question,
    accuracy_loss,
    answers_of,
    consistent,
    flip_share,
    groups,
    missing,
    right,
    variant_id,
)

Rate = Callable[[AnswerSet], float]

RATES: tuple[Rate, ...] = (right, missing, consistent, flip_share, accuracy_loss)

_OF_A_VARIANT = RATES[:2]


def answer_counts(outcomes: Sequence[Outcome], _view: str, variants: Sequence[str]) -> Floats:
    """Mean and number of each rate, of the outcome's question, then of its variant."""
    rows = answers_of(outcomes)
    questions = {(row.id, row.seed): (row.task, row.id, row.model) for row in rows}
    units = [(questions[each.example.id, each.seed], variant_id(each)) for each in outcomes]
    return count_answers(units, groups(rows), variants)


def count_answers(
    units: Sequence[tuple[Question, str]], sets: Mapping[Question, Sequence[AnswerSet]], variants: Sequence[str]
) -> Floats:
    """Counts by question and variant (units × (1 + variants) × columns)."""
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


def picked_options(outcome: Outcome) -> tuple[tuple[int | None], tuple[int | None]]:
    """The picked options, as places in the original question."""
    return (outcome.clean.option,), (outcome.prediction.option,)


METRICS = (
    Metric(
        "accuracy",
        answer_counts,
        _mean(0),
        more_is_better=True,
        given=True,
        of_clean=True,
        exact=True,
        meaning=("share of the answers that are right, mean over questions; an answer that names no option is wrong"),
    ),
    Metric(
        "missing_rate",
        answer_counts,
        _mean(1),
        per_group=False,
        given=True,
        of_clean=True,
        title="without an answer",
        meaning="share of the answers that name no option",
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
        outputs=picked_options,
        title="consistency",
        meaning="share of the questions with variants that get the same answer in all variants",
    ),
    Metric(
        "fragility_score",
        answer_counts,
        _mean(3),
        given=True,
        compares=True,
        flips=True,
        outputs=picked_options,
        title="fragility",
        meaning="share of the variants that get another answer than the original, mean over questions",
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
