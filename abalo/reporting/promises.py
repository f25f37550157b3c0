"""What an invariance adds to its result, and how reports tell of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from abalo.invariances.counterexamples import record_of
from abalo.invariances.trial import Promised
from abalo.reporting import phrases
from abalo.reporting.selection import Json, cases, is_promise
from perturbations import Edit, Sentence, apply, render

TITLE = "Promises about single edits"

NOTES = {
    "broken": "of a thousand edits, those after which an entity is no longer found, its type and both ends right; only "
    "entities count that the model finds on the clean sentence and is sure of",
    "searched": "edits that Hypothesis tried to find the smallest one that breaks the promise, beyond those drawn",
}
"""What the headings mean."""


def promise_facts(promised: Promised, *, with_text: bool) -> Mapping[str, Any]:
    """The promise, on how many sentences it was put to the model, and the counterexample that a search found."""
    trial, hunted = promised.trial, promised.hunted
    smallest = None if hunted is None else hunted.smallest
    invariance = trial.invariance
    return {
        "text": invariance.promise,
        "sentences": len(trial.sentences),
        "searched": None if hunted is None else {"edits": hunted.edits, "stopped": hunted.stopped or None},
        "broken": promised.broken,
        "counterexample": None
        if smallest is None or not with_text
        else record_of(invariance.name, invariance.promise, smallest),
    }


def promises(document: Json) -> list[Json]:
    """The one result to show for each invariance, in document order."""
    return [result for result in cases(document) if is_promise(result)]


def searched(result: Json) -> str:
    """How far the search went, in words."""
    found = result["promise"]["searched"]
    if found is None:
        return phrases.NOTHING
    return phrases.count(found["edits"], "edit") + (f", stopped {found['stopped']}" if found["stopped"] else "")


def marks(counterexample: Json) -> tuple[str, str]:
    """What opens and closes the mark of an edit: « and », or several of them where the text has such itself."""
    made = counterexample["adversarial"]["tokens"]
    text = " ".join([*counterexample["tokens"], *made])
    count = next(n for n in range(1, len(text) + 2) if "«" * n not in text and "»" * n not in text)
    return "«" * count, "»" * count


def shown(counterexample: Json) -> tuple[str, str, str]:
    """The sentence as the model reads it before and after, the edit between `marks`, and what was lost."""
    made = apply(_sentence(counterexample), [Edit.from_json(edit) for edit in counterexample["edits"]])
    touched = {i for edit in made.edits for i in range(edit.start, edit.stop)}
    changed = {new for new, origin in enumerate(made.origins) if not origin or touched.intersection(origin)}
    predicted = counterexample["predicted"]
    signs = marks(counterexample)
    before = _marked(_sentence(counterexample), predicted["clean"], touched, signs)
    after = _marked(made.sentence, predicted["perturbed"], changed, signs)
    return before, after, _loss(counterexample)


def _sentence(counterexample: Json) -> Sentence:
    tokens, tags, spaces = (tuple(counterexample[name]) for name in ("tokens", "tags", "spaces"))
    return Sentence(tokens, tags, spaces)


def _marked(sentence: Sentence, tags: Sequence[str], places: set[int], signs: tuple[str, str]) -> str:
    tokens = tuple(
        signs[0] * (i in places and i - 1 not in places) + token + signs[1] * (i in places and i + 1 not in places)
        for i, token in enumerate(sentence.tokens)
    )
    return render(replace(sentence, tokens=tokens, tags=tuple(tags), anchors=()), spaces=True)


def _loss(counterexample: Json) -> str:
    start, stop, kind = counterexample["target"]
    entity, labels = " ".join(counterexample["tokens"][start:stop]), " ".join(counterexample["labels"]["attacked"])
    sure = counterexample["confidence"]
    fall = f", its labels from {sure['before']:.2f} to {sure['after']:.2f}" if sure else ""
    return f"{entity} {kind} is not found as it was (now {labels}){fall}"
