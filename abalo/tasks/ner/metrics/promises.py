"""How often single edits break a promise that they change no entity.

Counted are edits. One breaks the promise when any entity that it is about, one that the model found and was sure of, is
not found any more: its type and both ends right, where it stands now.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from abalo.core.example import Outcome
from abalo.core.metrics import Floats, Metric, Share, column
from abalo.tasks.tokens.alignment import carried
from perturbations import Span, entity_spans

_EDITS, _BROKEN = range(2)


def promise_counts(outcomes: Sequence[Outcome], _view: str, types: Sequence[str]) -> Floats:
    """Per outcome, in the first type's row: edits that entities should bear, and those that lose one of them."""
    table = np.zeros((len(outcomes), len(types), 2))
    for rows, outcome in zip(table, outcomes, strict=True):
        if outcome.perturbed is not None and outcome.targets:
            rows[0] += (1, bool(lost(outcome)))
    return table


def lost(outcome: Outcome) -> list[Span]:
    """The targets that are no longer found, type and both ends right, where they stand now."""
    found = entity_spans(outcome.prediction.tags)
    return [span for span in outcome.targets if carried(outcome.perturbed, span) not in found]


violations_per_thousand = Share(column(_BROKEN), column(_EDITS), scale=1000.0)
"""Edits that break the promise, in a thousand; NaN where there are none to break it."""


METRICS = (
    Metric(
        "violations_per_thousand",
        promise_counts,
        violations_per_thousand,
        per_group=False,
        high=1000.0,
        probes=("promise",),
        title="violations",
        meaning="of a thousand single edits, those that lose an entity that the model was sure of",
        unit="‰",
    ),
)
