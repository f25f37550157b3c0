"""Changes that turn around what a text says: the label need not turn, but the model must not be surer of it.

A negation takes the praise from *the film is good*, and from *the film, which I saw in May, is good* takes it nothing.
So no label can be expected, and a direction can [Ribeiro et al. 2020, CheckList, section 2.2, "DIR"].
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from abalo.core.metrics import Floats, Metric, share
from abalo.core.outcome import Outcome
from abalo.tasks.labels.metrics.confidence import drops

TOLERANCE = 0.1
"""A rise in probability up to this is none [CheckList, section 2.2]."""

TURNS = "turns"

_RIGHT, _STAYED, _JUDGED, _ROSE = range(4)


def is_turned(outcome: Outcome) -> bool:
    """Whether the change turned around what the text says."""
    made = () if outcome.variant is None else outcome.variant.edits.values()
    return any(each.meaning == TURNS for each in made)


def direction_counts(outcomes: Sequence[Outcome], _view: str, labels: Sequence[str]) -> Floats:
    """Per turned outcome and gold label that was predicted on the clean text, in columns.

    1; whether it is predicted still; 1 where the model gives its probability; whether that rose beyond `TOLERANCE`.
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
"""Labels of which the model is surer, over right ones of turned texts, 0 to 1; NaN where there are none."""

unmoved_rate = share(_STAYED, _RIGHT)
"""Labels that are predicted still, over the same."""

METRICS = (
    Metric(
        "wrong_way_rate",
        direction_counts,
        wrong_way_rate,
        compares=True,
        meaning="of the texts labelled right and then turned around, those of whose old label the model is surer by "
        f"more than {TOLERANCE}",
    ),
    Metric(
        "unmoved_rate",
        direction_counts,
        unmoved_rate,
        compares=True,
        meaning="of the texts labelled right and then turned around, those that still get the old label",
    ),
)

DIRECTED = frozenset(metric.name for metric in METRICS)
"""The metrics that say something of such changes."""
