"""A case about questions: put to a model, measured and judged."""

from __future__ import annotations

from dataclasses import dataclass

from abalo.choice.answers import ORIG
from abalo.choice.asking import Asked, Questionnaire, ask
from abalo.choice.measures import MEASURES
from abalo.choice.models.protocol import ChoiceModel
from abalo.choice.summary import Summary, summaries
from abalo.judging.decided import Decided
from abalo.runs import Case
from abalo.thresholds import Gate
from abalo.verdicts import Bound, Judgement, judge, undecided


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Answered(Decided):
    """A case about questions with the answers and their measures."""

    asked: Asked
    summary: Summary


def answered(
    case: Case, questionnaire: Questionnaire, model: ChoiceModel, gate: Gate, blocking_bounds: int
) -> Answered:
    """Put the questions as the case says and judge its bounds, corrected for ``blocking_bounds`` in the whole run.

    Raises `AbaloError` where the model cannot answer.
    """
    asking = case.asking
    assert asking is not None, "a case about questions says how they are put"
    asked = ask(asking, asking.configured(**case.params), questionnaire.first(case.limit), model)
    copies = asked.questionnaire.copies
    (summary,) = summaries(asked.answers, confidence=gate.confidence, resamples=gate.resamples, copies=copies)
    judgements = [_judgement(bound, asked, summary, gate, blocking_bounds) for bound in case.bounds]
    return Answered(case, judgements, asked, summary)


def _judgement(bound: Bound, asked: Asked, summary: Summary, gate: Gate, blocking_bounds: int) -> Judgement:
    """The bound judged, unless the answers show nothing about it."""
    estimate = summary.estimate(bound.metric, bound.type)
    if bound.type is not None and all(each.variant != bound.type for each in summary.variants):
        return undecided(bound, estimate, f"no question was put as {bound.type}")
    if MEASURES[bound.metric].compares:
        originals = [answer for answer in asked.answers if answer.variant == ORIG]
        if not summary.varied:
            return undecided(bound, estimate, "no question could be put in another way")
        if all(answer.missing for answer in originals):
            return undecided(bound, estimate, "no original was answered, so no answer could change")
        if bound.metric == "delta_accuracy" and not any(answer.correct for answer in originals):
            return undecided(bound, estimate, "no original was answered right, so there is nothing to lose")
    return judge(
        bound,
        estimate,
        confidence=gate.confidence,
        blocking_bounds=blocking_bounds,
        corrected=gate.correction != "none",
        unit="questions",
    )
