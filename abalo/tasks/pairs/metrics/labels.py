"""Label metrics."""

from __future__ import annotations

from abalo.tasks.labels.metrics import attack, confidence, invariances, labels

METRICS = (*labels.METRICS, *confidence.METRICS, *attack.METRICS, *invariances.METRICS)
