"""All measures of a table of answers, for each task and model, and for each variant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Unpack

from abalo.core.statistics import Estimate
from abalo.tasks.choice.answers import ORIG, Answer
from abalo.tasks.choice.measures import (
    McNemar,
    Sampling,
    accuracy,
    consistency_at_k,
    delta_accuracy,
    fragility_score,
    groups,
    mcnemar_orig_vs_variants,
    missing_rate,
)
from abalo.tasks.choice.question import in_order


@dataclass(frozen=True, slots=True)
class VariantSummary:
    """One variant: of its ``answers``, how many are ``missing``, the share that are right, and the share that flipped.

    ``flip_rate`` is the share that name another option than the original; NaN for the original itself.
    """

    variant: str
    answers: int
    missing: int
    accuracy: Estimate
    flip_rate: Estimate


@dataclass(frozen=True, slots=True)
class Summary:
    """The measures of one model in one task.

    Of the ``questions``, ``varied`` have an original and at least one variant. ``k`` is the most variants that one
    has besides the original. ``variants`` holds the original first, then the others in their order.
    """

    task: str
    model: str
    questions: int
    varied: int
    k: int
    answers: int
    missing: int
    accuracy: Estimate
    missing_rate: Estimate
    consistency_at_k: Estimate
    fragility_score: Estimate
    delta_accuracy: Estimate
    mcnemar: McNemar
    variants: tuple[VariantSummary, ...]


def summaries(rows: Iterable[Answer], **sampling: Unpack[Sampling]) -> tuple[Summary, ...]:
    """One summary per task and model, sorted; raises `AbaloError` for an answer that is there twice."""
    by_model: dict[tuple[str, str], list[Answer]] = {}
    for row in rows:
        by_model.setdefault((row.task, row.model), []).append(row)
    return tuple(_summary(by_model[key], sampling) for key in sorted(by_model))


def _summary(rows: Sequence[Answer], sampling: Sampling) -> Summary:
    by_question = groups(rows)
    variants = sorted({row.variant for row in rows}, key=in_order)
    return Summary(
        task=rows[0].task,
        model=rows[0].model,
        questions=len(by_question),
        varied=sum(any(each.comparable for each in seeds) for seeds in by_question.values()),
        k=max(len(each.variants) for seeds in by_question.values() for each in seeds),
        answers=len(rows),
        missing=sum(row.missing for row in rows),
        accuracy=accuracy(rows, **sampling),
        missing_rate=missing_rate(rows, **sampling),
        consistency_at_k=consistency_at_k(rows, **sampling),
        fragility_score=fragility_score(rows, **sampling),
        delta_accuracy=delta_accuracy(rows, **sampling),
        mcnemar=mcnemar_orig_vs_variants(rows),
        variants=tuple(_of_variant(rows, variant, sampling) for variant in variants),
    )


def _of_variant(rows: Sequence[Answer], variant: str, sampling: Sampling) -> VariantSummary:
    own = [row for row in rows if row.variant == variant]
    beside = [row for row in rows if row.variant in (ORIG, variant)]
    return VariantSummary(
        variant=variant,
        answers=len(own),
        missing=sum(row.missing for row in own),
        accuracy=accuracy(own, **sampling),
        flip_rate=fragility_score(beside, **sampling),
    )
