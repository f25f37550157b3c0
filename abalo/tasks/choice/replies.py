"""The answers of one model to one question and its variants, brought together, and the rates of a question."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from abalo.core.outcome import Outcome
from abalo.corpora.findings import shown
from abalo.errors import AbaloError
from abalo.tasks.choice.answers import ORIG, Answer

UNNAMED = "changed"
"""The variants that have no name of their own."""

NO_COPIES: Mapping[str, str] = MappingProxyType({})
"""Each question is another."""


@dataclass(frozen=True, slots=True)
class AnswerSet:
    """The answers of one model to one question under one seed, in one epoch."""

    original: Answer | None
    variants: tuple[Answer, ...]

    @property
    def comparable(self) -> bool:
        """Whether there is an original, and something to compare it with."""
        return self.original is not None and bool(self.variants)

    @property
    def answers(self) -> tuple[Answer, ...]:
        """All, that to the original first."""
        return self.variants if self.original is None else (self.original, *self.variants)

    def beside(self, variant: str) -> AnswerSet:
        """The same with one of the variants alone."""
        return AnswerSet(self.original, tuple(each for each in self.variants if each.variant == variant))


Question = tuple[str, str, str]
"""The task, the id of the question and the model."""


def groups(rows: Iterable[Answer], task: str | None = None) -> dict[Question, list[AnswerSet]]:
    """The answers by question, a set for each seed and epoch, of one task or of all.

    Raises `AbaloError` for one that is there twice.
    """
    found: dict[Question, dict[tuple[int | None, int], dict[str, Answer]]] = {}
    for row in rows:
        if task is not None and row.task != task:
            continue
        variants = found.setdefault((row.task, row.id, row.model), {}).setdefault((row.seed, row.epoch), {})
        if row.variant in variants:
            raise AbaloError(
                f"{row.variant} of question {shown(row.id)} is there twice for task {shown(row.task)}, model "
                f"{shown(row.model)}, seed {row.seed}, epoch {row.epoch}; keep one of them, or give each run its own "
                "seed"
            )
        variants[row.variant] = row
    return {
        key: [
            AnswerSet(answers.get(ORIG), tuple(answer for variant, answer in answers.items() if variant != ORIG))
            for answers in repeats.values()
        ]
        for key, repeats in found.items()
    }


def together(
    found: Mapping[Question, Sequence[AnswerSet]], copies: Mapping[str, str] = NO_COPIES
) -> list[list[AnswerSet]]:
    """The sets of each question of a task and model; questions with the same value in ``copies`` are one."""
    joined: dict[Question, list[AnswerSet]] = {}
    for (task, question, model), sets in found.items():
        joined.setdefault((task, copies.get(question, question), model), []).extend(sets)
    return list(joined.values())


def variant_id(outcome: Outcome) -> str:
    """The id of the variant that was put."""
    return ORIG if outcome.variant is None else outcome.variant.kind or UNNAMED


def answers_of(outcomes: Iterable[Outcome]) -> list[Answer]:
    """The answers in the outcomes of a case as a table of logs has them, with those to the originals."""
    rows: dict[tuple[str, int, str], Answer] = {}
    for outcome in outcomes:
        original, variant = outcome.example, outcome.variant
        put = [(ORIG, original, outcome.clean)]
        if variant is not None:
            put.append((variant_id(outcome), variant.example, outcome.prediction))
        for name, example, picked in put:
            rows.setdefault(
                (original.id, outcome.seed, name),
                Answer(
                    id=original.id,
                    task="choice",
                    model="model",
                    pred_index=picked.place,
                    target_index=example.gold,
                    correct=picked.place == example.gold,
                    confidence=None,
                    seed=outcome.seed,
                    variant=name,
                    paraphrase_id=None,
                    perturbation_kind=None,
                    pred_option=picked.option,
                ),
            )
    return list(rows.values())


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
