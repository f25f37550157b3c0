"""Entity-level precision, recall and F1, and what a perturbation takes off the F1.

An entity counts as found when its type and both its ends are right, as in the CoNLL-2003 evaluation; sums over types
give micro averages. seqeval gives the same numbers, its 0 for an empty denominator included.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from abalo.core.metrics import Difference, Floats, Metric, Share, column
from abalo.core.outcome import Outcome
from abalo.tasks.tokens.alignment import aligned
from perturbations import Span, entity_spans


def entity_counts(outcomes: Sequence[Outcome], view: str, types: Sequence[str]) -> Floats:
    """Per outcome and type: clean found, clean predicted, gold; then perturbed found, predicted, gold in ``view``.

    Clean counts come from the clean prediction and the original gold, whatever the view.
    """
    table = np.zeros((len(outcomes), len(types), 6))
    column = {kind: k for k, kind in enumerate(types)}
    for row, outcome in enumerate(outcomes):
        assert outcome.sentence.tags is not None
        _count(outcome.sentence.tags, outcome.clean.tags, column, table[row, :, :3])
        if outcome.perturbed is None:
            table[row, :, 3:] = table[row, :, :3]
        else:
            gold, predicted = aligned(outcome.sentence, outcome.perturbed, outcome.prediction.tags, view)
            _count(gold, predicted, column, table[row, :, 3:])
    return table


def _count(gold: tuple[str, ...], predicted: tuple[str, ...], column: dict[str, int], into: Floats) -> None:
    expected, given = entities(gold), entities(predicted)
    for k, counted in enumerate((expected & given, given, expected)):
        for entity in counted:
            into[column[entity.type], k] += 1


@lru_cache(maxsize=2**16)
def entities(tags: tuple[str, ...]) -> frozenset[Span]:
    """The entities in the tags; cached, since gold and clean predictions come back for every seed, view and case."""
    return frozenset(entity_spans(tags))


def f1_of(found: int, predicted: int, gold: int, empty: float = 0.0) -> Share:
    """F1 from the columns named: twice those found over those predicted and gold together, a share of these."""
    return Share(
        lambda sums: 2 * sums[..., found],
        lambda sums: sums[..., predicted] + sums[..., gold],
        empty=empty,
        hit=(2.0, 1.0),
    )


precision = Share(column(3), column(4), empty=0.0)
"""Found over predicted entities, 0 to 1; 0 where none are predicted."""

recall = Share(column(3), column(5), empty=0.0)
"""Found over gold entities, 0 to 1; 0 where there are none."""

f1 = f1_of(3, 4, 5)
"""Harmonic mean of precision and recall, 0 to 1; 0 where nothing is found."""

clean_f1 = f1_of(0, 1, 2)
"""F1 of the clean predictions, 0 to 1."""

f1_drop = Difference(clean_f1, f1)
"""Clean minus perturbed F1, -1 to 1; the ΔF1 of [stage 4, "Metrics"] is its negative."""


METRICS = (
    Metric(
        "precision",
        entity_counts,
        precision,
        of_clean=True,
        more_is_better=True,
        meaning="of the predicted entities, those that are gold",
    ),
    Metric(
        "recall",
        entity_counts,
        recall,
        of_clean=True,
        more_is_better=True,
        hits=True,
        meaning="of the gold entities, those that are predicted",
    ),
    Metric(
        "f1",
        entity_counts,
        f1,
        of_clean=True,
        more_is_better=True,
        title="F1",
        meaning="harmonic mean of precision and recall",
    ),
    Metric(
        "f1_drop",
        entity_counts,
        f1_drop,
        low=-1.0,
        before=clean_f1,
        title="F1 drop over all",
        meaning="clean F1 minus perturbed F1 over all sentences",
    ),
    Metric(
        "f1_changed",
        entity_counts,
        f1,
        changed_only=True,
        more_is_better=True,
        per_group=False,
        title="F1 of changed sentences",
        meaning="F1 over the changed sentences alone",
    ),
    Metric(
        "f1_drop_changed",
        entity_counts,
        f1_drop,
        changed_only=True,
        low=-1.0,
        before=clean_f1,
        title="F1 drop",
        meaning="clean F1 minus perturbed F1 over the changed sentences",
    ),
)
