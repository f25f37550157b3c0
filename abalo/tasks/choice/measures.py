"""How far answers hold when a question is reworded or its options are reordered.

A table of answers is made the same evidence as the outcomes of a run, and measured like it. A group is all that one
model answered to one question in one task. Variants are compared with the original of the same seed and epoch; a
group's rate is the mean over its seeds and epochs, and a measure the mean over groups. Intervals come from a bootstrap
over questions, all groups of a question and of its ``copies`` kept together. A question with nothing to compare has no
part in consistency, fragility and lost accuracy.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from abalo.core.evidence import ALIKE, Evidence, name_of
from abalo.core.gate import Gate
from abalo.core.metrics import Net, Share, share
from abalo.core.statistics import UNDEFINED, Estimate, Measurement, bootstrap, estimated, measured
from abalo.tasks.choice.answers import ORIG, Answer
from abalo.tasks.choice.metrics.answers import METRICS, answer_counts, counted
from abalo.tasks.choice.question import in_order
from abalo.tasks.choice.replies import NO_COPIES, groups

CONFIDENCE = 0.95
RESAMPLES = 10_000

MEAN = share(0, 1)
"""The mean of rates, from their sum and number: where each is 0 to 1, a share."""


class Sampling(TypedDict, total=False):
    """How intervals are found: at which ``confidence``, from how many ``resamples``.

    Questions with the same value in ``copies``, by id, are copies of one, and not independent evidence.
    """

    confidence: float
    resamples: int
    copies: Mapping[str, str]


def evidence_of(rows: Iterable[Answer], copies: Mapping[str, str] = NO_COPIES) -> Evidence:
    """The evidence in a table of answers, as that of a case: a unit each, by variant; questions are the clusters.

    Raises `AbaloError` for an answer that is there twice.
    """
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
        tables={ALIKE: {name_of(answer_counts): counted(units, groups(answers), variants)}},
    )


def measurement_of(
    rows: Iterable[Answer],
    task: str | None = None,
    *,
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
    copies: Mapping[str, str] = NO_COPIES,
) -> Measurement:
    """All metrics of a table of answers, of one task or of all, overall and by variant."""
    evidence = evidence_of((row for row in rows if task is None or row.task == task), copies)
    return measured(evidence, ALIKE, METRICS, Gate(confidence=confidence, resamples=resamples))


def consistency_at_k(rows: Iterable[Answer], task: str | None = None, **sampling: Unpack[Sampling]) -> Estimate:
    """Share of groups with variants whose answers are one and the same option in all of them, 0 to 1.

    No answer is a value of its own, the same only as no answer. NaN without variants. [module 3, "Analysis Metrics"]
    """
    return measurement_of(rows, task, **sampling).estimate("consistency_at_k")


def fragility_score(rows: Iterable[Answer], task: str | None = None, **sampling: Unpack[Sampling]) -> Estimate:
    """Mean share of variants that are answered with another option than the original, 0 to 1; NaN without variants.

    No answer is a value of its own. [module 3, "Analysis Metrics"]
    """
    return measurement_of(rows, task, **sampling).estimate("fragility_score")


def delta_accuracy(rows: Iterable[Answer], task: str | None = None, **sampling: Unpack[Sampling]) -> Estimate:
    """Accuracy of originals less the mean accuracy of their variants, -1 to 1; NaN without variants.

    [module 3, "Analysis Metrics"]
    """
    return measurement_of(rows, task, **sampling).estimate("delta_accuracy")


def accuracy(rows: Iterable[Answer], task: str | None = None, **sampling: Unpack[Sampling]) -> Estimate:
    """Share of answers that are right, 0 to 1, no answer being wrong; NaN without rows."""
    return measurement_of(rows, task, **sampling).estimate("accuracy")


def _place(row: Answer) -> tuple[object, ...]:
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
