"""How often single edits change a confident answer."""

from __future__ import annotations

from abalo.core.statistics.invariance import invariance_metric

METRICS = (invariance_metric("turn a right, confident answer wrong"),)
