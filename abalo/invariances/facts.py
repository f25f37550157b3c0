"""The fields of a result that only invariances have."""

from __future__ import annotations

from collections.abc import Mapping

from abalo.invariances.counterexamples import record_of
from abalo.invariances.trial import TriedInvariance


def invariance_facts(invariant: TriedInvariance, *, with_text: bool, draws: bool = False) -> Mapping[str, object]:
    """The invariance, its number of sentences, and a counterexample, if any."""
    trial, hunted = invariant.trial, invariant.hunted
    smallest = None if hunted is None else hunted.smallest
    invariance, task = trial.invariance, trial.task
    text = invariance.said(task)
    return {
        "text": text,
        "sentences": len(trial.examples),
        "searched": None if hunted is None else {"edits": hunted.edits, "stopped": hunted.stopped or None},
        "broken": invariant.broken,
        **({"draws": True} if draws else {}),
        "counterexample": None
        if smallest is None or not with_text
        else record_of(invariance.name, text, smallest, task),
    }
