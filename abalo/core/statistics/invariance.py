"""Invariance under single edits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from abalo.core.records.outcome import Outcome
from abalo.core.records.targets import Target
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.metrics import Floats, Metric, Share, column

_EDITS, _BROKEN = range(2)

BROKEN = "broken"

ASKED = "asked"

ONE_LABEL = "alike"


def impossible(evidence: Evidence) -> str | None:
    """Why no edit could break the invariance, else None."""
    if not len(evidence) or evidence.notes.get(BROKEN):
        return None
    if evidence.notes.get(ONE_LABEL):
        return "the model gives every example the same label"
    return None if evidence.notes.get(ASKED, 1) else "the edits change nothing that the model reads"


def broken_targets(outcome: Outcome) -> list[Target]:
    """The targets that are wrong after the edit."""
    return [target for target in outcome.invariant if not target.holds(outcome.prediction, outcome.perturbed)]


def invariance_counts(outcomes: Sequence[Outcome], _view: str, groups: Sequence[str]) -> Floats:
    """Per outcome: edits, and edits that break a target."""
    table = np.zeros((len(outcomes), 1 + len(groups), 2))
    for rows, outcome in zip(table, outcomes, strict=True):
        if outcome.invariant:
            rows[0] += (1, bool(broken_targets(outcome)))
    return table


violations_per_thousand = Share(column(_BROKEN), column(_EDITS), scale=1000.0)
"""NaN without edits."""


def invariance_metric(meaning: str) -> Metric:
    """The metric; ``meaning`` completes "of 1,000 single edits, how many "."""
    return Metric(
        "violations_per_thousand",
        invariance_counts,
        violations_per_thousand,
        per_group=False,
        high=1000.0,
        probes=("invariance",),
        flips=True,
        title="violations",
        meaning=f"of 1,000 single edits, how many {meaning}",
        unit="of 1,000 edits",
    )
