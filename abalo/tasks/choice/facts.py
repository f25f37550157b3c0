"""The fields of a result that only questions have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from abalo.core.documents.found import Result, ResultFields, certain
from abalo.core.records.json_records import Count, JsonRecord, Name, Share, declared
from abalo.questions.mcnemar import McNemar


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedMcNemar(McNemar):
    """The test of one variant; ``corrected`` for the number of variants."""

    corrected: Share | None


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantAnswers(JsonRecord):
    """The answers to one variant."""

    variant: Name
    answers: Count
    missing: Count
    mcnemar: CorrectedMcNemar | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceShares(JsonRecord):
    """How often a place was chosen and right."""

    place: Count
    answers: Share
    right: Share
    p: Share | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFlip(JsonRecord):
    """A changed answer, as places of options."""

    id: Name
    variant: Name
    before: Count | None
    after: Count | None
    target: Count
    question: str | None = None
    options: Sequence[str] | None = None
    reply: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswersFacts(JsonRecord):
    """The facts about questions."""

    missing: Count = declared("Number of answers that name no option.")
    variants: Sequence[VariantAnswers] = declared(
        "Counts for each variant, `orig` first, with McNemar's exact two-sided `p` of originals against the variant "
        "and the p `corrected` by Holm. `lost` and `gained` count questions that only one side answers correctly."
    )
    mcnemar: McNemar = declared(
        "The same for originals against the majority of variants. If `biased` is true, `p` is no error rate, because a "
        "majority is not as often correct as one answer."
    )
    places: Sequence[PlaceShares] = declared(
        "For each place: share of `answers` that chose it, share of questions whose `right` option stood there, "
        "two-sided `p` of their difference, corrected for the number of places; null below 20 questions."
    )
    flips: Sequence[AnswerFlip] = declared(
        "Answers that changed: question `id`, `variant`, options `before` and `after`, and the `target`."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswersFields(ResultFields):
    """What questions add to a result."""

    questions: AnswersFacts | None = declared("The answers to questions.", default=None, required=True)


def facts_of(result: Result) -> AnswersFacts:
    """The facts about the questions of a result."""
    return certain(AnswersFields.of(result).questions)
