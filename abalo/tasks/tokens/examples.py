"""Sentences that a change hurt, or that are labelled wrong, as JSON values."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from abalo.core.documents.found import WrongUnit
from abalo.core.protocols.task_report import EXAMPLES
from abalo.core.records import words
from abalo.core.records.example import Example, JsonObject
from abalo.core.records.outcome import Outcome, Searched, Tried, reply_of
from abalo.corpora.examples import TEXT, variant_of
from abalo.models.labelling.prediction import Prediction
from abalo.tasks.tokens.alignment import carry_span
from perturbations import UNLABELLED, Perturbed, Policy, Sentence, Span, render

N = TypeVar("N", int, float)


def worst(outcomes: Sequence[Outcome], errors_of: Callable[[Outcome], int]) -> list[JsonObject]:
    """The distinct sentences with most errors."""
    return [_example(*pair) for pair in worst_of_each((errors_of(outcome), outcome) for outcome in outcomes)]


def worst_of_each(found: Iterable[tuple[N, Outcome]]) -> list[tuple[N, Outcome]]:
    """The worst outcomes first, each example once."""
    worst: dict[str, tuple[N, Outcome]] = {}
    for loss, outcome in found:
        if loss > 0 and (outcome.example.id not in worst or loss > worst[outcome.example.id][0]):
            worst[outcome.example.id] = loss, outcome
    return worst_first(worst.values())[:EXAMPLES]


def worst_first(found: Iterable[tuple[N, Outcome]]) -> list[tuple[N, Outcome]]:
    """The outcomes by their losses, the largest first."""
    return sorted(found, key=lambda pair: (-pair[0], pair[1].example.id, pair[1].seed))


def rank_examples(found: Iterable[tuple[int, Outcome]]) -> list[JsonObject]:
    """Outcomes as examples, worst first."""
    return [_example(*pair) for pair in worst_first(found)]


def wrong(outcomes: Sequence[Outcome]) -> Iterator[JsonObject]:
    """Every outcome with wrong labels before or after the change."""
    for outcome in outcomes:
        gold, made = outcome.sentence.tags or (), outcome.perturbed
        now = gold if made is None else made.sentence.tags or ()
        if _differ(gold, outcome.clean.tags) or _differ(now, outcome.prediction.tags):
            yield {
                **unit_of(outcome, outcome.sentence, outcome.made),
                **({"place": outcome.place} if outcome.place else {}),
                "gold": gold,
                "clean": outcome.clean.tags,
                "predicted": outcome.prediction.tags,
                **reply_of(outcome.prediction),
            }


def unit_of(outcome: Outcome, source: Sentence, made: Perturbed) -> JsonObject:
    """The fields of a record in every task."""
    edits = [edit.to_json() for edit in made.edits]
    return {"sentence_id": outcome.example.id, "seed": outcome.seed, "tokens": source.tokens, "edits": edits}


def _differ(gold: Sequence[str], predicted: Sequence[str]) -> bool:
    return gold != predicted and any(tag not in (UNLABELLED, other) for tag, other in zip(gold, predicted, strict=True))


_SEARCHED = Searched(0, 0, spent=False, similarity=math.nan, tried=Tried(0, 0, 0, 0))


def outcome_of(record: WrongUnit, policy: Policy) -> Outcome:
    """The outcome of a `wrong` record, without scores, white space and steps of a search."""
    targets = _targets(record.place)
    clean = Sentence(record.words, tuple(record.gold), policy=policy)
    example = Example(record.sentence_id, {TEXT: clean}, record.sentence_id)
    variant = None
    if record.edits:
        variant = variant_of(example, record.change(clean))
    before = Prediction(tuple(record.clean))
    after = Prediction(tuple(record.predicted), reply=record.reply, answered=not record.unreadable)
    searched = _SEARCHED if targets and variant else None
    return Outcome(example, record.seed, before, variant, after, targets=targets, searched=searched)


def _targets(place: str) -> tuple[Span, ...]:
    found = re.fullmatch(r"(\d+)-(\d+)-(.+)", place)
    return () if found is None else (Span(int(found[1]), int(found[2]), found[3]),)


def line(record: WrongUnit, policy: Policy) -> str:
    """A record in bracket notation."""
    clean = Sentence(record.words, tuple(record.gold), policy=policy)
    made = record.change(clean)
    predicted = replace(made.sentence, tags=tuple(record.predicted))
    pairs = zip(made.sentence.tags or (), predicted.tags or (), strict=True)
    wrong_at = next((place for place, (right, tag) in enumerate(pairs) if right not in (UNLABELLED, tag)), None)
    at = first_edit(clean, made) if wrong_at is None else _share(made.sentence.tokens, wrong_at)
    said = [f"right: {words.excerpt(render(made.sentence), at)}", *changes(clean, made), *record.replied]
    return f"{words.excerpt(render(predicted), at)}   ({'; '.join(said)})"


def first_edit(clean: Sentence, made: Perturbed) -> float:
    """The relative place of the first edit; 0 without edits."""
    changed = _edited_tokens(clean, made)
    return _share(made.sentence.tokens, changed[0]) if changed else 0.0


def _share(tokens: Sequence[str], place: int) -> float:
    return sum(map(len, tokens[:place])) / max(1, sum(map(len, tokens)))


_CHANGES = 4


def changes(clean: Sentence, made: Perturbed) -> Iterator[str]:
    """The edits, such as ``changed: José → Jose, + aliás, − não``."""
    now = made.positions(len(clean))
    found: dict[tuple[int, int], str] = {}
    for edit in made.edits:
        before = " ".join(clean.tokens[edit.start : edit.stop])
        after = " ".join(edit.tokens)
        place = now[edit.start] if edit.chars is not None else None
        if place is not None:  # of a word, perhaps with other edits in it
            after = made.sentence.tokens[place]
        said = f"{before} → {after}" if before and after else f"+ {after}" if after else f"− {before}"
        found.setdefault((edit.start, edit.stop) if before else (edit.start, -len(found)), said)
    shown = [*found.values()]
    if shown:
        more = f" and {len(shown) - _CHANGES} more" if len(shown) > _CHANGES else ""
        yield f"changed: {', '.join(shown[:_CHANGES])}{more}"


def _example(errors: int, outcome: Outcome) -> JsonObject:
    source, made = outcome.sentence, outcome.made
    return {
        **example_of(outcome, source, made, errors),
        "gold": list(source.tags or ()),
        "clean": list(outcome.clean.tags),
        "new_gold": list(made.sentence.tags or ()),
        "predicted": list(outcome.prediction.tags),
        **reply_of(outcome.prediction),
        "targets": _places(outcome.targets),
        "new_targets": _places(_moved_targets(outcome, made)),
    }


def example_of(outcome: Outcome, source: Sentence, made: Perturbed, errors: int) -> JsonObject:
    """The fields of an example in every task."""
    return {
        "sentence_id": outcome.example.id,
        "seed": outcome.seed,
        **changed_words(source, made, errors),
    }


def changed_words(source: Sentence, made: Perturbed, errors: int) -> JsonObject:
    """The fields on errors and words of an example."""
    return {
        "broken": errors,
        "tokens": list(source.tokens),
        "new_tokens": list(made.sentence.tokens),
        "origins": [list(origin) for origin in made.origins],
        "edited": _edited_tokens(source, made),
        "removed": [old for old, new in enumerate(made.positions(len(source))) if new is None],
    }


def _edited_tokens(source: Sentence, made: Perturbed) -> list[int]:
    return [
        new
        for new, origin in enumerate(made.origins)
        if len(origin) != 1 or source.tokens[origin[0]] != made.sentence.tokens[new]
    ]


def _moved_targets(outcome: Outcome, perturbed: Perturbed) -> Sequence[Span]:
    if outcome.searched is None:
        return perturbed.sentence.anchors
    return [moved for target in outcome.targets if (moved := carry_span(perturbed, target)) is not None]


def _places(spans: Sequence[Span]) -> list[list[int | str]]:
    return [[span.start, span.stop, span.type] for span in spans]
