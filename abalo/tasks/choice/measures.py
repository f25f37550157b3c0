"""How far answers hold when a question is reworded or its options are reordered.

A group is all that one model answered to one question in one task. Variants are compared with the original of the same
seed and epoch; a group's rate is the mean over its seeds and epochs, and a measure the mean over groups. Intervals come
from a bootstrap over questions, all groups of a question and of its ``copies`` kept together. A question with nothing
to compare has no part in consistency, fragility and lost accuracy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TypedDict, Unpack

import numpy as np

from abalo.core.metrics import Net, Share, column, share
from abalo.core.statistics import UNDEFINED, Estimate, bootstrap, estimated
from abalo.tasks.choice.answers import Answer
from abalo.tasks.choice.replies import AnswerSet, groups

CONFIDENCE = 0.95
RESAMPLES = 10_000

MEAN = share(0, 1)
"""The mean of rates, from their sum and number: where each is 0 to 1, a share."""

NO_COPIES: Mapping[str, str] = MappingProxyType({})
"""Each question is another."""


class Sampling(TypedDict, total=False):
    """How intervals are found: at which ``confidence``, from how many ``resamples``.

    Questions with the same value in ``copies``, by id, are copies of one, and not independent evidence.
    """

    confidence: float
    resamples: int
    copies: Mapping[str, str]


def consistency_at_k(rows: Iterable[Answer], task: str | None = None, **sampling: Unpack[Sampling]) -> Estimate:
    """Share of groups with variants whose answers are one and the same option in all of them, 0 to 1.

    No answer is a value of its own, the same only as no answer. NaN without variants. [module 3, "Analysis Metrics"]
    """
    return _mean_over_groups(rows, task, consistent, **sampling)


def fragility_score(rows: Iterable[Answer], task: str | None = None, **sampling: Unpack[Sampling]) -> Estimate:
    """Mean share of variants that are answered with another option than the original, 0 to 1; NaN without variants.

    No answer is a value of its own. [module 3, "Analysis Metrics"]
    """
    return _mean_over_groups(rows, task, flipped, **sampling)


def delta_accuracy(rows: Iterable[Answer], task: str | None = None, **sampling: Unpack[Sampling]) -> Estimate:
    """Accuracy of originals less the mean accuracy of their variants, -1 to 1; NaN without variants.

    [module 3, "Analysis Metrics"]
    """
    return _mean_over_groups(rows, task, lost_accuracy, Net(column(0), column(1)), **sampling)


def accuracy(rows: Iterable[Answer], task: str | None = None, **sampling: Unpack[Sampling]) -> Estimate:
    """Share of answers that are right, 0 to 1, no answer being wrong; NaN without rows."""
    return _mean_over_groups(rows, task, right, **sampling)


def missing_rate(rows: Iterable[Answer], task: str | None = None, **sampling: Unpack[Sampling]) -> Estimate:
    """Share of answers that name no option, 0 to 1; NaN without rows."""
    return _mean_over_groups(rows, task, missing, **sampling)


def consistent(answers: AnswerSet) -> float:
    """1 where all answers are one and the same option, else 0; NaN without variants."""
    if not answers.variants:
        return math.nan
    return float(len({answer.pred_option for answer in answers.answers}) == 1)


def flipped(answers: AnswerSet) -> float:
    """The share of variants that are answered with another option than the original; NaN without either."""
    if answers.original is None or not answers.variants:
        return math.nan
    flips = sum(answer.pred_option != answers.original.pred_option for answer in answers.variants)
    return flips / len(answers.variants)


def lost_accuracy(answers: AnswerSet) -> float:
    """Accuracy of the original less that of its variants; NaN without either."""
    if answers.original is None or not answers.variants:
        return math.nan
    return answers.original.correct - sum(answer.correct for answer in answers.variants) / len(answers.variants)


def right(answers: AnswerSet) -> float:
    """The share of answers that are right."""
    return sum(answer.correct for answer in answers.answers) / len(answers.answers)


def missing(answers: AnswerSet) -> float:
    """The share of answers that name no option."""
    return sum(answer.missing for answer in answers.answers) / len(answers.answers)


def _mean_over_groups(
    rows: Iterable[Answer],
    task: str | None,
    rate: Callable[[AnswerSet], float],
    value: Share | Net = MEAN,
    **sampling: Unpack[Sampling],
) -> Estimate:
    """The mean rate of groups."""
    found = groups(rows, task)
    rated = [(key, [value for value in map(rate, sets) if not math.isnan(value)]) for key, sets in found.items()]
    return over_questions(
        ((question, math.fsum(rates) / len(rates)) for (_, question, _), rates in rated if rates), value, **sampling
    )


def over_questions(
    rates: Iterable[tuple[str, float]],
    value: Share | Net = MEAN,
    *,
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
    copies: Mapping[str, str] = NO_COPIES,
) -> Estimate:
    """The mean of the rates of groups, each with the id of its question; undefined without any.

    Sums are exact in whatever order the rates come.
    """
    by_question: dict[str, list[float]] = {}
    for question, rate in rates:
        by_question.setdefault(copies.get(question, question), []).append(rate)
    if not by_question:
        return UNDEFINED
    values = [by_question[question] for question in sorted(by_question)]
    table = np.array([[math.fsum(each), len(each)] for each in values])
    mean = math.fsum(rate for each in values for rate in each) / sum(map(len, values))
    return estimated(
        value,
        table,
        lambda: value(bootstrap(len(table), resamples).sums(table)),
        len(table),
        confidence,
        mean,
    )
