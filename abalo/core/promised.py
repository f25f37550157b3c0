"""Promises that single edits break nothing that a model is sure of: what an edit breaks, and how often any does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from abalo.core.evidence import Evidence
from abalo.core.metrics import Floats, Metric, Share, column
from abalo.core.outcome import Outcome
from abalo.core.targets import Target

_EDITS, _BROKEN = range(2)

BROKEN = "broken"
"""The note that says whether an edit broke the promise, drawn or searched for."""

ASKED = "asked"
"""The note that says how many edited inputs the model was asked about."""

ONE_LABEL = "alike"
"""The note that a model labels all examples alike, though gold does not."""


def impossible(evidence: Evidence) -> str | None:
    """Why no edit could break the promise, so that nothing is judged; None if one could, or if none is promised."""
    if not len(evidence) or evidence.notes.get(BROKEN):
        return None
    if evidence.notes.get(ONE_LABEL):
        return "the model gives every example the same label"
    return None if evidence.notes.get(ASKED, 1) else "the edits change nothing that this model reads"


def lost(outcome: Outcome) -> list[Target]:
    """The targets of a promise that are not right any more after the edit."""
    return [target for target in outcome.promised if not target.holds(outcome.prediction, outcome.perturbed)]


def promise_counts(outcomes: Sequence[Outcome], _view: str, groups: Sequence[str]) -> Floats:
    """Per outcome, overall alone: edits that targets should bear, and those that break one of them."""
    table = np.zeros((len(outcomes), 1 + len(groups), 2))
    for rows, outcome in zip(table, outcomes, strict=True):
        if outcome.promised:
            rows[0] += (1, bool(lost(outcome)))
    return table


violations_per_thousand = Share(column(_BROKEN), column(_EDITS), scale=1000.0)
"""Edits that break the promise, in a thousand; NaN where there are none to break it."""


def promise_metric(meaning: str) -> Metric:
    """The metric of promises in a task; ``meaning`` goes on after "of a thousand single edits, "."""
    return Metric(
        "violations_per_thousand",
        promise_counts,
        violations_per_thousand,
        per_group=False,
        high=1000.0,
        probes=("promise",),
        flips=True,
        title="violations",
        meaning=f"of a thousand single edits, {meaning}",
        unit="‰",
    )
