"""A counterexample as plain JSON values, complete enough to show it and to try it again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from abalo.attacks.log import seen_record, target_of
from abalo.core.outcome import Outcome
from abalo.core.promised import lost
from abalo.core.targets import Target
from abalo.core.task import Task
from abalo.promises.trial import confidence


def record_of(name: str, promise: str, outcome: Outcome, task: Task) -> Mapping[str, Any]:
    """An outcome that broke the promise ``name``, as a record of a regression corpus with more fields for reports.

    The target is the one that lost most confidence of those that are lost. ``predicted`` are the labels of all tokens
    before and after; None where the model labels no tokens.
    """
    target = max(lost(outcome), key=lambda each: (_fall(outcome, each), -each.start))
    pair = confidence(outcome, target)
    before, after = outcome.clean, outcome.prediction
    labels = {"clean": target.labels_in(before), "attacked": target.labels_in(after, outcome.perturbed)}
    tagged = hasattr(before, "tags")
    return {
        **seen_record(name, task, outcome, target.spans, labels),
        "promise": promise,
        "targets": [target_of(each.spans) for each in outcome.promised],
        "broken": True,
        "predicted": {"clean": before.tags, "perturbed": after.tags} if tagged else None,
        "confidence": None if pair is None else {"before": pair[0], "after": pair[1]},
    }


def _fall(outcome: Outcome, target: Target) -> float:
    pair = confidence(outcome, target)
    return 1.0 if pair is None else pair[0] - pair[1]
