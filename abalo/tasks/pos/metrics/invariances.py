"""How often single edits change the confident tag of another word."""

from __future__ import annotations

from abalo.core.statistics.invariance import invariance_metric

METRICS = (invariance_metric("turn a right, confident tag of another word wrong"),)
