"""What a metric is: counts that add up over outcomes, and a value made of their sums.

Because counts add up, one table per case serves the point estimate and every bootstrap resample: a resample is a
weighted sum of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from abalo.discovery import offered
from abalo.outcomes import Outcome
from abalo.tasks.ner import VIEWS, View

Floats = NDArray[np.float64]

Count = Callable[[Sequence[Outcome], View, Sequence[str]], Floats]
"""``count(outcomes, view, types)``: an array (outcomes × types × columns) whose sum over outcomes means something."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A number made of sums of counts.

    ``value`` maps an array (… × columns) of sums to an array (…); sums over types give the overall number.
    ``changed_only`` counts changed outcomes alone, and is NaN where there are none. Metrics with the same ``count``
    share one table. The metric has a meaning in ``views`` alone, in any other it is NaN. It lies between ``low`` and
    ``high``, both included where they are finite. ``searched`` metrics are about attacks that search, ``promised`` ones
    about invariances, ``sliced`` ones about slices, and measured there alone.
    """

    name: str
    count: Count
    value: Callable[[Floats], Floats]
    changed_only: bool = False
    per_type: bool = True
    views: tuple[View, ...] = VIEWS
    low: float = 0.0
    high: float = 1.0
    searched: bool = False
    promised: bool = False
    sliced: bool = False

    def fits(self, *, attack: bool = False, invariance: bool = False, part: bool = False) -> bool:
        """Whether it is measured of an attack that searches, of an invariance, of a slice, or of none of them."""
        return (attack or not self.searched) and (invariance or not self.promised) and (part or not self.sliced)


@cache
def metrics() -> Mapping[str, Metric]:
    """Every metric by name, from the modules of this package in alphabetical order.

    Raises ValueError when two share a name.
    """
    found: dict[str, Metric] = {}
    for module, offer in offered("abalo.metrics", "METRICS"):
        for metric in offer:
            if metric.name in found:
                raise ValueError(f"two metrics are called {metric.name!r}; rename the one in {module}")
            found[metric.name] = metric
    return MappingProxyType(found)


def ratio(part: Floats, whole: Floats) -> Floats:
    """``part`` over ``whole``; NaN where ``whole`` is 0."""
    return np.divide(part, whole, out=np.full_like(part, np.nan), where=whole > 0)


def share(part: int, whole: int) -> Callable[[Floats], Floats]:
    """The value that divides column ``part`` of the sums by column ``whole``; NaN where that is 0."""
    return lambda sums: ratio(sums[..., part], sums[..., whole])
