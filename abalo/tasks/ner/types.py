"""Entity types among outcomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from abalo.core.records.outcome import Outcome
from perturbations import entity_spans


def entity_types(outcomes: Sequence[Outcome]) -> list[str]:
    """All entity types in gold and predictions, sorted."""
    labels: set[str] = set()
    ungrounded: set[str] = set()
    for outcome in outcomes:
        changed = outcome.perturbed.sentence.tags if outcome.perturbed is not None else None
        labels.update(outcome.sentence.tags or (), outcome.clean.tags, outcome.prediction.tags, changed or ())
        ungrounded.update(kind for each in (outcome.clean, outcome.prediction) for _, kind in each.ungrounded if kind)
    return sorted({span.type for span in entity_spans(sorted(labels))} | ungrounded)


def entities_held(outcomes: Sequence[Outcome], groups: Sequence[str]) -> NDArray[np.int64]:
    """Gold entities per clean sentence (outcomes × types)."""
    known: dict[tuple[str, ...], list[int]] = {}
    rows = np.zeros((len(outcomes), len(groups)), dtype=np.int64)
    for row, outcome in enumerate(outcomes):
        tags = outcome.sentence.tags or ()
        if tags not in known:
            counts = Counter(span.type for span in entity_spans(tags))
            known[tags] = [counts[kind] for kind in groups]
        rows[row] = known[tags]
    return rows
