"""Metrics: counts that add up over outcomes, and values made of their sums.

Because counts add up, one table per case serves the point estimate and every bootstrap resample: a resample is a
weighted sum of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from abalo.core.example import Outcome

Floats = NDArray[np.float64]

Count = Callable[[Sequence[Outcome], str, Sequence[str]], Floats]
"""``count(outcomes, view, groups)``: an array (outcomes × groups × columns) whose sum over outcomes means something.

The overall numbers are the sums over groups, unless there is one more group, in front, that stands for all.
"""


@dataclass(frozen=True, slots=True)
class Metric:
    """A number made of sums of counts.

    ``value`` maps an array (… × columns) of sums to an array (…). ``changed_only`` counts changed outcomes alone, and
    is NaN where there are none. Metrics with the same ``count`` share one table. The metric has a meaning in ``views``
    alone, in any other it is NaN; empty for all views. It lies between ``low`` and ``high``, both included where they
    are finite. It is measured in cases of the ``probes`` named; empty for all.

    ``given`` metrics are means over the clusters that have something to count, and resampled over these alone. A
    metric ``of_clean`` says something where nothing is perturbed; one that ``compares`` says nothing there. A ``rare``
    metric is a rate of events: where none was seen, its upper end is the largest rate at which that is likely. Of most
    metrics less is better, of some ``more_is_better``. ``before`` is, of a drop, the value that was lost from.
    ``title`` and ``meaning`` say it in words; ``unit`` follows the numbers.
    """

    name: str
    count: Count
    value: Callable[[Floats], Floats]
    changed_only: bool = False
    per_group: bool = True
    views: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0
    probes: tuple[str, ...] = ()
    given: bool = False
    of_clean: bool = False
    compares: bool = False
    rare: bool = False
    more_is_better: bool = False
    before: Callable[[Floats], Floats] | None = None
    title: str = ""
    meaning: str = ""
    unit: Literal["", "‰"] = ""

    def fits(self, probe: str) -> bool:
        """Whether it is measured in cases of the probe."""
        return not self.probes or probe in self.probes

    def meant_in(self, view: str) -> bool:
        """Whether it has a meaning in the view."""
        return not self.views or view in self.views

    @property
    def words(self) -> str:
        """The metric in words, such as ``flip rate``."""
        return self.title or self.name.replace("_", " ")


def sided(table: Floats, outcomes: Sequence[Outcome]) -> Floats:
    """The columns of a table for outcomes inside of a part of the corpus, then the same for those outside."""
    outside = np.array([outcome.outside for outcome in outcomes], dtype=bool)[:, None, None]
    return np.concatenate([np.where(outside, 0, table), np.where(outside, table, 0)], axis=-1)


def ratio(part: Floats, whole: Floats) -> Floats:
    """``part`` over ``whole``; NaN where ``whole`` is 0."""
    return np.divide(part, whole, out=np.full_like(part, np.nan), where=whole > 0)


def share(part: int, whole: int) -> Callable[[Floats], Floats]:
    """The value that divides column ``part`` of the sums by column ``whole``; NaN where that is 0."""
    return lambda sums: ratio(sums[..., part], sums[..., whole])
