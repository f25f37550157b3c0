"""Texts that a change hurt, or that are labelled wrong, as JSON values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from abalo.core.documents.found import WrongUnit
from abalo.core.records import words
from abalo.core.records.example import JsonObject
from abalo.core.records.outcome import Outcome, reply_of
from abalo.tasks.labels.metrics.confidence import drops, gold_drops
from abalo.tasks.labels.metrics.direction import TOLERANCE, is_turned
from abalo.tasks.labels.metrics.labels import gold_is_known, gold_now
from abalo.tasks.tokens.examples import changed_words, changes, example_of, first_edit, unit_of, worst_of_each
from perturbations import Perturbed, Sentence

SEPARATOR = " | "

_DECIMALS = 6
"""Further decimals of a loss depend on the machine."""


def in_words(labels: Sequence[str]) -> str:
    """The labels as text; ``none`` if empty."""
    return SEPARATOR.join(labels) or "none"


Displayed = Callable[[Outcome], tuple[Sentence, Perturbed]]


def worst(outcomes: Sequence[Outcome], displayed: Displayed, *, changed: bool) -> list[JsonObject]:
    """The distinct wrong texts that lost most probability of gold.

    ``changed`` selects texts that a change made wrong, or reversed texts with more confidence.
    """
    losses = (round(_loss(each), _DECIMALS) if changed else float(_is_wrong(each)) for each in outcomes)
    found = worst_of_each(zip(losses, outcomes, strict=True))
    return [_example(loss, outcome, *displayed(outcome)) for loss, outcome in found]


def _is_wrong(outcome: Outcome) -> bool:
    return outcome.example.gold is not None and outcome.clean.labels != outcome.example.gold


def _loss(outcome: Outcome) -> float:
    gold = outcome.example.gold
    if not outcome.changed or gold is None or outcome.clean.labels != gold:
        return 0.0
    if not gold_is_known(outcome):
        moved = [drop for _, drop in drops(outcome, gold)] if is_turned(outcome) else []
        return -min(moved, default=0.0) if min(moved, default=0.0) < -TOLERANCE else 0.0
    lost = max((drop for _, drop in gold_drops(outcome)), default=0.0)
    return 1 + lost if outcome.prediction.labels != gold_now(outcome) else 0.0


def _example(loss: float, outcome: Outcome, source: Sentence, made: Perturbed) -> JsonObject:
    known = gold_is_known(outcome)
    return {
        **example_of(outcome, source, made, 1),
        "lost": loss,
        "turned": not known and is_turned(outcome),
        "gold": list(outcome.example.gold),
        "new_gold": list(gold_now(outcome)) if known else None,
        "clean": list(outcome.clean.labels),
        "predicted": list(outcome.prediction.labels),
        **reply_of(outcome.prediction),
    }


def wrong(outcomes: Sequence[Outcome], displayed: Displayed) -> Iterator[JsonObject]:
    """Every outcome labelled wrong before or after the change."""
    for outcome in outcomes:
        gold, known = outcome.example.gold, gold_is_known(outcome)
        if _is_wrong(outcome) or (known and outcome.prediction.labels != gold_now(outcome)):
            source, made = displayed(outcome)
            yield {
                **unit_of(outcome, source, made),
                "spaces": source.spaces,
                "gold": gold_now(outcome) if known else gold,
                "clean": outcome.clean.labels,
                "predicted": outcome.prediction.labels,
                **reply_of(outcome.prediction),
            }


def as_examples(records: Iterable[WrongUnit], *, perturbs: bool) -> list[JsonObject]:
    """Records as examples, those with an error that the change caused first."""
    found = []
    for each in records:
        source = each.text
        wrong_now = each.predicted != each.gold and (not perturbs or (bool(each.edits) and each.clean == each.gold))
        found.append(
            {
                "sentence_id": each.sentence_id,
                "seed": each.seed,
                **changed_words(source, each.change(source), int(wrong_now)),
                "gold": each.gold,
                "new_gold": each.gold,
                "clean": each.clean,
                "predicted": each.predicted,
                "reply": each.reply,
                "unreadable": each.unreadable,
            }
        )
    return sorted(found, key=lambda each: -each["broken"])


def line(record: WrongUnit) -> str:
    """A record as text: text, predicted and gold labels, edits."""
    clean = record.text
    made = record.change(clean)
    said = [f"right: {in_words(record.gold)}", *changes(clean, made)]
    said += record.replied
    text = words.excerpt(made.sentence.text, first_edit(clean, made))
    return f"{text}: {in_words(record.predicted)}   ({'; '.join(said)})"
