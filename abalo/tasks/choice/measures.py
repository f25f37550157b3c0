"""How far answers hold when a question is reworded or its options are reordered.

A group is all that one model answered to one question in one task. Variants are compared with the original of the same
seed; a group's rate is the mean over its seeds, and a measure the mean over groups. Intervals come from a bootstrap
over questions, all groups of a question and of its ``copies`` kept together. A question with nothing to compare has no
part in consistency, fragility and lost accuracy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Protocol, TypedDict, Unpack

import numpy as np

from abalo.core.metrics import Net, Share, column, share
from abalo.core.statistics import UNDEFINED, Estimate, bootstrap, estimated
from abalo.corpora.findings import shown
from abalo.errors import AbaloError
from abalo.tasks.choice.answers import ORIG, Answer

CONFIDENCE = 0.95
RESAMPLES = 10_000

NO_COPIES: Mapping[str, str] = MappingProxyType({})
"""Each question is another."""


class Sampling(TypedDict, total=False):
    """How intervals are found: at which ``confidence``, from how many ``resamples``.

    Questions with the same value in ``copies``, by id, are copies of one, and not independent evidence.
    """

    confidence: float
    resamples: int
    copies: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class McNemar:
    """Whether originals are right more or less often than most of their variants.

    Of ``n`` groups, the original alone is right in ``lost``, most of its variants alone in ``gained``. ``p_value`` is
    two-sided and exact; NaN where there are no groups.
    """

    p_value: float
    lost: int
    gained: int
    n: int


class Reply(Protocol):
    """An answer, as far as measures look at it."""

    @property
    def pred_option(self) -> int | None:
        """The place of the option chosen in the original question; None where none was named."""
        ...

    @property
    def correct(self) -> bool:
        """Whether it is the right one."""
        ...

    @property
    def missing(self) -> bool:
        """Whether no option was named."""
        ...


@dataclass(frozen=True, slots=True)
class AnswerSet:
    """The answers of one model to one question under one seed."""

    original: Reply | None
    variants: tuple[Reply, ...]

    @property
    def comparable(self) -> bool:
        """Whether there is an original, and something to compare it with."""
        return self.original is not None and bool(self.variants)

    @property
    def answers(self) -> tuple[Reply, ...]:
        """All, that to the original first."""
        return self.variants if self.original is None else (self.original, *self.variants)


Groups = Mapping[tuple[str, str, str], Sequence[AnswerSet]]
"""By task, question and model; one `AnswerSet` per seed."""


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


def mcnemar_orig_vs_variants(rows: Iterable[Answer], task: str | None = None) -> McNemar:
    """McNemar's test of originals against the majority of their variants, exact by the binomial distribution.

    The variants of a group are right where more than half of them are: a tie is not. Of several seeds all originals and
    all variants count alike. Groups without an original, or without variants, are left out.
    [McNemar, Note on the sampling error of the difference between correlated proportions, 1947]
    """
    return mcnemar(groups(rows, task).values())


def mcnemar(by_question: Iterable[Sequence[AnswerSet]]) -> McNemar:
    """The same for answer sets, those of all seeds of a question together."""
    lost = gained = n = 0
    for seeds in by_question:
        pairs = [each for each in seeds if each.comparable]
        if not pairs:
            continue
        before = _most(each.original.correct for each in pairs if each.original is not None)
        after = _most(answer.correct for each in pairs for answer in each.variants)
        n, lost, gained = n + 1, lost + (before and not after), gained + (after and not before)
    return McNemar(_exact_p(lost, gained) if n else math.nan, lost, gained, n)


def groups(rows: Iterable[Answer], task: str | None = None) -> Groups:
    """The answers in groups, of one task or of all; raises `AbaloError` for one that is there twice."""
    found: dict[tuple[str, str, str], dict[int | None, dict[str, Answer]]] = {}
    for row in rows:
        if task is not None and row.task != task:
            continue
        variants = found.setdefault((row.task, row.id, row.model), {}).setdefault(row.seed, {})
        if row.variant in variants:
            raise AbaloError(
                f"{row.variant} of question {shown(row.id)} is there twice for task {shown(row.task)}, "
                f"model {shown(row.model)}, seed {row.seed}; keep one of them, or give each run its own seed"
            )
        variants[row.variant] = row
    return {
        key: [
            AnswerSet(answers.get(ORIG), tuple(answer for variant, answer in answers.items() if variant != ORIG))
            for answers in seeds.values()
        ]
        for key, seeds in found.items()
    }


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


_MEAN = share(0, 1)
"""The mean of rates, from their sum and number: where each is 0 to 1, a share."""


def _mean_over_groups(
    rows: Iterable[Answer],
    task: str | None,
    rate: Callable[[AnswerSet], float],
    value: Share | Net = _MEAN,
    *,
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
    copies: Mapping[str, str] = NO_COPIES,
) -> Estimate:
    """The mean rate of groups; sums are exact in whatever order the rows come."""
    by_question: dict[str, list[float]] = {}
    for (_, question, _), sets in groups(rows, task).items():
        rates = [value for value in map(rate, sets) if not math.isnan(value)]
        if rates:
            by_question.setdefault(copies.get(question, question), []).append(math.fsum(rates) / len(rates))
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


def _most(correct: Iterable[bool]) -> bool:
    answers = list(correct)
    return 2 * sum(answers) > len(answers)


def _exact_p(lost: int, gained: int) -> float:
    """Twice the chance of at most the smaller count among as many fair coins as both together; 1 where that is more."""
    n = lost + gained
    coefficient = ways = 1
    for k in range(min(lost, gained)):
        coefficient = coefficient * (n - k) // (k + 1)
        ways += coefficient
    return min(1.0, float(Fraction(2 * ways, 2**n)))
