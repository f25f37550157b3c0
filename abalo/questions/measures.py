"""Measures of answer stability under rewording and reordered options.

A group is everything one model answered to one question in one task. Variants are compared with the original of the
same seed and epoch. A group's rate is the mean over seeds and epochs, a measure the mean over groups. Intervals come
from a bootstrap over questions that keeps ``copies`` together. Groups without an original or variant count for accuracy
only.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from abalo.core.records.gate import Gate
from abalo.core.statistics.estimates import UNDEFINED, Estimate, Measurement, bootstrap, estimate_value, measure_metrics
from abalo.core.statistics.evidence import ALIKE, Evidence, name_of
from abalo.core.statistics.metrics import Net, Share, share
from abalo.questions.answers import ORIG, ChoiceAnswer
from abalo.questions.metrics import METRICS, answer_counts, count_answers
from abalo.questions.question import in_order
from abalo.questions.replies import NO_COPIES, groups

CONFIDENCE = 0.95
RESAMPLES = 10_000

MEAN = share(0, 1)


class Sampling(TypedDict, total=False):
    """Confidence level and number of bootstrap resamples.

    ``copies`` maps question ids to a value that copies share.
    """

    confidence: float
    resamples: int
    copies: Mapping[str, str]


def evidence_of(rows: Iterable[ChoiceAnswer], copies: Mapping[str, str] = NO_COPIES) -> Evidence:
    """The answers as evidence, grouped by variant and clustered by question. Raises AbaloError for duplicates."""
    answers = sorted(rows, key=_place)
    variants = tuple(sorted({row.variant for row in answers}, key=in_order))
    units = [((row.task, row.id, row.model), row.variant) for row in answers]
    nothing = np.zeros(len(answers), dtype=np.int64)
    return Evidence(
        variants,
        ids=_strings(row.id for row in answers),
        golds=_strings("" for _ in answers),
        seeds=nothing,
        trainings=nothing,
        places=_strings(row.variant for row in answers),
        clusters=_strings(copies.get(row.id, row.id) for row in answers),
        digests=_strings("" for _ in answers),
        changed=np.array([row.variant != ORIG for row in answers], dtype=bool),
        outside=nothing.astype(bool),
        held=np.array([[row.variant == each for each in variants] for row in answers], dtype=np.int64),
        tables={ALIKE: {name_of(answer_counts): count_answers(units, groups(answers), variants)}},
    )


def measurement_of(
    rows: Iterable[ChoiceAnswer],
    task: str | None = None,
    *,
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
    copies: Mapping[str, str] = NO_COPIES,
) -> Measurement:
    """All metrics of ``task`` (None: all), overall and by variant."""
    evidence = evidence_of((row for row in rows if task is None or row.task == task), copies)
    return measure_metrics(evidence, ALIKE, METRICS, Gate(confidence=confidence, resamples=resamples))


def consistency_at_k(rows: Iterable[ChoiceAnswer], task: str | None = None, **sampling: Unpack[Sampling]) -> Estimate:
    """Share of groups, 0 to 1, with one option in all variants; NaN without variants.

    A missing answer equals only another. [module 3, "Analysis Metrics"]
    """
    return measurement_of(rows, task, **sampling).estimate("consistency_at_k")


def fragility_score(rows: Iterable[ChoiceAnswer], task: str | None = None, **sampling: Unpack[Sampling]) -> Estimate:
    """Mean share of variants, 0 to 1, answered differently from the original; NaN without variants.

    A missing answer is an option. [module 3, "Analysis Metrics"]
    """
    return measurement_of(rows, task, **sampling).estimate("fragility_score")


def delta_accuracy(rows: Iterable[ChoiceAnswer], task: str | None = None, **sampling: Unpack[Sampling]) -> Estimate:
    """Accuracy of originals minus mean accuracy of variants, -1 to 1; NaN without variants.

    [module 3, "Analysis Metrics"]
    """
    return measurement_of(rows, task, **sampling).estimate("delta_accuracy")


def accuracy(rows: Iterable[ChoiceAnswer], task: str | None = None, **sampling: Unpack[Sampling]) -> Estimate:
    """Share of right answers, 0 to 1; NaN without rows."""
    return measurement_of(rows, task, **sampling).estimate("accuracy")


def _place(row: ChoiceAnswer) -> tuple[object, ...]:
    return row.task, row.id, row.model, row.seed is not None, row.seed or 0, row.epoch, in_order(row.variant)


def _strings(values: Iterable[str]) -> NDArray[np.str_]:
    return np.array([*values], dtype=np.str_)


def over_questions(
    rates: Iterable[tuple[str, float]],
    value: Share | Net = MEAN,
    *,
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
    copies: Mapping[str, str] = NO_COPIES,
) -> Estimate:
    """The mean of group rates given with question ids, summed exactly; undefined without rates."""
    by_question: dict[str, list[float]] = {}
    for question, rate in rates:
        by_question.setdefault(copies.get(question, question), []).append(rate)
    if not by_question:
        return UNDEFINED
    values = [by_question[question] for question in sorted(by_question)]
    table = np.array([[math.fsum(each), len(each)] for each in values])
    mean = math.fsum(rate for each in values for rate in each) / sum(map(len, values))
    return estimate_value(
        value,
        table,
        lambda: value(bootstrap(len(table), resamples).sums(table)),
        len(table),
        confidence,
        mean,
    )
