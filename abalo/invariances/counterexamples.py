"""Counterexamples as plain JSON values."""

from __future__ import annotations

from abalo.attacks.log import record_of_edits, target_of
from abalo.core.protocols.task import Task
from abalo.core.records.json_records import Json
from abalo.core.records.outcome import Outcome
from abalo.core.records.targets import Target
from abalo.core.statistics.invariance import broken_targets
from abalo.invariances.trial import confidence


def record_of(name: str, invariance: str, outcome: Outcome, task: Task) -> Json:
    """A broken outcome as a regression record; its target has the largest drop in confidence."""
    target = max(broken_targets(outcome), key=lambda each: (_fall(outcome, each), -each.start))
    pair = confidence(outcome, target)
    before, after = outcome.clean, outcome.prediction
    labels = {"clean": target.labels_in(before), "attacked": target.labels_in(after, outcome.perturbed)}
    tagged = hasattr(before, "tags")
    return {
        **record_of_edits(name, task, outcome, target.spans, labels),
        "invariance": invariance,
        "targets": [target_of(each.spans) for each in outcome.invariant],
        "broken": True,
        "predicted": {"clean": before.tags, "perturbed": after.tags} if tagged else None,
        "confidence": None if pair is None else {"before": pair[0], "after": pair[1]},
    }


def _fall(outcome: Outcome, target: Target) -> float:
    pair = confidence(outcome, target)
    return 1.0 if pair is None else pair[0] - pair[1]
