"""All measures of a table of answers, for each task and model, and for each variant."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Unpack

from abalo.core.statistics import Estimate
from abalo.tasks.choice.answers import Answer
from abalo.tasks.choice.mcnemar import McNemar, corrected, mcnemar_by_variant, mcnemar_orig_vs_variants
from abalo.tasks.choice.measures import Sampling, measurement_of
from abalo.tasks.choice.places import PlaceShare, place_shares
from abalo.tasks.choice.question import in_order
from abalo.tasks.choice.repeats import fragility_beyond_noise, noise, noise_of_wording
from abalo.tasks.choice.replies import groups


@dataclass(frozen=True, slots=True)
class VariantSummary:
    """One variant: of its ``answers``, how many are ``missing``, the share that are right, and the share that flipped.

    ``flip_rate`` is the share that name another option than the original, ``mcnemar`` the test of originals against it,
    and ``corrected`` the p of that test corrected for the number of variants; NaN and None for the original itself.
    ``noise`` is the share of pairs of its repeats that differ; NaN without repeats. ``questions`` are those put so.
    """

    variant: str
    questions: int
    answers: int
    missing: int
    accuracy: Estimate
    flip_rate: Estimate
    noise: Estimate
    mcnemar: McNemar | None
    corrected: float


@dataclass(frozen=True, slots=True)
class Summary:
    """The measures of one model in one task.

    Of the ``questions``, ``varied`` have an original and at least one variant. ``k`` is the most variants that one
    has besides the original, ``repeats`` the most epochs. ``mcnemar`` is the test of originals against most of their
    variants, biased where these are two or more. ``variants`` holds the original first, then the others in their order,
    each with a test of its own; ``places`` the share of answers at each place, empty without reorderings.
    """

    task: str
    model: str
    questions: int
    varied: int
    k: int
    repeats: int
    answers: int
    missing: int
    accuracy: Estimate
    missing_rate: Estimate
    consistency_at_k: Estimate
    fragility_score: Estimate
    noise: Estimate
    fragility_beyond_noise: Estimate
    delta_accuracy: Estimate
    mcnemar: McNemar
    variants: tuple[VariantSummary, ...]
    places: tuple[PlaceShare, ...]

    @property
    def headline(self) -> VariantSummary | None:
        """The variant with the smallest p of McNemar's test by itself, the first of equals; None without variants."""
        tested = [each for each in self.variants if each.corrected == each.corrected]
        return min(tested, key=lambda each: (each.corrected, each.mcnemar.p if each.mcnemar else 1), default=None)


def summaries(rows: Iterable[Answer], **sampling: Unpack[Sampling]) -> tuple[Summary, ...]:
    """One summary per task and model, sorted; raises `AbaloError` for an answer that is there twice."""
    by_model: dict[tuple[str, str], list[Answer]] = {}
    for row in rows:
        by_model.setdefault((row.task, row.model), []).append(row)
    return tuple(_summary(by_model[key], sampling) for key in sorted(by_model))


def _summary(rows: Sequence[Answer], sampling: Sampling) -> Summary:
    sets = list(groups(rows).values())
    found = measurement_of(rows, **sampling)
    tests = mcnemar_by_variant(rows)
    p_corrected = corrected(tests)

    def of_variant(variant: str) -> VariantSummary:
        own = [row for row in rows if row.variant == variant]
        return VariantSummary(
            variant=variant,
            questions=len({row.id for row in own}),
            answers=len(own),
            missing=sum(row.missing for row in own),
            accuracy=found.estimate("accuracy", variant),
            flip_rate=found.estimate("fragility_score", variant),
            noise=noise_of_wording(own, **sampling),
            mcnemar=tests.get(variant),
            corrected=p_corrected.get(variant, math.nan),
        )

    return Summary(
        task=rows[0].task,
        model=rows[0].model,
        questions=len(sets),
        varied=sum(any(each.comparable for each in own) for own in sets),
        k=max(len(each.variants) for own in sets for each in own),
        repeats=len({row.epoch for row in rows}),
        answers=len(rows),
        missing=sum(row.missing for row in rows),
        accuracy=found.estimate("accuracy"),
        missing_rate=found.estimate("missing_rate"),
        consistency_at_k=found.estimate("consistency_at_k"),
        fragility_score=found.estimate("fragility_score"),
        noise=noise(rows, **sampling),
        fragility_beyond_noise=fragility_beyond_noise(rows, **sampling),
        delta_accuracy=found.estimate("delta_accuracy"),
        mcnemar=mcnemar_orig_vs_variants(rows),
        variants=tuple(of_variant(variant) for variant in sorted({row.variant for row in rows}, key=in_order)),
        places=place_shares(rows, **sampling),
    )
