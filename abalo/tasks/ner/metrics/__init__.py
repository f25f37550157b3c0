"""From outcomes to numbers, one module each. A module that names its metrics in ``METRICS`` is found by itself."""

from abalo.core.metrics import Metric, metrics

__all__ = ["Metric", "metrics"]
