"""Edits that reverse what a text says: confidence in its label must not rise.

*The film is good* loses its praise if negated, *the film, which I saw in May, is good* does not. The label is unknown,
but the direction is not [Ribeiro et al. 2020, CheckList, section 2.2, "DIR"].
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from abalo.core.records.outcome import Outcome
from abalo.core.statistics.metrics import Floats, Metric, share
from abalo.tasks.labels.metrics.confidence import drops

TOLERANCE = 0.1
"""Smaller rises in probability are ignored [CheckList, section 2.2]."""

TURNS = "turns"

_RIGHT, _STAYED, _JUDGED, _ROSE = range(4)


def is_turned(outcome: Outcome) -> bool:
    """True if the change reversed the text."""
    made = () if outcome.variant is None else outcome.variant.edits.values()
    return any(each.meaning == TURNS for each in made)


def direction_counts(outcomes: Sequence[Outcome], _view: str, labels: Sequence[str]) -> Floats:
    """Reversed outcomes by label predicted on the clean text.

    Columns: 1, predicted again, has a probability, rose beyond `TOLERANCE`.
    """
    table = np.zeros((len(outcomes), len(labels), 4))
    places = {label: k for k, label in enumerate(labels)}
    for rows, outcome in zip(table, outcomes, strict=True):
        if not is_turned(outcome):
            continue
        right = [label for label in outcome.example.gold if label in outcome.clean.labels]
        for label in right:
            rows[places[label], :_JUDGED] = 1, label in outcome.prediction.labels
        for label, drop in drops(outcome, right):
            rows[places[label], _JUDGED:] = 1, -drop > TOLERANCE
    return table


wrong_way_rate = share(_ROSE, _JUDGED)

unmoved_rate = share(_STAYED, _RIGHT)

METRICS = (
    Metric(
        "wrong_way_rate",
        direction_counts,
        wrong_way_rate,
        compares=True,
        meaning=(
            "share of the correctly labelled examples for which the probability of the old label rises by more "
            f"than {TOLERANCE} after an edit that reverses their meaning"
        ),
    ),
    Metric(
        "unmoved_rate",
        direction_counts,
        unmoved_rate,
        compares=True,
        meaning=(
            "share of the correctly labelled examples that keep their label after an edit that reverses their meaning"
        ),
    ),
)

DIRECTED = frozenset(metric.name for metric in METRICS)
