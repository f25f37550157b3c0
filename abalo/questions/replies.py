"""Answers of one model to a question and its variants."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from abalo.core.records.outcome import Outcome
from abalo.corpora.findings import show_value
from abalo.errors import AbaloError
from abalo.questions.answers import ORIG, ChoiceAnswer

UNNAMED = "changed"

NO_COPIES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class AnswerSet:
    """Answers of one model to one question in one seed and epoch."""

    original: ChoiceAnswer | None
    variants: tuple[ChoiceAnswer, ...]

    @property
    def comparable(self) -> bool:
        """True if it has an original and a variant."""
        return self.original is not None and bool(self.variants)

    @property
    def answers(self) -> tuple[ChoiceAnswer, ...]:
        """All answers, the original's first."""
        return self.variants if self.original is None else (self.original, *self.variants)

    def beside(self, variant: str) -> AnswerSet:
        """The same set with only this variant."""
        return AnswerSet(self.original, tuple(each for each in self.variants if each.variant == variant))


Question = tuple[str, str, str]


def groups(rows: Iterable[ChoiceAnswer], task: str | None = None) -> dict[Question, list[AnswerSet]]:
    """Answer sets by question, for ``task`` or all. Raises AbaloError for duplicates."""
    found: dict[Question, dict[tuple[int | None, int], dict[str, ChoiceAnswer]]] = {}
    for row in rows:
        if task is not None and row.task != task:
            continue
        variants = found.setdefault((row.task, row.id, row.model), {}).setdefault((row.seed, row.epoch), {})
        if row.variant in variants:
            raise AbaloError(
                f"{row.variant} of question {show_value(row.id)} is there twice for task {show_value(row.task)}, model "
                f"{show_value(row.model)}, seed {row.seed}, epoch {row.epoch}; keep one of them, or give each run its "
                f"own "
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
    """The answer sets by question, with ``copies`` merged."""
    joined: dict[Question, list[AnswerSet]] = {}
    for (task, question, model), sets in found.items():
        joined.setdefault((task, copies.get(question, question), model), []).extend(sets)
    return list(joined.values())


def variant_id(outcome: Outcome) -> str:
    """The id of the variant that was asked."""
    return ORIG if outcome.variant is None else outcome.variant.kind or UNNAMED


def answers_of(outcomes: Iterable[Outcome]) -> list[ChoiceAnswer]:
    """The outcomes of a case as answers, originals included."""
    rows: dict[tuple[str, int, str], ChoiceAnswer] = {}
    for outcome in outcomes:
        original, variant = outcome.example, outcome.variant
        put = [(ORIG, original, outcome.clean)]
        if variant is not None:
            put.append((variant_id(outcome), variant.example, outcome.prediction))
        for name, example, picked in put:
            rows.setdefault(
                (original.id, outcome.seed, name),
                ChoiceAnswer(
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
    """1 if all answers are equal, else 0; NaN without variants."""
    if not answers.variants:
        return math.nan
    return float(len({answer.pred_option for answer in answers.answers}) == 1)


def flip_share(answers: AnswerSet) -> float:
    """Share of variants answered differently; NaN if a side is missing."""
    if answers.original is None or not answers.variants:
        return math.nan
    flips = sum(answer.pred_option != answers.original.pred_option for answer in answers.variants)
    return flips / len(answers.variants)


def accuracy_loss(answers: AnswerSet) -> float:
    """Accuracy of the original minus its variants; NaN if a side is missing."""
    if answers.original is None or not answers.variants:
        return math.nan
    return answers.original.correct - sum(answer.correct for answer in answers.variants) / len(answers.variants)


def right(answers: AnswerSet) -> float:
    """The share of right answers."""
    return sum(answer.correct for answer in answers.answers) / len(answers.answers)


def missing(answers: AnswerSet) -> float:
    """The share of answers that name no option."""
    return sum(answer.missing for answer in answers.answers) / len(answers.answers)
