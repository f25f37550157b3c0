"""Losses that are tested together: each with an interval and a state, corrected for the others.

A loss is how much worse one run is than another by some number of the same examples. All losses of a family are
resampled together, over the same clusters, so that the correction knows that they are correlated.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Literal, get_args

import numpy as np

from abalo.core.few_events import FEWEST, Few
from abalo.core.gate import Gate
from abalo.core.metrics import Floats
from abalo.core.pairing import Pairing
from abalo.core.plan import Waiver
from abalo.core.rounding import ROUNDING
from abalo.core.sequential import FINEST
from abalo.core.statistics import FEWEST_CLUSTERS, UNDEFINED, Estimate, bootstrap
from abalo.core.verdicts import POWER

State = Literal[
    "regressed", "can't tell", "not comparable", "accepted", "no worse", "improved", "identical", "too few changed"
]
"""From worst to best; the last says nothing of a run."""

STATES: tuple[State, ...] = get_args(State)


@dataclass(frozen=True, slots=True)
class Loss:
    """The loss of a case, or of one group in it, against the reference, and whether that is too much.

    ``new`` and ``reference`` are the metric in both runs. ``loss`` has the interval after correction, by which the
    ``state`` is told: *regressed* beyond the ``limit``, *improved* below 0, *no worse* within the limit, else *can't
    tell*. A ``waiver`` raises the limit above the ``usual`` one: then *no worse* is within the usual limit, and
    *accepted* is within the raised one alone. ``p`` is one-sided, of the limit holding, corrected; None where nothing
    was tested. ``discordant`` is how many of the ``loss.n`` clusters differ between the runs. ``sight`` is the smallest
    loss that would be told from the limit with a power of 80 %; NaN where it is not known. ``case`` is empty for the
    mean over cases. A mean that regressed only ``because_of`` some cases is within its limit without them, and they
    regressed themselves. ``weight`` is that in the mean, 0 to 1. ``level`` is the one-sided level that p was compared
    with, 0 if nothing may be decided; NaN if nothing was tested.
    """

    case: str
    group: str | None
    metric: str
    limit: float
    state: State
    by: Pairing | None = None
    new: float = math.nan
    reference: float = math.nan
    loss: Estimate = UNDEFINED
    p: float | None = None
    sight: float = math.nan
    discordant: int = 0
    share: float = 0.0
    blocking: bool = True
    reason: str = ""
    waiver: Waiver | None = None
    because_of: tuple[str, ...] = ()
    weight: float = 0.0
    usual: float = math.inf
    level: float = math.nan


@dataclass(frozen=True, slots=True, eq=False)
class Hypothesis:
    """A loss that is not judged yet, with its resampled values; without these where it needs no test.

    ``few`` is the law of a loss that few clusters show, so that resampled values say too little. No loss is larger than
    ``most``, the width of the range of the metric. A loss of ``too_few`` clusters can only be *regressed*, by its law,
    or *too few changed*.
    """

    loss: Loss
    draws: Floats | None = None
    few: Few | None = None
    most: float = math.inf
    too_few: bool = False


class Draws:
    """Resampled sums over the clusters of all cases, so that a resample is the same for all of them."""

    def __init__(self, clusters: Sequence[str], resamples: int) -> None:
        self._place = {cluster: row for row, cluster in enumerate(clusters)}
        self._resamples = resamples

    def zeros(self) -> Floats:
        """A number for each cluster of all cases."""
        return np.zeros(len(self._place))

    def rows(self, clusters: Sequence[str]) -> list[int]:
        """The places of clusters among those of all cases."""
        return [self._place[cluster] for cluster in clusters]

    def sums(self, clusters: Sequence[str], table: Floats) -> Floats:
        """Sums over the clusters of each resample (resamples × …) of a table (clusters × …)."""
        placed = np.zeros((len(self._place), *table.shape[1:]))
        placed[self.rows(clusters)] = table
        return bootstrap(len(self._place), self._resamples).sums(placed)


def judged(tests: Sequence[Hypothesis], level: float, alone: float, gate: Gate) -> list[Loss]:
    """The losses with intervals and states; those that can stop a release are corrected for each other at the level.

    Losses that vary enough are corrected together, step by step; each of the others has its Bonferroni share. Without
    correction, and where they stop nothing, losses are judged at the level ``alone``. A level of 0 decides nothing.
    """
    if level <= 0 and gate.correction != "none":
        found = judged(tests, FINEST, alone, gate)
        return [_undecided(test, loss) if loss.blocking else loss for test, loss in zip(tests, found, strict=True)]
    losses = [test.loss for test in tests]
    asked = [which for which, test in enumerate(tests) if test.draws is not None]
    corrected = [which for which in asked if losses[which].blocking and gate.correction != "none"]
    together = [which for which in corrected if _varies(tests[which])]
    for which in asked:
        own = level / len(corrected) if which in corrected else alone
        if not _varies(tests[which]):
            losses[which] = _by_law(tests[which], own)
        elif which not in together:
            ((p, reach),) = _step_down([tests[which]], own)
            losses[which] = _decided(tests[which], p, reach, own)
    own = level * len(together) / max(1, len(corrected))
    for which, (p, reach) in zip(together, _step_down([tests[which] for which in together], own), strict=True):
        losses[which] = _decided(tests[which], p, reach, own)
    return losses


def by_itself(test: Hypothesis, level: float) -> Loss:
    """The loss at a level, corrected for nothing else; a level of 0 decides nothing."""
    if test.draws is None:
        return test.loss
    at = max(level, FINEST)
    if _varies(test):
        ((p, reach),) = _step_down([test], at)
        found = _decided(test, p, reach, at)
    else:
        found = _by_law(test, at)
    return found if level else _undecided(test, found)


def _undecided(test: Hypothesis, loss: Loss) -> Loss:
    """The loss without a decision, if it needs a test."""
    if test.draws is None:
        return loss
    return replace(loss, state="too few changed" if test.too_few else "can't tell", level=0.0)


def _varies(test: Hypothesis) -> bool:
    """Whether the resampled values say how far the loss can be off."""
    few = test.too_few or test.loss.discordant < FEWEST
    return test.draws is not None and not few and _se(test.draws) > ROUNDING


def _by_law(test: Hypothesis, level: float) -> Loss:
    """The loss that few clusters show, with the interval of its law; undecided where it has none."""
    found = _judged_by_law(test, level)
    return too_few(found) if test.too_few and found.state != "regressed" else found


def too_few(loss: Loss) -> Loss:
    """The loss of so few changed examples that it decides nothing."""
    return replace(loss, state="too few changed", reason=only_changed(loss.loss.n))


def only_changed(n: int) -> str:
    """The reason why a loss of so few changed examples decides nothing."""
    return f"only {n} changed; {FEWEST_CLUSTERS} needed"


def _judged_by_law(test: Hypothesis, level: float) -> Loss:
    sight = sight_where_few_differ(test.loss.limit, test.loss.loss.n, level, test.most)
    loss = replace(test.loss, sight=sight, level=level)
    if test.few is None:
        few = f"only {loss.discordant} of the examples differ"
        return replace(loss, reason=few if loss.discordant < FEWEST else "all examples differ alike, so nothing varies")
    law = test.few.law
    low, high = law.low(level), law.high(level)
    p = law.at_most(loss.limit)
    found = replace(loss.loss, low=low, high=high)
    return replace(loss, state=state_of(p <= level and low > loss.limit, high, loss.limit, loss.usual), loss=found, p=p)


def sight_where_few_differ(limit: float, clusters: int, level: float, most: float) -> float:
    """The loss that lies as far above its limit as the level and the power ask for; NaN if it is above ``most``.

    The few clusters that differ do not say how much a loss varies, so a loss counts as a share of all clusters, of
    which each is lost by itself.
    """
    reach = NormalDist().inv_cdf(1 - level) + NormalDist().inv_cdf(POWER)
    part = reach**2 / clusters
    sight = (2 * limit + part + math.sqrt(part**2 + 4 * part * limit * (1 - limit))) / (2 * (1 + part))
    return sight if sight <= most else math.nan


def exact(loss: Loss) -> Loss:
    """The loss with the state that follows from its number alone, because nothing in it is left to chance."""
    beyond = loss.loss.value > loss.limit + ROUNDING
    state = state_of(beyond, loss.loss.value, loss.limit, loss.usual)
    return replace(certain(loss), state=state, p=float(not beyond))


def certain(loss: Loss) -> Loss:
    """The loss with an interval of no width."""
    value = loss.loss.value
    return replace(loss, loss=replace(loss.loss, low=value, high=value, se=0.0))


def state_of(beyond: bool, high: float, limit: float, usual: float = math.inf) -> State:
    """The state of a loss that lies ``beyond`` its limit or not, with the upper end of its interval.

    What a waiver allows is within the limit and not within the ``usual`` one, which is the limit without it.
    """
    if beyond:
        return "regressed"
    if high < 0:
        return "improved"
    if high > limit + ROUNDING:
        return "can't tell"
    return "no worse" if high <= usual + ROUNDING else "accepted"


def _se(draws: Floats) -> float:
    return float(np.nanstd(draws, ddof=1))


def _step_down(tests: Sequence[Hypothesis], level: float) -> list[tuple[float, float]]:
    """For each loss its corrected p, and how many standard errors its interval reaches to either side.

    The largest excess is compared with the largest of all that chance would bring, the next with the largest of those
    that are left, until one is not significant; the others share its reach [Westfall and Young 1993, 2.6, 2.8].
    """
    if not tests:
        return []
    columns = [test.draws for test in tests if test.draws is not None]
    values = np.array([test.loss.loss.value for test in tests])
    spreads = np.array([_se(column) for column in columns])
    excess = (values - [test.loss.limit for test in tests]) / spreads
    chance = np.nan_to_num((np.column_stack(columns) - values) / spreads, nan=-np.inf)
    order = np.argsort(-excess, kind="stable")
    largest = np.maximum.accumulate(chance[:, order[::-1]], axis=1)[:, ::-1]
    found: dict[int, tuple[float, float]] = {}
    p, reach, open_still = 0.0, 0.0, True
    for step, which in enumerate(order.tolist()):
        tail = _Tail(largest[:, step])
        p = max(p, tail.beyond(float(excess[which])))
        reach = tail.reach(level) if open_still else reach
        open_still = open_still and p <= level
        found[which] = p, reach
    return [found[which] for which in range(len(tests))]


class _Tail:
    """The upper tail of resampled values: counted, and normal beyond the tenth largest, where counts are too coarse."""

    _COUNTED = 10

    def __init__(self, draws: Floats) -> None:
        self._sorted = np.sort(draws)[::-1]
        self._last = float(self._sorted[self._COUNTED - 1])
        self._rate = self._COUNTED / (len(draws) + 1)

    def beyond(self, value: float) -> float:
        """The probability of so large a value or a larger one."""
        if value > self._last:
            return self._rate * _above(value) / _above(self._last)
        return (1 + int((self._sorted >= value).sum())) / (len(self._sorted) + 1)

    def reach(self, level: float) -> float:
        """The value that is exceeded with that probability."""
        if level < self._rate:
            return -NormalDist().inv_cdf(max(level / self._rate * _above(self._last), 1e-15))
        return float(self._sorted[min(math.floor(level * (len(self._sorted) + 1)), len(self._sorted)) - 1])


def _above(value: float) -> float:
    """The probability of a normal value above it."""
    return 0.5 * math.erfc(value / math.sqrt(2))


def _decided(test: Hypothesis, p: float, reach: float, level: float) -> Loss:
    """The loss with its interval and the state that follows from it."""
    assert test.draws is not None
    value, spread, limit = test.loss.loss.value, _se(test.draws), test.loss.limit
    low, high = max(value - reach * spread, -test.most), min(value + reach * spread, test.most)
    state = state_of(p <= level and value > limit, high, limit, test.loss.usual)
    sight = limit + (reach + NormalDist().inv_cdf(POWER)) * spread
    if sight > test.most:
        sight = math.nan
    return replace(
        test.loss,
        state=state,
        loss=replace(test.loss.loss, low=low, high=high, se=spread),
        p=p,
        sight=sight,
        level=level,
    )
