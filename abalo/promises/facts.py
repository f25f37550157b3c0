"""The fields of a result that only promises have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from abalo.promises.counterexamples import record_of
from abalo.promises.trial import Promised


def promise_facts(promised: Promised, *, with_text: bool) -> Mapping[str, Any]:
    """The promise, on how many sentences it was put to the model, and the counterexample that a search found."""
    trial, hunted = promised.trial, promised.hunted
    smallest = None if hunted is None else hunted.smallest
    promise, task = trial.promise, trial.task
    text = promise.said(task)
    return {
        "text": text,
        "sentences": len(trial.examples),
        "searched": None if hunted is None else {"edits": hunted.edits, "stopped": hunted.stopped or None},
        "broken": promised.broken,
        "counterexample": None if smallest is None or not with_text else record_of(promise.name, text, smallest, task),
    }
