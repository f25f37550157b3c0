"""Questions that a change hurt, or that are answered wrong, as JSON values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abalo.core.documents.found import WrongUnit
from abalo.core.records import words
from abalo.core.records.example import Example, JsonObject
from abalo.core.records.outcome import Outcome, reply_of
from abalo.models.questions.protocol import Answered
from abalo.models.questions.scoring import score_answer
from abalo.tasks.reading.example import CONTEXT, joined_edits, span_at
from abalo.tasks.reading.metrics.answers import gold_now, score_now
from abalo.tasks.tokens.examples import changes, example_of, first_edit, unit_of, worst_of_each
from perturbations.answers import answers_in

_DECIMALS = 6
NONE = "no answer"


def in_words(answers: Sequence[str]) -> str:
    """The answers as text."""
    return " | ".join(dict.fromkeys(answers)) or NONE


def lost_most(outcomes: Sequence[Outcome], *, changed: bool) -> list[JsonObject]:
    """The distinct questions with the largest loss of F1, by the change or against gold."""
    found = ((round(_loss(outcome, changed=changed), _DECIMALS), outcome) for outcome in outcomes)
    return [_example(*pair) for pair in worst_of_each(found)]


def _loss(outcome: Outcome, *, changed: bool) -> float:
    rules = outcome.example.source.rules
    clean = score_answer(outcome.clean.text, outcome.example.gold, rules).f1
    if not changed:
        return 1 - clean
    return clean - score_now(outcome).f1 if outcome.changed else 0.0


def _example(loss: float, outcome: Outcome) -> JsonObject:
    source, made = joined_edits(outcome.example, {} if outcome.variant is None else outcome.variant.edits)
    now = outcome.example if outcome.variant is None else outcome.variant.example
    return {
        **example_of(outcome, source, made, 1),
        "lost": loss,
        "gold": list(outcome.example.gold),
        "gold_places": _answers(outcome.example),
        "clean": outcome.clean.text,
        "clean_place": _place(outcome.example, outcome.clean),
        "new_gold": list(gold_now(outcome)),
        "new_gold_places": _answers(now),
        "predicted": outcome.prediction.text,
        "place": _place(now, outcome.prediction),
        **reply_of(outcome.prediction),
    }


def _answers(example: Example) -> list[list[int]]:
    return [[span.start, span.stop] for span in dict.fromkeys(answers_in(example.fields[CONTEXT]))]


def _place(example: Example, prediction: Answered) -> list[int] | None:
    return None if prediction.place is None else list(span_at(example.fields[CONTEXT], prediction.place))


def wrong(outcomes: Sequence[Outcome]) -> Iterator[JsonObject]:
    """Every outcome that is wrong before or after the change."""
    for outcome in outcomes:
        rules, gold = outcome.example.source.rules, gold_now(outcome)
        before = score_answer(outcome.clean.text, outcome.example.gold, rules)
        now = score_now(outcome)
        if before.exact < 1 or now.exact < 1:
            source, made = joined_edits(outcome.example, {} if outcome.variant is None else outcome.variant.edits)
            yield {
                **unit_of(outcome, source, made),
                "spaces": source.spaces,
                "gold": gold,
                "clean": outcome.clean.text,
                "predicted": outcome.prediction.text,
                "f1": now.f1,
                **reply_of(outcome.prediction),
            }


def line(record: WrongUnit) -> str:
    """A record as text: passage, question, answers and edits."""
    clean = record.text
    made = record.change(clean)
    told = [f"right: {in_words(record.gold)}", *changes(clean, made), *record.replied]
    at = first_edit(clean, made) or 1.0
    return f"{words.excerpt(made.sentence.text, at)}: {record.predicted or NONE}   ({'; '.join(told)})"
