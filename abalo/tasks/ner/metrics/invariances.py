"""How often single edits lose an entity that was found with confidence."""

from __future__ import annotations

from abalo.core.statistics.invariance import invariance_metric

METRICS = (invariance_metric("lose a confidently found entity"),)
