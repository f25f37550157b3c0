"""Entity-level precision, recall and F1, and how much a perturbation lowers F1.

An entity is found if type and both ends are right, as in CoNLL-2003; values are micro averages and equal seqeval's,
including 0 for an empty denominator.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from abalo.core.records.outcome import Outcome
from abalo.core.statistics.metrics import Difference, Floats, Metric, Share, column
from abalo.models.labelling.prediction import Prediction
from abalo.tasks.tokens.alignment import align_labels
from perturbations import Span, entity_spans

_REMEMBERED = 2**13
"""For how many sentences at most entities are kept: a case asks for the same in each view and metric."""


def entity_counts(outcomes: Sequence[Outcome], view: str, types: Sequence[str]) -> Floats:
    """Found, predicted and gold entities by type, clean, then perturbed in ``view``.

    Entities that a reply names but the sentence lacks are predicted and not found.
    """
    table = np.zeros((len(outcomes), len(types), 6))
    column = {kind: k for k, kind in enumerate(types)}
    for row, outcome in enumerate(outcomes):
        gold, perturbed = outcome.sentence.tags, outcome.perturbed
        assert gold is not None
        _count(gold, outcome.clean, outcome.clean.tags, column, table[row, :, :3])
        if perturbed is None:
            table[row, :, 3:] = table[row, :, :3]
        else:
            after = align_labels(outcome.sentence, perturbed, outcome.prediction.tags, view)
            _count(after[0], outcome.prediction, after[1], column, table[row, :, 3:])
    return table


def _count(
    gold: tuple[str, ...], prediction: Prediction, predicted: tuple[str, ...], column: dict[str, int], into: Floats
) -> None:
    for kind, counts in _tally(gold, predicted):
        into[column[kind]] = counts
    for _, kind in prediction.ungrounded:
        if kind in column:
            into[column[kind], 1] += 1


@lru_cache(_REMEMBERED)
def _tally(gold: tuple[str, ...], predicted: tuple[str, ...]) -> tuple[tuple[str, list[int]], ...]:
    expected, given = entities(gold), entities(predicted)
    counts: dict[str, list[int]] = {}
    for span in given:
        row = counts.setdefault(span.type, [0, 0, 0])
        row[0] += span in expected
        row[1] += 1
    for span in expected:
        counts.setdefault(span.type, [0, 0, 0])[2] += 1
    return tuple(counts.items())


@lru_cache(_REMEMBERED)
def entities(tags: tuple[str, ...]) -> frozenset[Span]:
    """The entities in the tags."""
    return frozenset(entity_spans(tags))


def f1_of(found: int, predicted: int, gold: int, empty: float = 0.0) -> Share:
    """F1 from these columns: 2 found / (predicted + gold)."""
    return Share(
        lambda sums: 2 * sums[..., found],
        lambda sums: sums[..., predicted] + sums[..., gold],
        empty=empty,
        hit=(2.0, 1.0),
    )


precision = Share(column(3), column(4), empty=0.0)

recall = Share(column(3), column(5), empty=0.0)

f1 = f1_of(3, 4, 5)

clean_f1 = f1_of(0, 1, 2)

f1_drop = Difference(clean_f1, f1)
"""The negative of ΔF1 in [stage 4, "Metrics"]."""


METRICS = (
    Metric(
        "precision",
        entity_counts,
        precision,
        of_clean=True,
        more_is_better=True,
        meaning="share of the predicted entities that are correct",
    ),
    Metric(
        "recall",
        entity_counts,
        recall,
        of_clean=True,
        more_is_better=True,
        hits=True,
        meaning="share of the gold entities that are found",
    ),
    Metric(
        "f1",
        entity_counts,
        f1,
        of_clean=True,
        more_is_better=True,
        exact=True,
        by_label=lambda sums: sums[..., 3:6],
        title="F1",
        meaning="harmonic mean of precision and recall",
    ),
    Metric(
        "f1_drop",
        entity_counts,
        f1_drop,
        low=-1.0,
        before=clean_f1,
        title="F1 drop over all sentences",
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
        meaning="F1 on the changed sentences only",
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
