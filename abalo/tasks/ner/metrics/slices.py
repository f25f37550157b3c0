"""How much worse a model does on a slice."""

from __future__ import annotations

import math
from collections.abc import Sequence

from abalo.core.records.outcome import Outcome
from abalo.core.statistics.metrics import Difference, Floats, Metric, split_sides
from abalo.tasks.ner.metrics.entities import entity_counts, f1_of


def sided_counts(outcomes: Sequence[Outcome], view: str, types: Sequence[str]) -> Floats:
    """Found, predicted and gold inside the slice, then outside in sentences with entities, by type."""
    table = split_sides(entity_counts(outcomes, view, types)[..., 3:], outcomes)
    outside = table[..., 3:]
    outside[outside[..., 2].sum(axis=1) == 0] = 0
    return table


f1_gap = Difference(f1_of(3, 4, 5, math.nan), f1_of(0, 1, 2, math.nan), paired=False)


METRICS = (
    Metric(
        "f1_gap",
        sided_counts,
        f1_gap,
        low=-1.0,
        probes=("slice",),
        of_clean=True,
        title="F1 gap",
        meaning="F1 on the sentences with entities outside the slice minus F1 on those in it",
    ),
)
