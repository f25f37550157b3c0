"""The loss at which a model fails a bound with 80 % power, if hits are lost independently."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from abalo.core.statistics.estimates import Estimate
from abalo.core.statistics.few_events import ShareLaw
from abalo.core.statistics.metrics import Difference, Metric, Share
from abalo.core.statistics.sequential import FINEST
from abalo.core.statistics.verdicts import POWER, Bound

_PRECISION = 1e-7


def detectable_loss_of(
    bound: Bound, estimate: Estimate, metric: Metric, confidence: float, level: float
) -> float | None:
    """The smallest loss that fails the bound with 80 % power; None if impossible.

    ``level`` is one-sided and corrected for the number of bounds.
    """
    hits = _hits(bound, estimate, metric)
    slack, usual = -bound.excess(estimate.value) / hits.unit, NormalDist().inv_cdf((1 + confidence) / 2)
    # The largest value that fails, whose interval ends at the limit; then a truth below it, with a power of 80 %.
    fails = hits.loss_beyond(slack, NormalDist().inv_cdf(1 - max(level, FINEST)), (usual**2 - 1) / (6 * usual))
    loss = hits.loss_beyond(fails, NormalDist().inv_cdf(POWER))
    return max(0.0, hits.unit * loss) if hits.can_lose(loss) else None


@dataclass(frozen=True, slots=True)
class _Hits:
    unit: float
    share: float
    se: float
    trials: float = math.inf
    events: float = 1.0
    gone: float = 0.0
    apart: bool = False

    def can_lose(self, loss: float) -> bool:
        return math.isinf(self.share) or (self.share - loss) * self.trials >= self.events

    def loss_beyond(self, place: float, reach: float, skew: float = 0.0) -> float:
        if math.isinf(self.share):
            return place + reach * self.se
        low, high = place, self.share
        if not low < high:
            return math.nan
        while high - low > _PRECISION:
            middle = (low + high) / 2
            low, high = (middle, high) if middle - place < reach * self._end_after(middle, skew) else (low, middle)
        return high

    def _end_after(self, loss: float, skew: float) -> float:
        """In standard errors, by Cornish and Fisher."""
        se, left = self._se_after(loss), min(self.share - loss, 1 - _PRECISION)
        if self.apart or not skew:
            return se
        return se * max(0.0, 1 + skew * (1 - 2 * left) * se / (left * (1 - left)))

    def _se_after(self, loss: float) -> float:
        """By the delta method."""
        if loss <= 0:
            return self.se
        left, per_event = self.share - loss, self.gone / self.events
        lost = loss / (self.share * (1 - left * per_event))
        trials = 1 - lost * self.share * per_event
        added = self.share / self.events * lost * (1 - lost) * ((self.events - left * self.gone) / trials) ** 2
        kept = 1.0 if self.apart else left / self.share / trials
        return math.sqrt((kept * self.se) ** 2 + added / self.trials)


def _hits(bound: Bound, estimate: Estimate, metric: Metric) -> _Hits:
    if not math.isfinite(metric.high):
        return _Hits(1.0, math.inf, estimate.se)
    unit, se, trials = metric.high, estimate.se / metric.high, estimate.trials or estimate.n
    share = estimate.value / unit if bound.side == "min" else 1 - estimate.value / unit
    if metric.low != 0:
        events, gone = metric.value.second.hit if isinstance(metric.value, Difference) else (1.0, 0.0)
        return _Hits(unit, share, se, trials, events, gone, apart=True)
    if isinstance(estimate.law, ShareLaw):
        se = math.sqrt(share * (1 - share) / estimate.law.size)
    events, gone = metric.value.hit if isinstance(metric.value, Share) and bound.side == "min" else (1.0, 0.0)
    return _Hits(unit, share, se, trials, events, gone)
