"""Accuracy, and how far answers hold when questions are reworded [module 3, "Analysis Metrics"].

Each metric is a mean over questions; that of a question is over its answers, the one to the original among them. So the
counts of a question stand in the row of its first answer. Groups are the variants: each answer counts in its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from abalo.core.metrics import Floats, Metric, Net, Share, column, share
from abalo.core.outcome import Outcome
from abalo.tasks.choice.answers import ORIG
from abalo.tasks.choice.measures import consistent, flipped, lost_accuracy, missing, right
from abalo.tasks.choice.replies import AnswerSet

UNNAMED = "changed"
"""The group of variants that have no name of their own."""

RATES: tuple[Callable[[AnswerSet], float], ...] = (right, missing, consistent, flipped, lost_accuracy)
"""The rates of a question, each with two columns: the sum, and how many questions have one."""


@dataclass(frozen=True, slots=True)
class OutcomeReply:
    """An outcome as an answer; a variant that was answered as its original was is no other answer."""

    pred_option: int | None
    correct: bool

    @property
    def missing(self) -> bool:
        """Whether the model named no option."""
        return self.pred_option is None


def reply_of(outcome: Outcome) -> OutcomeReply:
    """The answer in an outcome."""
    example = outcome.example if outcome.variant is None else outcome.variant.example
    return OutcomeReply(outcome.prediction.option, outcome.prediction.place == example.gold)


def original_of(outcomes: Iterable[Outcome]) -> OutcomeReply | None:
    """The answer to the original that the outcomes of one question share; None where there are none."""
    for outcome in outcomes:
        return OutcomeReply(outcome.clean.option, outcome.clean.place == outcome.example.gold)
    return None


def variant_id(outcome: Outcome) -> str:
    """The id of the variant that was put."""
    return ORIG if outcome.variant is None else outcome.variant.kind or UNNAMED


def answer_counts(outcomes: Sequence[Outcome], _view: str, variants: Sequence[str]) -> Floats:
    """For each outcome, of its question and then of its variant: sum and number of each rate."""
    table = np.zeros((len(outcomes), 1 + len(variants), 2 * len(RATES)))
    column = {variant: k for k, variant in enumerate(variants, start=1)}
    questions: dict[tuple[str, int], list[int]] = {}
    for row, outcome in enumerate(outcomes):
        questions.setdefault((outcome.example.id, outcome.seed), []).append(row)
    for rows in questions.values():
        replies = {row: reply_of(outcomes[row]) for row in rows}
        original = original_of(outcomes[row] for row in rows)
        changed = tuple(replies[row] for row in rows if outcomes[row].variant is not None)
        _add(table[rows[0], 0], AnswerSet(original, changed))
        for row in rows:
            cell = table[row, column[variant_id(outcomes[row])]]
            if outcomes[row].variant is None:
                _add(cell, AnswerSet(replies[row], ()))
            else:
                _add(cell, AnswerSet(original, (replies[row],)))
                cell[:4] = (replies[row].correct, 1, replies[row].missing, 1)
    return table


def _add(cell: Floats, answers: AnswerSet) -> None:
    for k, rate in enumerate(RATES):
        value = rate(answers)
        if not math.isnan(value):
            cell[2 * k : 2 * k + 2] = (value, 1)


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
