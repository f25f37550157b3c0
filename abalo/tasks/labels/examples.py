"""Examples of one text that a change hurt, or that are labelled wrong as they stand, as plain JSON values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from abalo.core.example import Json, Outcome
from abalo.tasks.labels.metrics.confidence import drops, gold_drops
from abalo.tasks.labels.metrics.direction import TOLERANCE, is_turned
from abalo.tasks.labels.metrics.labels import gold_is_known, gold_now
from abalo.tasks.tokens.examples import EXAMPLES, changes, touched
from perturbations import Edit, Sentence, apply

SEPARATOR = " | "
"""Stands between labels of one text in words."""


def in_words(labels: Sequence[str]) -> str:
    """The labels as text; ``none`` where there is none."""
    return SEPARATOR.join(labels) or "none"


About = Callable[[Outcome], str]
"""The part of a text that is labelled, in words; empty where it is the whole."""


def _whole(_outcome: Outcome) -> str:
    return ""


def worst(outcomes: Sequence[Outcome], *, changed: bool, about: About = _whole) -> list[Json]:
    """The texts that lost most probability of their gold label, of those labelled wrong, each once.

    With ``changed`` those that a change made wrong, or that it turned around and that the model is surer of now; else
    those that are wrong as they stand.
    """
    found: dict[str, tuple[float, Outcome]] = {}
    for outcome in outcomes:
        loss = _loss(outcome) if changed else float(outcome.clean.labels != outcome.example.gold)
        if loss > 0 and loss > found.get(outcome.example.id, (0.0, outcome))[0]:
            found[outcome.example.id] = loss, outcome
    ranked = sorted(found.values(), key=lambda pair: (-pair[0], pair[1].example.id))
    return [_example(outcome, about(outcome)) for _, outcome in ranked[:EXAMPLES]]


def _loss(outcome: Outcome) -> float:
    """How bad a change was: 0 for one that did no harm, more where the model is surer of the wrong."""
    gold = outcome.example.gold
    if not outcome.changed or outcome.clean.labels != gold:
        return 0.0
    if is_turned(outcome):
        moved = [drop for _, drop in drops(outcome, gold)]
        return -min(moved, default=0.0) if min(moved, default=0.0) < -TOLERANCE else 0.0
    return 1 + max((drop for _, drop in gold_drops(outcome)), default=0.0) if _is_wrong(outcome) else 0.0


def _is_wrong(outcome: Outcome) -> bool:
    """Whether the labels are known and others are predicted."""
    return gold_is_known(outcome) and outcome.prediction.labels != gold_now(outcome)


def _changed_gold(outcome: Outcome) -> Json:
    """The labels that a change gave an example instead of its own, under a key; nothing where it gave none."""
    changed = gold_is_known(outcome) and gold_now(outcome) != outcome.example.gold
    return {"new_gold": list(gold_now(outcome))} if changed else {}


def _example(outcome: Outcome, about: str) -> Json:
    source = outcome.sentence
    made = outcome.perturbed or apply(source, [])
    return {
        "sentence_id": outcome.example.id,
        "seed": outcome.seed,
        "broken": 1,
        "turned": is_turned(outcome),
        **({"about": about} if about else {}),
        "tokens": list(source.tokens),
        "gold": list(outcome.example.gold),
        **_changed_gold(outcome),
        "clean": list(outcome.clean.labels),
        "new_tokens": list(made.sentence.tokens),
        "predicted": list(outcome.prediction.labels),
        "origins": [list(origin) for origin in made.origins],
        **touched(source, made),
    }


def wrong(outcomes: Sequence[Outcome], *, about: About = _whole) -> Iterator[Json]:
    """Every outcome that is labelled wrong before or after the change, with its text."""
    for outcome in outcomes:
        gold, made = outcome.example.gold, outcome.perturbed
        if outcome.clean.labels != gold or _is_wrong(outcome):
            yield {
                "sentence_id": outcome.example.id,
                "seed": outcome.seed,
                **({"about": about(outcome)} if about(outcome) else {}),
                "tokens": outcome.sentence.tokens,
                "spaces": outcome.sentence.spaces,
                "gold": gold,
                **_changed_gold(outcome),
                "clean": outcome.clean.labels,
                "edits": [] if made is None else [edit.to_json() for edit in made.edits],
                "predicted": outcome.prediction.labels,
            }


def line(record: Mapping[str, Any]) -> str:
    """A record as text: the text as it was shown, the labels predicted, then the right ones and what was changed."""
    clean = Sentence(tuple(record["tokens"]), spaces=tuple(record["spaces"]))
    made = apply(clean, [Edit.from_json(edit) for edit in record["edits"]])
    said = [f"right: {in_words(record.get('new_gold', record['gold']))}", *changes(clean, made)]
    asked = f" [{record['about']}]" if "about" in record else ""
    return f"{made.sentence.text}{asked}: {in_words(record['predicted'])}   ({'; '.join(said)})"
