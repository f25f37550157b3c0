"""The metrics of labels, those of all tasks that have some."""

from __future__ import annotations

from abalo.tasks.labels.metrics import attack, confidence, labels, promises

METRICS = (*labels.METRICS, *confidence.METRICS, *attack.METRICS, *promises.METRICS)
