"""Questions put to a model in several ways, as the reports tell of them."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.reporting import phrases
from abalo.reporting.selection import Json, cases, is_about_questions
from abalo.tasks.choice.answers import ORIG
from abalo.tasks.choice.question import LETTERS

TITLE = "Multiple-choice questions"

COLUMNS = {
    "accuracy": "Accuracy",
    "consistency_at_k": "Consistency",
    "fragility_score": "Fragility",
    "delta_accuracy": "Accuracy lost",
    "missing_rate": "Without an answer",
}
"""The headings of measures, by name."""

TEST = "McNemar p"

_OPTION = 40
"""How many characters of an option are shown."""

VARIANT_COLUMNS = ("Variant", "Questions", "Accuracy", "Flipped", "Without an answer")

NOTES = {
    "Consistency": "of the questions, those answered with one and the same option in all variants; a question without "
    "variants is consistent",
    "Accuracy": "of all answers, those to originals among them, mean over questions",
    "Fragility": "of the variants, those answered with another option than the original, mean over questions",
    "Flipped": "the same for one variant; options are compared, not the places they stand at",
    "Accuracy lost": "that of originals less that of their variants",
    TEST: "exact, two-sided: are originals right more or less often than most of their variants? Not corrected",
}
"""What the headings mean."""


def about_questions(document: Json) -> list[Json]:
    """The results about questions, the baseline first."""
    return [result for result in cases(document) if is_about_questions(result)]


def test(result: Json) -> str:
    """McNemar's p, and the questions that only the original, or only most of the variants, got right."""
    found = result["questions"]["mcnemar"]
    if found["p"] is None:
        return phrases.NOTHING
    return f"{phrases.p_value(found['p'])} ({found['lost']:,} lost, {found['gained']:,} gained)"


def varied(result: Json) -> list[Json]:
    """What is known of each variant but the original."""
    return [row for row in result["questions"]["variants"] if row["variant"] != ORIG]


def flip(found: Json) -> str:
    """What an answer changed to, such as ``en-07, pert:order_rev: B → D, right is B``; letters as in the original.

    With the options themselves where text is not withheld.
    """
    places = [found[name] for name in ("before", "after", "target")]
    before, after, right = (_named(place, found.get("options")) for place in places)
    return f"{found['id']}, {found['variant']}: {before} → {after}, right is {right}"


def _named(place: int | None, options: Sequence[str] | None) -> str:
    letter = _letter(place)
    return letter if place is None or options is None else f"{letter} ({phrases.shortened(options[place], _OPTION)})"


def _letter(place: int | None) -> str:
    return "no answer" if place is None else LETTERS[place]
