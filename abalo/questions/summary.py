"""All measures by task, model and variant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Unpack

from abalo.core.statistics.estimates import Estimate
from abalo.questions.answers import ChoiceAnswer
from abalo.questions.mcnemar import McNemar, correct, mcnemar_by_variant, mcnemar_orig_vs_variants
from abalo.questions.measures import Sampling, measurement_of
from abalo.questions.places import PlaceShare, place_shares
from abalo.questions.question import in_order
from abalo.questions.repeats import fragility_beyond_noise, noise, noise_of_wording
from abalo.questions.replies import groups


@dataclass(frozen=True, slots=True)
class VariantSummary:
    """The measures of one variant.

    ``mcnemar`` tests originals against the variant and ``corrected`` is its p, corrected for the number of variants;
    both are None for the original. ``flip_rate`` is NaN for the original, ``noise`` without repeats.
    """

    variant: str
    questions: int
    answers: int
    missing: int
    accuracy: Estimate
    flip_rate: Estimate
    noise: Estimate
    mcnemar: McNemar | None
    corrected: float | None


@dataclass(frozen=True, slots=True)
class Summary:
    """The measures of one model in one task.

    ``varied`` counts questions with an original and a variant, ``k`` the most variants of a question, ``repeats`` the
    most epochs. ``mcnemar`` tests against the majority of variants. ``variants`` start with the original. ``places`` is
    empty without reordered options.
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
        """The variant with the smallest p of its own test; None without variants."""
        tests = [(each.mcnemar, each) for each in self.variants if each.mcnemar is not None]
        known = [(test.p, each) for test, each in tests if test.p is not None]
        return min(known, key=lambda each: each[0])[1] if known else None


def summaries(rows: Iterable[ChoiceAnswer], **sampling: Unpack[Sampling]) -> tuple[Summary, ...]:
    """One summary per task and model, sorted. Raises AbaloError for duplicates."""
    by_model: dict[tuple[str, str], list[ChoiceAnswer]] = {}
    for row in rows:
        by_model.setdefault((row.task, row.model), []).append(row)
    return tuple(_summary(by_model[key], sampling) for key in sorted(by_model))


def _summary(rows: Sequence[ChoiceAnswer], sampling: Sampling) -> Summary:
    sets = list(groups(rows).values())
    found = measurement_of(rows, **sampling)
    tests = mcnemar_by_variant(rows)
    p_corrected = correct(tests)

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
            corrected=p_corrected.get(variant),
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
