"""Texts with damaged or bad translations, as JSON values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abalo.core.documents.found import WrongUnit
from abalo.core.records import words
from abalo.core.records.example import JsonObject
from abalo.core.records.outcome import Outcome, reply_of
from abalo.models.translators.scoring import sentence_chrf
from abalo.tasks.tokens.examples import changes, example_of, first_edit, unit_of, worst_of_each
from abalo.tasks.translation.metrics.scores import example_now

_DECIMALS = 6


def _scores(outcome: Outcome) -> tuple[float, float]:
    before = sentence_chrf(outcome.clean.text, outcome.example.gold)
    return before, sentence_chrf(outcome.prediction.text, example_now(outcome).gold)


def lost_most(outcomes: Sequence[Outcome], *, changed: bool) -> list[JsonObject]:
    """The distinct texts with the largest loss of chrF, by the change or against references."""
    found = []
    for outcome in outcomes:
        before, after = _scores(outcome)
        loss = (before - after if outcome.changed else 0.0) if changed else 1 - before
        found.append((round(loss, _DECIMALS), outcome))
    return [_example(*pair) for pair in worst_of_each(found)]


def _example(loss: float, outcome: Outcome) -> JsonObject:
    return {
        **example_of(outcome, outcome.sentence, outcome.made, 1),
        **_texts(outcome),
        "lost": loss,
        "gold": list(outcome.example.gold),
        "new_gold": list(example_now(outcome).gold),
        **reply_of(outcome.prediction),
    }


def _texts(outcome: Outcome) -> JsonObject:
    return {
        "gold": list(example_now(outcome).gold),
        "clean": outcome.clean.text,
        "predicted": outcome.prediction.text,
    }


def worse(outcomes: Sequence[Outcome]) -> Iterator[JsonObject]:
    """Every outcome that differs from references or lost chrF."""
    for outcome in outcomes:
        before, after = _scores(outcome)
        if after < (before if outcome.changed else 1.0):
            unit = unit_of(outcome, outcome.sentence, outcome.made)
            more = {"spaces": outcome.sentence.spaces, "chrf": round(after, _DECIMALS)}
            yield {**unit, **_texts(outcome), **more, **reply_of(outcome.prediction)}


def line(record: WrongUnit) -> str:
    """A record as text: text, translation, reference, edits."""
    clean = record.text
    made = record.change(clean)
    said = [f"reference: {words.excerpt(record.gold[0], 0)}", *changes(clean, made), *record.replied]
    text = words.excerpt(made.sentence.text, first_edit(clean, made))
    return f"{text} → {words.excerpt(record.predicted, 0)}   ({'; '.join(said)})"
