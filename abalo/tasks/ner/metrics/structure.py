"""Gold entities in the perturbed sentence itself, with nothing projected [stage 4, "true insertion"].

A gold span is carried along by the origins: from the first to the last new token that stands for one of its own,
whatever was inserted between included. Unshifted, it is looked for at its old positions, where after an insertion
other tokens stand; that says how much of a low retention is the ruler.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from abalo.core.metrics import Floats, Metric, mean, share
from abalo.core.outcome import Outcome
from abalo.models.prediction import Scores
from abalo.tasks.ner.metrics.entities import entities
from abalo.tasks.tokens.alignment import carried
from perturbations import Span, entity_spans

_SPANS, _CLEAN, _KEPT, _KEPT_UNSHIFTED, _FOUND, _FOUND_UNSHIFTED, _SCORED, _DROP = range(8)


def structure_counts(outcomes: Sequence[Outcome], _view: str, types: Sequence[str]) -> Floats:
    """Per outcome and gold type, in columns.

    Gold spans; those exact clean, those exact clean and after, and the same unshifted; those exact after, and the same
    unshifted; those with a score before and after, and the sum over them of what their mean gold logit lost.
    """
    table = np.zeros((len(outcomes), len(types), 8))
    column = {kind: k for k, kind in enumerate(types)}
    for rows, outcome in zip(table, outcomes, strict=True):
        before, after = entities(outcome.clean.tags), entities(outcome.prediction.tags)
        for span in entity_spans(outcome.sentence.tags or ()):
            row, moved = rows[column[span.type]], carried(outcome.perturbed, span)
            was, shifted, unshifted = span in before, moved in after, span in after
            row[: _FOUND_UNSHIFTED + 1] += (1, was, was and shifted, was and unshifted, shifted, unshifted)
            lost = None if moved is None else _lost(outcome, span, moved)
            if lost is not None:
                row[_SCORED] += 1
                row[_DROP] += lost
    return table


def _lost(outcome: Outcome, span: Span, moved: Span) -> float | None:
    """Mean gold logit over the span minus that over the carried one; None where a label has no score."""
    before = _mean_logit(outcome, outcome.clean.scores, outcome.sentence.tags or (), span)
    new_gold = outcome.sentence.tags if outcome.perturbed is None else outcome.perturbed.sentence.tags
    after = _mean_logit(outcome, outcome.prediction.scores, new_gold or (), moved)
    return None if before is None or after is None else before - after


def _mean_logit(outcome: Outcome, scores: Scores | None, gold: Sequence[str], span: Span) -> float | None:
    if outcome.scale is None or scores is None:
        return None
    labels = [outcome.scale.column(tag) for tag in gold[span.start : span.stop]]
    if -1 in labels:
        return None
    logits = [float(scores[place, label]) for place, label in enumerate(labels, start=span.start)]
    return sum(logits) / len(logits)


entity_retention_rate = share(_KEPT, _CLEAN)
"""Gold spans exact clean and exact after, over gold spans exact clean; NaN where there are none."""

entity_retention_rate_unshifted = share(_KEPT_UNSHIFTED, _CLEAN)
"""The same with positions not moved."""

entity_recovery_rate = share(_FOUND, _SPANS)
"""Gold spans exact after, over all gold spans; NaN where there are none."""

entity_recovery_rate_unshifted = share(_FOUND_UNSHIFTED, _SPANS)
"""The same with positions not moved."""

conf_drop_gold_structural = mean(_DROP, _SCORED)
"""Mean over gold spans of the mean gold logit over the span, clean, minus that over the carried span; NaN where no span
has both."""

METRICS = (
    Metric(
        "entity_retention_rate",
        structure_counts,
        entity_retention_rate,
        compares=True,
        more_is_better=True,
        views=("structural",),
        meaning="of the gold entities found on the clean sentence, those still found where they stand now",
    ),
    Metric(
        "entity_retention_rate_unshifted",
        structure_counts,
        entity_retention_rate_unshifted,
        compares=True,
        more_is_better=True,
        views=("structural",),
        title="entity retention rate (unshifted)",
        meaning="the same, looked for where they stood before",
    ),
    Metric(
        "entity_recovery_rate",
        structure_counts,
        entity_recovery_rate,
        more_is_better=True,
        views=("structural",),
        meaning="of all gold entities, those found where they stand now",
    ),
    Metric(
        "entity_recovery_rate_unshifted",
        structure_counts,
        entity_recovery_rate_unshifted,
        more_is_better=True,
        views=("structural",),
        title="entity recovery rate (unshifted)",
        meaning="the same, looked for where they stood before",
    ),
    Metric(
        "conf_drop_gold_structural",
        structure_counts,
        conf_drop_gold_structural,
        compares=True,
        views=("structural",),
        low=-math.inf,
        high=math.inf,
        title="confidence drop (gold label, structural)",
        meaning="loss of the gold label where it stands now, mean over gold entities, in logits",
    ),
)
