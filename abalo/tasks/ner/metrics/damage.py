"""Broken tokens and spans, at original places.

Tokens are compared by full label; a deleted one is ``O``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from abalo.core.records.outcome import Outcome
from abalo.core.statistics.metrics import Floats, Metric, share
from abalo.tasks.ner.metrics.entities import entities
from abalo.tasks.tokens.alignment import align_labels, labelled_answers
from perturbations import entity_spans

_WAS_RIGHT, _FLIPPED, _SPANS, _MISSED, _TOUCHED = range(5)


def damage_counts(outcomes: Sequence[Outcome], view: str, types: Sequence[str]) -> Floats:
    """Right entity tokens, flipped ones, spans, missed and touched spans, by gold type."""
    table = np.zeros((len(outcomes), len(types), 5))
    column = {kind: k for k, kind in enumerate(types)}
    for rows, outcome in zip(table, outcomes, strict=True):
        gold, predicted = align_labels(outcome.sentence, outcome.perturbed, outcome.prediction.tags, view)
        for kind, row in _damage(gold, outcome.clean.tags, predicted):
            rows[column[kind]] = row
    return table


@lru_cache(2**13)
def _damage(
    gold: tuple[str, ...], clean: tuple[str, ...], predicted: tuple[str, ...]
) -> tuple[tuple[str, list[int]], ...]:
    kept, found = entities(predicted), dict[str, list[int]]()
    for span in entity_spans(gold):
        row, wrong = found.setdefault(span.type, [0] * 5), 0
        for i in range(span.start, span.stop):
            is_wrong = predicted[i] != gold[i]
            wrong += is_wrong
            if clean[i] == gold[i]:
                row[_WAS_RIGHT] += 1
                row[_FLIPPED] += is_wrong
        row[_SPANS] += 1
        row[_MISSED] += span not in kept
        row[_TOUCHED] += wrong > 0
    return tuple(found.items())


entity_flip_rate = share(_FLIPPED, _WAS_RIGHT)
"""[stage 4, "entity_flip_rate"]"""

span_miss_rate = share(_MISSED, _SPANS)
"""[stage 4, "span_miss_rate"]"""

span_token_error_rate = share(_TOUCHED, _SPANS)
"""[stage 4, "span_token_error_rate"]"""

METRICS = tuple(
    Metric(
        name,
        damage_counts,
        value,
        views=("projected",),
        compares=name == "entity_flip_rate",
        flips=name == "entity_flip_rate",
        outputs=labelled_answers if name == "entity_flip_rate" else None,
        meaning=meaning,
    )
    for name, value, meaning in (
        (
            "entity_flip_rate",
            entity_flip_rate,
            "share of the words of gold entities that were labelled correctly on the clean sentence and are wrong now",
        ),
        (
            "span_miss_rate",
            span_miss_rate,
            "share of the gold entities that are not found with the right type, start and end",
        ),
        ("span_token_error_rate", span_token_error_rate, "share of the gold entities with at least one wrong word"),
    )
)
