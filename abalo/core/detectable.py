"""The detectable loss of a bound: how much worse a model must be to fail it with a power of 80 %.

A worse model has another standard error than the model that was measured; if the score is near 1, a much larger one. So
the standard error is that of a model with the loss. The loss is assumed to hit hits at random, independently of each
other: ``python -m benchmarks.sight`` simulates such models.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from abalo.core.few_events import ShareLaw
from abalo.core.metrics import Difference, Metric, Share
from abalo.core.sequential import FINEST
from abalo.core.statistics import Estimate
from abalo.core.verdicts import POWER, Bound

_PRECISION = 1e-7


def detectable(bound: Bound, estimate: Estimate, metric: Metric, confidence: float, level: float) -> float | None:
    """The smallest loss from the estimate that fails the bound with a power of 80 %; 0 if no loss is needed.

    Args:
        bound: A bound on the metric, overall or for one group.
        estimate: The metric as it was measured.
        metric: The metric.
        confidence: The confidence of the interval of the estimate.
        level: The one-sided level of a failure, corrected for the number of bounds.

    Returns:
        The loss in units of the metric; None if the metric cannot be so much worse.
    """
    hits = _hits(bound, estimate, metric)
    slack, usual = -bound.excess(estimate.value) / hits.unit, NormalDist().inv_cdf((1 + confidence) / 2)
    # The largest value that fails, whose interval ends at the limit; then a truth below it, with a power of 80 %.
    fails = hits.loss_beyond(slack, NormalDist().inv_cdf(1 - max(level, FINEST)), (usual**2 - 1) / (6 * usual))
    loss = hits.loss_beyond(fails, NormalDist().inv_cdf(POWER))
    return max(0.0, hits.unit * loss) if hits.can_lose(loss) else None


@dataclass(frozen=True, slots=True)
class _Hits:
    """A share of hits and its standard error ``se`` as the hits are lost at random.

    Numbers are in parts of ``unit``, the greatest value of the metric. A lost hit takes so many ``events`` and trials
    (``gone``) from the ``trials``. For a difference of shares, ``apart`` is True: its variance stays, and the lost hits
    add to it. A metric without a greatest value has an infinite share, and its standard error stays.
    """

    unit: float
    share: float
    se: float
    trials: float = math.inf
    events: float = 1.0
    gone: float = 0.0
    apart: bool = False

    def can_lose(self, loss: float) -> bool:
        """Whether a hit is left after the loss."""
        return math.isinf(self.share) or (self.share - loss) * self.trials >= self.events

    def loss_beyond(self, place: float, reach: float, skew: float = 0.0) -> float:
        """The loss that lies ``reach`` of its own standard errors beyond a place; NaN if there are not enough hits.

        The ends of an interval lie closer to the middle than the standard error says, by ``skew`` times the skewness.
        """
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
        """The end of the interval after a loss on the side of the limit, by Cornish and Fisher, in standard errors."""
        se, left = self._se_after(loss), min(self.share - loss, 1 - _PRECISION)
        if self.apart or not skew:
            return se
        return se * max(0.0, 1 + skew * (1 - 2 * left) * se / (left * (1 - left)))

    def _se_after(self, loss: float) -> float:
        """The standard error after a loss, by the delta method."""
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
