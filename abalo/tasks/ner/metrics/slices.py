"""How much worse a model does on a part of the corpus than on the rest of it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from abalo.core.metrics import Difference, Floats, Metric, sided
from abalo.core.outcome import Outcome
from abalo.tasks.ner.metrics.entities import entity_counts, f1_of


def sided_counts(outcomes: Sequence[Outcome], view: str, types: Sequence[str]) -> Floats:
    """Per outcome and type: found, predicted and gold inside of the slice, then the same outside.

    Outside, only sentences with a gold entity count: a rest without any has no F1 that a slice could be compared with.
    """
    table = sided(entity_counts(outcomes, view, types)[..., 3:], outcomes)
    outside = table[..., 3:]
    outside[outside[..., 2].sum(axis=1) == 0] = 0
    return table


f1_gap = Difference(f1_of(3, 4, 5, math.nan), f1_of(0, 1, 2, math.nan), paired=False)
"""F1 outside of the slice, of sentences with a gold entity, less F1 inside, -1 to 1; NaN where a side has no entity."""


METRICS = (
    Metric(
        "f1_gap",
        sided_counts,
        f1_gap,
        low=-1.0,
        probes=("slice",),
        of_clean=True,
        title="F1 gap",
        meaning="F1 of the sentences with entities outside of the slice minus F1 of those in it",
    ),
)
