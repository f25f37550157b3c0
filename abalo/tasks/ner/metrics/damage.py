"""Tokens and spans that a perturbation breaks, at the places of the original tokens.

Tokens are judged by their whole label, B- and I- included; a token that is gone counts as ``O``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from abalo.core.metrics import Floats, Metric, share
from abalo.core.outcome import Outcome
from abalo.tasks.ner.metrics.entities import entities
from abalo.tasks.tokens.alignment import aligned
from perturbations import entity_spans

_WAS_RIGHT, _FLIPPED, _SPANS, _MISSED, _TOUCHED = range(5)


def damage_counts(outcomes: Sequence[Outcome], view: str, types: Sequence[str]) -> Floats:
    """Per outcome and gold type, in columns.

    Tokens in gold entities that were right clean, and those of them that are wrong now; gold spans, those not
    recovered exactly, and those with at least one wrong token.
    """
    table = np.zeros((len(outcomes), len(types), 5))
    column = {kind: k for k, kind in enumerate(types)}
    for rows, outcome in zip(table, outcomes, strict=True):
        gold, predicted = aligned(outcome.sentence, outcome.perturbed, outcome.prediction.tags, view)
        found = entities(predicted)
        for span in entity_spans(gold):
            row, wrong = rows[column[span.type]], 0
            for i in range(span.start, span.stop):
                is_wrong = predicted[i] != gold[i]
                wrong += is_wrong
                if outcome.clean.tags[i] == gold[i]:
                    row[_WAS_RIGHT] += 1
                    row[_FLIPPED] += is_wrong
            row[_SPANS] += 1
            row[_MISSED] += span not in found
            row[_TOUCHED] += wrong > 0
    return table


entity_flip_rate = share(_FLIPPED, _WAS_RIGHT)
"""Tokens with gold other than O, right clean and wrong after, over those right clean; NaN where there are none.
[stage 4, "entity_flip_rate"]"""

span_miss_rate = share(_MISSED, _SPANS)
"""Gold spans not recovered exactly, type and both ends, over all gold spans; NaN where there are none.
[stage 4, "span_miss_rate"]"""

span_token_error_rate = share(_TOUCHED, _SPANS)
"""Gold spans with at least one wrong token, over all gold spans; NaN where there are none.
[stage 4, "span_token_error_rate"]"""

METRICS = tuple(
    Metric(
        name,
        damage_counts,
        value,
        views=("projected",),
        compares=name == "entity_flip_rate",
        flips=name == "entity_flip_rate",
        meaning=meaning,
    )
    for name, value, meaning in (
        (
            "entity_flip_rate",
            entity_flip_rate,
            "of the gold entity words that were right on the clean sentence, those that are wrong now",
        ),
        ("span_miss_rate", span_miss_rate, "of the gold entities, those not found with type and both ends right"),
        ("span_token_error_rate", span_token_error_rate, "of the gold entities, those with at least one wrong word"),
    )
)
