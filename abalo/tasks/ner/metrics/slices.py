"""How much worse a model does on a part of the corpus than on the rest of it."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.core.example import Outcome
from abalo.core.metrics import Floats, Metric, ratio, sided
from abalo.tasks.ner.metrics.entities import entity_counts


def sided_counts(outcomes: Sequence[Outcome], view: str, types: Sequence[str]) -> Floats:
    """Per outcome and type: found, predicted and gold inside of the slice, then the same outside."""
    return sided(entity_counts(outcomes, view, types)[..., 3:], outcomes)


def f1_gap(sums: Floats) -> Floats:
    """F1 outside of the slice less F1 inside, -1 to 1; NaN where a side has no entity, in gold or predicted."""
    inside, outside = (
        ratio(2 * sums[..., found], sums[..., predicted] + sums[..., gold])
        for found, predicted, gold in ((0, 1, 2), (3, 4, 5))
    )
    return outside - inside


METRICS = (
    Metric(
        "f1_gap",
        sided_counts,
        f1_gap,
        low=-1.0,
        probes=("slice",),
        of_clean=True,
        title="F1 gap",
        meaning="F1 of all sentences outside of the slice minus F1 of those in it",
    ),
)
