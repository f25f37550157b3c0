"""Texts that a change hurt, or that are labelled wrong as they stand, as plain JSON values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from abalo.core import words
from abalo.core.example import Json
from abalo.core.outcome import Outcome
from abalo.tasks.labels.metrics.confidence import drops, gold_drops
from abalo.tasks.labels.metrics.direction import TOLERANCE, is_turned
from abalo.tasks.labels.metrics.labels import gold_is_known, gold_now
from abalo.tasks.tokens.examples import EXAMPLES, changes, first_edit, touched
from perturbations import Edit, Perturbed, Sentence, apply

SEPARATOR = " | "
"""Stands between labels of one text in words."""

_DECIMALS = 6
"""Those of a loss that count; the others depend on the machine."""


def in_words(labels: Sequence[str]) -> str:
    """The labels as text; ``none`` where there is none."""
    return SEPARATOR.join(labels) or "none"


Displayed = Callable[[Outcome], tuple[Sentence, Perturbed]]
"""The parts of an outcome that are shown: the example as one sentence, and what became of it."""


def worst(outcomes: Sequence[Outcome], displayed: Displayed, *, changed: bool) -> list[Json]:
    """The texts that lost most probability of their gold label, of those labelled wrong, each once.

    With ``changed`` those that a change made wrong, or that it turned around and that the model is surer of now; else
    those that are wrong as they stand.
    """
    found: dict[str, tuple[float, Outcome]] = {}
    for outcome in outcomes:
        loss = round(_loss(outcome), _DECIMALS) if changed else float(_is_wrong(outcome))
        if loss > 0 and loss > found.get(outcome.example.id, (0.0, outcome))[0]:
            found[outcome.example.id] = loss, outcome
    ranked = sorted(found.values(), key=lambda pair: (-pair[0], pair[1].example.id))
    return [_example(loss, outcome, *displayed(outcome)) for loss, outcome in ranked[:EXAMPLES]]


def worst_of(examples: Iterable[Json]) -> list[Json]:
    """Of examples as `worst` gives them, of several parts of a case, those that it gives of all."""
    return sorted(examples, key=lambda each: (-each["lost"], each["sentence_id"]))[:EXAMPLES]


def _is_wrong(outcome: Outcome) -> bool:
    """Whether it is labelled wrong as it stands."""
    return outcome.example.gold is not None and outcome.clean.labels != outcome.example.gold


def _loss(outcome: Outcome) -> float:
    """How bad a change was: 0 for one that did no harm, more where the model is surer of the wrong."""
    gold = outcome.example.gold
    if not outcome.changed or gold is None or outcome.clean.labels != gold:
        return 0.0
    if not gold_is_known(outcome):
        moved = [drop for _, drop in drops(outcome, gold)] if is_turned(outcome) else []
        return -min(moved, default=0.0) if min(moved, default=0.0) < -TOLERANCE else 0.0
    lost = max((drop for _, drop in gold_drops(outcome)), default=0.0)
    return 1 + lost if outcome.prediction.labels != gold_now(outcome) else 0.0


def _example(loss: float, outcome: Outcome, source: Sentence, made: Perturbed) -> Json:
    known = gold_is_known(outcome)
    return {
        "sentence_id": outcome.example.id,
        "seed": outcome.seed,
        "broken": 1,
        "lost": loss,
        "turned": not known and is_turned(outcome),
        "tokens": list(source.tokens),
        "gold": list(outcome.example.gold),
        "new_gold": list(gold_now(outcome)) if known else None,
        "clean": list(outcome.clean.labels),
        "new_tokens": list(made.sentence.tokens),
        "predicted": list(outcome.prediction.labels),
        **_reply(outcome),
        "origins": [list(origin) for origin in made.origins],
        **touched(source, made),
    }


def _reply(outcome: Outcome) -> Json:
    """The text in which a language model answered."""
    reply = outcome.prediction.reply
    return {} if reply is None else {"reply": reply}


def wrong(outcomes: Sequence[Outcome], displayed: Displayed) -> Iterator[Json]:
    """Every outcome that is labelled wrong before or after the change, with its text."""
    for outcome in outcomes:
        gold, known = outcome.example.gold, gold_is_known(outcome)
        if _is_wrong(outcome) or (known and outcome.prediction.labels != gold_now(outcome)):
            source, made = displayed(outcome)
            yield {
                "sentence_id": outcome.example.id,
                "seed": outcome.seed,
                "tokens": source.tokens,
                "spaces": source.spaces,
                "gold": gold_now(outcome) if known else gold,
                "clean": outcome.clean.labels,
                "edits": [edit.to_json() for edit in made.edits],
                "predicted": outcome.prediction.labels,
                **_reply(outcome),
            }


def line(record: Mapping[str, Any]) -> str:
    """A record as text: the text as it was shown, the labels predicted, then the right ones and what was changed."""
    clean = Sentence(tuple(record["tokens"]), spaces=tuple(record["spaces"]))
    made = apply(clean, [Edit.from_json(edit) for edit in record["edits"]])
    said = [f"right: {in_words(record['gold'])}", *changes(clean, made)]
    said += [f"reply: {words.shortened(record['reply'], words.QUOTED)}"] if record.get("reply") is not None else []
    text = words.excerpt(made.sentence.text, first_edit(clean, made))
    return f"{text}: {in_words(record['predicted'])}   ({'; '.join(said)})"
