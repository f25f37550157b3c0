"""Gold entities in the perturbed sentence itself [stage 4, "true insertion"].

A gold span moves to its first through last new token, including insertions. Unshifted variants look at old positions,
to show the effect of the shift.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from abalo.core.records.outcome import Outcome
from abalo.core.statistics.metrics import Floats, Metric, mean, share
from abalo.models.labelling.prediction import Scores
from abalo.tasks.ner.metrics.entities import entities
from abalo.tasks.tokens.alignment import carried_all
from perturbations import Span, entity_spans

_SPANS, _CLEAN, _KEPT, _KEPT_UNSHIFTED, _FOUND, _FOUND_UNSHIFTED, _SCORED, _DROP = range(8)


def structure_counts(outcomes: Sequence[Outcome], _view: str, types: Sequence[str]) -> Floats:
    """Gold spans, exact clean, kept, found, scored, and summed losses of mean gold logit, by type.

    Kept and found spans come shifted and unshifted.
    """
    table = np.zeros((len(outcomes), len(types), 8))
    column = {kind: k for k, kind in enumerate(types)}
    for rows, outcome in zip(table, outcomes, strict=True):
        spans = entity_spans(outcome.sentence.tags or ())
        if not spans:
            continue
        before, after = entities(outcome.clean.tags), entities(outcome.prediction.tags)
        found: dict[str, list[float]] = {}
        for span, moved in zip(spans, carried_all(outcome.perturbed, spans), strict=True):
            row = found.setdefault(span.type, [0.0] * 8)
            was, shifted, unshifted = span in before, moved in after, span in after
            row[_SPANS] += 1
            row[_CLEAN] += was
            row[_KEPT] += was and shifted
            row[_KEPT_UNSHIFTED] += was and unshifted
            row[_FOUND] += shifted
            row[_FOUND_UNSHIFTED] += unshifted
            lost = None if moved is None else _logit_loss(outcome, span, moved)
            if lost is not None:
                row[_SCORED] += 1
                row[_DROP] += lost
        for kind, row in found.items():
            rows[column[kind]] = row
    return table


def _logit_loss(outcome: Outcome, span: Span, moved: Span) -> float | None:
    if outcome.scale is None:
        return None
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

entity_retention_rate_unshifted = share(_KEPT_UNSHIFTED, _CLEAN)

entity_recovery_rate = share(_FOUND, _SPANS)

entity_recovery_rate_unshifted = share(_FOUND_UNSHIFTED, _SPANS)

conf_drop_gold_structural = mean(_DROP, _SCORED)

METRICS = (
    Metric(
        "entity_retention_rate",
        structure_counts,
        entity_retention_rate,
        compares=True,
        more_is_better=True,
        views=("structural",),
        meaning=("share of the gold entities found on the clean sentence that are still found at their new position"),
    ),
    Metric(
        "entity_retention_rate_unshifted",
        structure_counts,
        entity_retention_rate_unshifted,
        compares=True,
        more_is_better=True,
        views=("structural",),
        title="entity retention rate (unshifted)",
        meaning="the same, at their old position",
    ),
    Metric(
        "entity_recovery_rate",
        structure_counts,
        entity_recovery_rate,
        more_is_better=True,
        views=("structural",),
        meaning="share of all gold entities that are found at their new position",
    ),
    Metric(
        "entity_recovery_rate_unshifted",
        structure_counts,
        entity_recovery_rate_unshifted,
        more_is_better=True,
        views=("structural",),
        title="entity recovery rate (unshifted)",
        meaning="the same, at their old position",
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
        meaning="drop in the score of the gold label at its new position, mean over gold entities, in logits",
    ),
)
