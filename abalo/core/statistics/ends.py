"""Numbers at the ends of their scale, where a bootstrap has no width or nearly none.

The far end is the number on this evidence after the clusters that matter most got the opposite answer, as many as the
law of a share of clusters allows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from abalo.core.records.rounding import ROUNDING
from abalo.core.statistics import beta
from abalo.core.statistics.few_events import Few, Law
from abalo.core.statistics.metrics import Extremes, Flags, Floats

FEWEST = 10
"""With fewer clusters off an end, the law of the end widens the bootstrap."""

_MOST_STEPS = 256
_CELLS_AT_ONCE = 2**20

_Value = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class EndLaw:
    """The law of a number over ``clusters``.

    ``below`` and ``above``: the number after 0, 1, 2, … more clusters got an answer that lowers or raises it. ``seen``:
    how many had such an answer already. Clopper and Pearson give the number of more [Biometrika 26, 1934: 404-413].
    """

    clusters: int
    below: Floats
    above: Floats
    seen: tuple[int, int]

    def low(self, alpha: float) -> float:
        return self._after(self.below, self.seen[0], alpha)

    def high(self, alpha: float) -> float:
        return self._after(self.above, self.seen[1], alpha)

    def at_most(self, limit: float) -> float:
        return self._chance(self.below <= limit + ROUNDING, self.seen[0])

    def at_least(self, limit: float) -> float:
        return self._chance(self.above >= limit - ROUNDING, self.seen[1])

    def _after(self, steps: Floats, seen: int, alpha: float) -> float:
        share = beta.quantile(1 - alpha, seen + 1, self.clusters - seen) if seen < self.clusters else 1.0
        more = math.ceil(self.clusters * share - ROUNDING) - seen
        return float(steps[min(more, len(steps) - 1)])

    def _chance(self, beyond: Flags, seen: int) -> float:
        if not beyond.any():
            return 0.0
        first = int(beyond.argmax())
        if not first:
            return 1.0
        return 1 - beta.below((first - 1 + seen) / self.clusters, seen + 1, self.clusters - seen)


@dataclass(frozen=True, slots=True, eq=False)
class Wider:
    """The wider of two laws, on each side."""

    first: Law
    second: Law

    def low(self, alpha: float) -> float:
        return min(self.first.low(alpha), self.second.low(alpha))

    def high(self, alpha: float) -> float:
        return max(self.first.high(alpha), self.second.high(alpha))

    def at_most(self, limit: float) -> float:
        return max(self.first.at_most(limit), self.second.at_most(limit))

    def at_least(self, limit: float) -> float:
        return max(self.first.at_least(limit), self.second.at_least(limit))


def few_at_ends(
    value: _Value, rows: Floats, extremes: Extremes, *, drop: bool, more_is_better: bool, gap: bool = False
) -> Few | None:
    """The law of ``value`` over the sums of ``rows``; None unless nearly all clusters are at one end.

    A ``drop`` is best at 0, and as far below as above it. A ``gap`` grows and shrinks by the clusters of either side.
    """
    off_best, off_worst = _off_ends(rows, extremes)
    wrong, right = int(off_best.sum()), int(off_worst.sum())
    if min(wrong, right) >= FEWEST:
        return None
    best, worst = extremes(rows)
    if gap:
        answers, off, seen = (worst, off_best, wrong) if wrong <= right else (best, off_worst, right)
        below, above = (_steps(value, rows, answers, ~off, way) for way in (-1, 1))
        return Few(EndLaw(len(rows), below, above, (seen, seen)), seen)
    number, better = np.array([float(value(rows.sum(axis=0, dtype=np.float64)))]), 1 if more_is_better else -1
    lost = _steps(value, rows, worst, ~off_best, -better) if wrong < FEWEST else number
    won = _steps(value, rows, best, ~off_worst, better) if right < FEWEST else number
    if drop and wrong < FEWEST:
        won, right = 2 * number - lost, wrong
    law = (
        EndLaw(len(rows), lost, won, (wrong, right)) if more_is_better else EndLaw(len(rows), won, lost, (right, wrong))
    )
    return Few(law, min(wrong, right))


def few_at_no_loss(value: _Value, first: Floats, second: Floats, extremes: Extremes) -> Few | None:
    """The law of the difference in ``value`` between two tables; None if many clusters differ."""
    width = first.shape[-1]

    def lost(sums: Floats) -> Floats:
        return value(sums[..., :width]) - value(sums[..., width:])

    def equal_or_worst(rows: Floats) -> tuple[Floats, Floats]:
        before, after = rows[..., :width], rows[..., width:]
        same, worst = (np.concatenate([before, each], axis=-1) for each in (before, extremes(after)[1]))
        return same, worst

    rows = np.concatenate([first, second], axis=-1)
    return few_at_ends(lost, rows, equal_or_worst, drop=True, more_is_better=False)


def _off_ends(rows: Floats, extremes: Extremes) -> tuple[Flags, Flags]:
    """Clusters off the best and off the worst; works in blocks to save memory."""
    at_once, found = max(1, _CELLS_AT_ONCE // max(1, math.prod(rows.shape[1:]))), np.zeros((2, len(rows)), dtype=bool)
    for first in range(0, len(rows), at_once):
        part = rows[first : first + at_once]
        found[:, first : first + at_once] = [_differ(each, part) for each in extremes(part)]
    return found[0], found[1]


def _differ(first: Floats, second: Floats) -> Flags:
    found: Flags = np.any((np.abs(first - second) > ROUNDING).reshape(len(first), -1), axis=1)
    return found


def _steps(value: _Value, rows: Floats, answers: Floats, free: Flags, way: int) -> Floats:
    """The number after 0, 1, 2, … of the ``free`` clusters gave these answers, the costliest first."""
    sums, changes = rows.sum(axis=0, dtype=np.float64), (answers - rows)[free]
    at_once = max(1, _CELLS_AT_ONCE // max(1, sums.size))
    alone = [value(sums + changes[first : first + at_once]) for first in range(0, len(changes), at_once)]
    numbers = np.concatenate([np.zeros(0), *alone])
    order = np.argsort(-way * np.nan_to_num(numbers), kind="stable")[:_MOST_STEPS]
    together = value(sums + np.cumsum(changes[order], axis=0)) if len(order) else np.zeros(0)
    number = float(value(sums))
    path = np.concatenate([[number], np.where(np.isnan(together), number, together)])
    return (np.minimum if way < 0 else np.maximum).accumulate(path)
