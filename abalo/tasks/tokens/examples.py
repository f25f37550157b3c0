"""Sentences that a change hurt, or that are wrong as they stand, as plain JSON values."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from abalo.core import words
from abalo.core.example import Example, Json
from abalo.core.outcome import Outcome, Searched, Tried
from abalo.corpora.examples import TEXT, variant_of
from abalo.models.prediction import Prediction
from abalo.tasks.tokens.alignment import carried
from perturbations import UNLABELLED, Edit, Perturbed, Policy, Sentence, Span, apply, render

EXAMPLES = 10
"""How many sentences a report shows of a case."""


def worst(outcomes: Sequence[Outcome], errors_of: Callable[[Outcome], int]) -> list[Json]:
    """The sentences with most errors, worst first, each distinct one once; none without an error."""
    found: dict[str, tuple[int, Outcome]] = {}
    for outcome in outcomes:
        errors = errors_of(outcome)
        if errors > 0 and errors > found.get(outcome.example.id, (0, outcome))[0]:
            found[outcome.example.id] = (errors, outcome)
    return ranked(found.values())[:EXAMPLES]


def worst_of(examples: Iterable[Json]) -> list[Json]:
    """Of examples as `worst` gives them, of several parts of a case, those that it gives of all."""
    return sorted(examples, key=lambda each: (-each["broken"], each["sentence_id"], each["seed"]))[:EXAMPLES]


def ranked(found: Iterable[tuple[int, Outcome]]) -> list[Json]:
    """Outcomes with their errors as examples, worst first."""
    worst_first = sorted(found, key=lambda pair: (-pair[0], pair[1].example.id, pair[1].seed))
    return [_example(errors, outcome) for errors, outcome in worst_first]


def wrong(outcomes: Sequence[Outcome]) -> Iterator[Json]:
    """Every outcome whose labels are wrong on the clean sentence or on the changed one, with its text."""
    for outcome in outcomes:
        gold, made = outcome.sentence.tags or (), outcome.perturbed
        now = gold if made is None else made.sentence.tags or ()
        if _differ(gold, outcome.clean.tags) or _differ(now, outcome.prediction.tags):
            yield {
                "sentence_id": outcome.example.id,
                "seed": outcome.seed,
                **({"place": outcome.place} if outcome.place else {}),
                "tokens": outcome.sentence.tokens,
                "gold": gold,
                "clean": outcome.clean.tags,
                "edits": [] if made is None else [edit.to_json() for edit in made.edits],
                "predicted": outcome.prediction.tags,
            }


def _differ(gold: Sequence[str], predicted: Sequence[str]) -> bool:
    """Whether a labelled token has another label."""
    return any(tag not in (UNLABELLED, other) for tag, other in zip(gold, predicted, strict=True))


_SEARCHED = Searched(0, 0, spent=False, similarity=math.nan, tried=Tried(0, 0, 0, 0))
"""Stands for a search of which only the end is known."""


def outcome_of(record: Mapping[str, Any], policy: Policy) -> Outcome:
    """The outcome that `wrong` made a record of, without scores and white space.

    Of a search it has the target and what became of it, not the way there.
    """
    targets = _targets(record.get("place", ""))
    clean = Sentence(tuple(record["tokens"]), tuple(record["gold"]), policy=policy)
    example = Example(record["sentence_id"], {TEXT: clean}, record["sentence_id"])
    variant = None
    if record["edits"]:
        variant = variant_of(example, _made(clean, record))
    before, after = (Prediction(tuple(record[name])) for name in ("clean", "predicted"))
    searched = _SEARCHED if targets and variant else None
    return Outcome(example, record["seed"], before, variant, after, targets=targets, searched=searched)


def _targets(place: str) -> tuple[Span, ...]:
    """The target of an attack, by which the units of a sentence are told apart; none of other units."""
    found = re.fullmatch(r"(\d+)-(\d+)-(.+)", place)
    return () if found is None else (Span(int(found[1]), int(found[2]), found[3]),)


def _made(clean: Sentence, record: Mapping[str, Any]) -> Perturbed:
    return apply(clean, [Edit.from_json(edit) for edit in record["edits"]])


def line(record: Mapping[str, Any], policy: Policy) -> str:
    """A record as text in the bracket notation: the labels predicted, then the right ones, then what was changed."""
    clean = Sentence(tuple(record["tokens"]), tuple(record["gold"]), policy=policy)
    made = _made(clean, record)
    predicted = replace(made.sentence, tags=tuple(record["predicted"]))
    pairs = zip(made.sentence.tags or (), predicted.tags or (), strict=True)
    wrong_at = next((place for place, (right, tag) in enumerate(pairs) if right not in (UNLABELLED, tag)), None)
    at = first_edit(clean, made) if wrong_at is None else _share(made.sentence.tokens, wrong_at)
    said = [f"right: {words.excerpt(render(made.sentence), at)}", *changes(clean, made)]
    return f"{words.excerpt(render(predicted), at)}   ({'; '.join(said)})"


def first_edit(clean: Sentence, made: Perturbed) -> float:
    """The place of the first edit, as a share of the changed sentence; 0 without one."""
    changed = touched(clean, made)["edited"]
    return _share(made.sentence.tokens, changed[0]) if changed else 0.0


def _share(tokens: Sequence[str], place: int) -> float:
    """How much of the text stands before a token, 0 to 1."""
    return sum(map(len, tokens[:place])) / max(1, sum(map(len, tokens)))


_CHANGES = 4
"""How many changes of a sentence are named."""


def changes(clean: Sentence, made: Perturbed) -> Iterator[str]:
    """The changes in words, such as ``changed: José → Jose, + aliás, − não``; nothing where there is none."""
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


def _example(errors: int, outcome: Outcome) -> Json:
    source, perturbed = outcome.sentence, outcome.perturbed or apply(outcome.sentence, [])
    target = perturbed.sentence
    return {
        "sentence_id": outcome.example.id,
        "seed": outcome.seed,
        "broken": errors,
        "tokens": list(source.tokens),
        "gold": list(source.tags or ()),
        "clean": list(outcome.clean.tags),
        "new_tokens": list(target.tokens),
        "new_gold": list(target.tags or ()),
        "predicted": list(outcome.prediction.tags),
        "origins": [list(origin) for origin in perturbed.origins],
        **touched(source, perturbed),
        "targets": _places(outcome.targets),
        "new_targets": _places(_moved(outcome, perturbed)),
    }


def touched(source: Sentence, made: Perturbed) -> Json:
    """The places of new tokens that were ``edited`` or inserted, and of old ones that were ``removed``."""
    edited = [
        new
        for new, origin in enumerate(made.origins)
        if len(origin) != 1 or source.tokens[origin[0]] != made.sentence.tokens[new]
    ]
    return {"edited": edited, "removed": [old for old, new in enumerate(made.positions(len(source))) if new is None]}


def _moved(outcome: Outcome, perturbed: Perturbed) -> Sequence[Span]:
    """Where the targets are now: the anchors, or what stands for the one target of a search."""
    if outcome.searched is None:
        return perturbed.sentence.anchors
    return [moved for target in outcome.targets if (moved := carried(perturbed, target)) is not None]


def _places(spans: Sequence[Span]) -> list[list[int | str]]:
    return [[span.start, span.stop, span.type] for span in spans]
