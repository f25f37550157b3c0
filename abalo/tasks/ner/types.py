"""Entity types among outcomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from abalo.core.outcome import Outcome
from perturbations import entity_spans


def entity_types(outcomes: Sequence[Outcome]) -> list[str]:
    """The entity types in gold, before and after, and in any prediction, sorted."""
    labels: set[str] = set()
    for outcome in outcomes:
        changed = outcome.perturbed.sentence.tags if outcome.perturbed is not None else None
        labels.update(outcome.sentence.tags or (), outcome.clean.tags, outcome.prediction.tags, changed or ())
    return sorted({span.type for span in entity_spans(sorted(labels))})


def entities_held(outcomes: Sequence[Outcome], groups: Sequence[str]) -> NDArray[np.int64]:
    """Gold entities of each type in the clean sentence of each outcome (outcomes × types)."""
    known: dict[tuple[str, ...], list[int]] = {}
    rows = np.zeros((len(outcomes), len(groups)), dtype=np.int64)
    for row, outcome in enumerate(outcomes):
        tags = outcome.sentence.tags or ()
        if tags not in known:
            counts = Counter(span.type for span in entity_spans(tags))
            known[tags] = [counts[kind] for kind in groups]
        rows[row] = known[tags]
    return rows
