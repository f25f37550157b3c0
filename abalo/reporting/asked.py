"""What is said of questions in the document, as docs/schema.md describes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from abalo.config.thresholds import Gate, Thresholds
from abalo.core.judging import Answered
from abalo.reporting.document import (
    NOT_BOUND,
    Json,
    estimate_of,
    gate_of,
    judged_of,
    number_of,
    versions,
)
from abalo.tasks.choice.answers import ORIG
from abalo.tasks.choice.asking import Asked, Questionnaire
from abalo.tasks.choice.audit import audited
from abalo.tasks.choice.measures import MEASURES
from abalo.tasks.choice.models.protocol import ChoiceModel
from abalo.tasks.choice.summary import Summary, VariantSummary

_NOT_ITS_BOUNDS = (
    "The bounds on answers were measured on the baseline that ships, not on this model: "
    "measure your own with abalo calibrate --choice-model MODEL --questions FILE --out FILE."
)


@dataclass(frozen=True, slots=True, eq=False)
class QuestionFacts:
    """What holds for all cases about questions of a run."""

    thresholds: Thresholds
    questionnaire: Questionnaire
    limit: int | None
    model: ChoiceModel
    bundled_model: bool
    blocking_bounds: int
    profile: str


def facts_of_questions(facts: QuestionFacts) -> Json:
    """The parts of the document about questions and the model that answers them, and those that any run has."""
    model, choices = facts.model, facts.questionnaire.choices
    own = facts.bundled_model or "choice" not in facts.thresholds.calibrated_elsewhere
    flagged = audited({choice.id: choice.options for choice in choices})
    return {
        "versions": versions(),
        "gate": gate_of(facts.thresholds, facts.blocking_bounds, facts.profile),
        "questions": {
            "notice": None if own else _NOT_ITS_BOUNDS,
            "name": facts.questionnaire.name,
            "sha256": facts.questionnaire.sha256,
            "questions": len(choices),
            "limit": facts.limit,
            "flagged": {name: sorted({flag.rule for flag in flags}) for name, flags in flagged.items()},
            "model": {"name": model.name, "fingerprint": model.fingerprint, "settings": dict(model.settings)},
        },
    }


def results_of_questions(
    answered: Answered, gate: Gate, blocking_bounds: int, command: str, *, with_text: bool
) -> list[Json]:
    """The one result of a case about questions."""
    case, asked, summary = answered.case, answered.asked, answered.summary
    varies = case.asking is not None and case.asking.varies
    return [
        {
            "id": case.id,
            "task": case.task,
            "perturbation": case.name,
            "kind": None,
            "params": dict(asked.params),
            "span_source": None,
            "blocking": case.blocking,
            "seeds": [asked.params["seed"]],
            "sentences": summary.questions,
            "distinct": len(set(asked.questionnaire.copies.values())),
            "changed": summary.varied,
            "variants": sum(variant.id != ORIG for variant in asked.variants),
            "unscored": None,
            "seconds": round(asked.seconds, 3),
            "forwards": 0,
            "shared_forwards": 0,
            "attack": None,
            "promise": None,
            "questions": _of_case(asked, summary, with_text=with_text),
            "slice": None,
            "require": [],
            "filtered": 0,
            "command": command,
            "view": None,
            "metrics": {
                name: estimate_of(summary.estimate(name)) if varies or not measure.compares else None
                for name, measure in MEASURES.items()
            },
            "per_type": {},
            **(judged_of(answered, gate, blocking_bounds) if case.bounds else NOT_BOUND),
            "examples": [],
        }
    ]


def _of_case(asked: Asked, summary: Summary, *, with_text: bool) -> Json:
    test = summary.mcnemar
    return {
        "missing": summary.missing,
        "variants": [_of_variant(variant) for variant in summary.variants],
        "mcnemar": {"p": number_of(test.p_value), "lost": test.lost, "gained": test.gained, "n": test.n},
        "flips": list(_flips(asked, with_text=with_text)),
    }


def _of_variant(variant: VariantSummary) -> Json:
    return {
        "variant": variant.variant,
        "answers": variant.answers,
        "missing": variant.missing,
        "accuracy": estimate_of(variant.accuracy),
        "flip_rate": estimate_of(variant.flip_rate),
    }


def _flips(asked: Asked, *, with_text: bool) -> Iterator[Json]:
    """Every variant that was answered otherwise than its original, in the order they were put."""
    originals = {answer.id: answer for answer in asked.answers if answer.variant == ORIG}
    choices = {choice.id: choice for choice in asked.questionnaire.choices}
    for variant, answer in zip(asked.variants, asked.answers, strict=True):
        before = originals[answer.id]
        if answer.pred_option != before.pred_option:
            choice = choices[answer.id]
            yield {
                "id": answer.id,
                "variant": answer.variant,
                "before": before.pred_option,
                "after": answer.pred_option,
                "target": choice.target,
                **({"question": variant.question, "options": list(choice.options)} if with_text else {}),
            }
