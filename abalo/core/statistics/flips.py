"""Subsets of few clusters: what a metric is on each of them gives exact intervals, where a bootstrap's are too narrow.

Under a symmetric loss of each cluster, the true loss lies with equal chance between any two neighbours of the losses on
all subsets [Hartigan, JASA 64, 1969: 1303-1317]. A subset is a flip of the signs of its clusters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from abalo.core.records.rounding import ROUNDING
from abalo.core.statistics.metrics import Floats
from abalo.core.statistics.summable import summable

_ALL = 16
"""Up to so many clusters, all subsets."""

_DRAWN = 2**17

_CELLS_AT_ONCE = 2**20

Members = NDArray[np.uint8]


@lru_cache(maxsize=2)
def subsets(clusters: int) -> Members:
    """Which clusters each subset has (subsets × clusters); the first has none."""
    if clusters <= _ALL:
        return ((np.arange(2**clusters)[:, None] >> np.arange(clusters)) & 1).astype(np.uint8)
    generator = np.random.Generator(np.random.PCG64([0, clusters]))
    drawn = generator.integers(2, size=(_DRAWN, clusters), dtype=np.uint8)
    drawn[0] = 0
    return drawn


def values_on_subsets(table: Floats, value: Callable[[Floats], Floats]) -> Floats:
    """The value of the sums of ``table`` (clusters × …) over each subset."""
    members, columns = subsets(len(table)), summable(table.reshape(len(table), -1), len(table))
    at_once = max(1, _CELLS_AT_ONCE // max(1, columns.shape[1]))
    found = []
    for first in range(0, len(members), at_once):
        sums = members[first : first + at_once].astype(columns.dtype) @ columns
        found.append(value(sums.astype(np.float64).reshape(len(sums), *table.shape[1:])))
    return np.concatenate(found)


def parts_of(sizes: Floats) -> Floats:
    """The share of all that is counted that each subset has, from the ``sizes`` of the clusters."""
    return subsets(len(sizes)) @ sizes / max(float(sizes.sum()), ROUNDING)


class Flipped(NamedTuple):
    """A loss with its values on all subsets (NaN without anything to count), and the share of all counts in each."""

    loss: float
    limit: float
    values: Floats
    parts: Floats


class FlipTest(NamedTuple):
    """A one-sided p, and the number of subsets that may lie beyond an end of the interval."""

    p: float
    rank: int

    def low(self, values: Floats) -> float:
        """The lower end, -inf if any may be true."""
        return float(np.partition(np.nan_to_num(values, nan=-np.inf), self.rank)[self.rank])

    def high(self, values: Floats) -> float:
        """The upper end, possibly inf."""
        return -self.low(-values)


def flip_signs(losses: Sequence[Flipped], level: float) -> list[FlipTest]:
    """Tests losses together with the same flips, stepping down [Westfall & Young 1993, 2.6 and 2.8]."""
    if not losses:
        return []
    seen = np.array([each.loss - each.limit for each in losses])
    columns = np.column_stack([_statistics(each) for each in losses])
    spreads = np.maximum(np.sqrt((columns**2).mean(axis=0)), ROUNDING)
    seen, columns = seen / spreads, columns / spreads
    order = np.argsort(-seen, kind="stable")
    largest = np.maximum.accumulate(columns[:, order[::-1]], axis=1)[:, ::-1]
    allowed = int(level * len(columns))
    found: dict[int, FlipTest] = {}
    p, critical, open_still = 0.0, np.inf, True
    for step, which in enumerate(order.tolist()):
        own = largest[:, step]
        p = max(p, float((own >= seen[which] - ROUNDING).mean()))
        if open_still:
            critical = -float(np.partition(-own, allowed)[allowed])
        open_still = open_still and p <= level
        found[which] = FlipTest(p, int((columns[:, which] > critical).sum()))
    return [found[which] for which in range(len(losses))]


def _statistics(each: Flipped) -> Floats:
    """What the excess of the loss is after the signs of a subset are flipped: at least as large if the subset's loss is
    at most the limit.
    """
    excess = each.loss - each.limit
    return np.nan_to_num(excess - 2 * each.parts * (each.values - each.limit), nan=excess)
