"""Intervals that know how few events are behind a number.

A resample holds only what was seen: of 60 targets without a success, every resample has none. So a share with few
events, and a difference of shares with few clusters in which they differ, gets an interval from beta distributions of
the events that the clusters amount to. Such an interval is a `Law`: its p for any limit comes from the same curve.

How many events are few is known from the coverage of the intervals: ``python -m benchmarks.coverage``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Protocol

import numpy as np

from abalo.core import beta
from abalo.core.calibration import CalibrationError, calibration_law
from abalo.core.metrics import Difference, Floats, Mean, Net, Share
from abalo.core.rounding import ROUNDING

FEW = 30
"""From this number of clusters with events on, the percentile bootstrap covers as it should."""

FEWEST = 10
"""Clusters that must differ from 0 before a mean without limits can be judged. Of differences, the clusters from which
on no exact test is needed."""

_RULE_OF_THREE = 3.0
"""Of n clusters, 3 in n may show what none of them has shown [Hanley & Lippman-Hand, JAMA 249, 1983: 1743-1745]."""


class Law(Protocol):
    """A confidence distribution: all one-sided intervals of a number at once, and so every p.

    [Xie & Singh, Confidence distribution, the frequentist distribution estimator of a parameter, International
    Statistical Review 81, 2013: 3-39]
    """

    def low(self, alpha: float) -> float:
        """The end that the truth lies below with a chance of at most ``alpha``, 0 to 0.5."""
        ...

    def high(self, alpha: float) -> float:
        """The end that the truth lies above with a chance of at most ``alpha``, 0 to 0.5."""
        ...

    def at_most(self, limit: float) -> float:
        """One-sided p of the truth being at most ``limit``: the ``alpha`` at which the low end is the limit."""
        ...

    def at_least(self, limit: float) -> float:
        """One-sided p of the truth being at least ``limit``: the ``alpha`` at which the high end is the limit."""
        ...


@dataclass(frozen=True, slots=True)
class Ends:
    """The law of an interval of which only the ends are known, such as that of a bootstrap.

    On either side it is normal, as wide as that end says; so at ``confidence`` it gives the interval itself.
    """

    value: float
    ends: tuple[float, float]
    confidence: float

    def low(self, alpha: float) -> float:
        """The low end at another level."""
        return self.value - self._units(alpha) * (self.value - self.ends[0])

    def high(self, alpha: float) -> float:
        """The high end at another level."""
        return self.value + self._units(alpha) * (self.ends[1] - self.value)

    def at_most(self, limit: float) -> float:
        """One-sided p of the truth being at most ``limit``."""
        excess = self.value - limit
        reach = abs(self.value - self.ends[0 if excess > 0 else 1])
        return NormalDist().cdf(-_z((1 - self.confidence) / 2) * excess / max(reach, ROUNDING))

    def at_least(self, limit: float) -> float:
        """One-sided p of the truth being at least ``limit``."""
        return 1 - self.at_most(limit)

    def _units(self, alpha: float) -> float:
        """How many times as far out an end is at this level."""
        return _z(alpha) / _z((1 - self.confidence) / 2)


@dataclass(frozen=True, slots=True)
class MeanLaw:
    """The law of the mean of numbers that are measured on the same clusters, each with a law of its own.

    Its ends are the means of theirs, as if all were off together: it is wide enough however they hang together.
    """

    laws: tuple[Law, ...]

    def low(self, alpha: float) -> float:
        """The mean of the low ends."""
        return math.fsum(law.low(alpha) for law in self.laws) / len(self.laws)

    def high(self, alpha: float) -> float:
        """The mean of the high ends."""
        return math.fsum(law.high(alpha) for law in self.laws) / len(self.laws)

    def at_most(self, limit: float) -> float:
        """One-sided p of the truth being at most ``limit``; 0.5 for all that no level leaves out."""
        return _inverted(lambda alpha: self.low(alpha) - limit)

    def at_least(self, limit: float) -> float:
        """One-sided p of the truth being at least ``limit``; 0.5 for all that no level leaves out."""
        return _inverted(lambda alpha: limit - self.high(alpha))


def _z(alpha: float) -> float:
    """How many standard errors from the value the one-sided end lies; alpha from above 0 to 0.5."""
    return -NormalDist().inv_cdf(max(alpha, _SMALLEST))


_SMALLEST = 1e-15
"""Levels below this are not told apart, and p below it are 0."""


@dataclass(frozen=True, slots=True)
class ShareLaw:
    """The law of a share: that of ``size`` independent trials with this ``share`` of events.

    With ``margin`` 1 its ends are those of Clopper and Pearson, of which each leaves out the truth with a chance of at
    most alpha; with 0.5 those of Jeffreys, which do so about [Brown, Cai & DasGupta, Interval estimation for a binomial
    proportion, Statistical Science 16, 2001: 101-133, 2.1 and 4.1.2]. The number is the share times ``scale``.
    """

    share: float
    size: float
    margin: float = 1.0
    scale: float = 1.0

    @property
    def value(self) -> float:
        """The number itself."""
        return self.scale * self.share

    def low(self, alpha: float) -> float:
        """The low end; 0 without an event."""
        if self._events <= 0:
            return 0.0
        return self.scale * min(self.share, beta.quantile(alpha, *self._below))

    def high(self, alpha: float) -> float:
        """The high end; the scale where every trial was an event."""
        if self._others <= 0:
            return self.scale
        return self.scale * max(self.share, beta.quantile(1 - alpha, *self._above))

    def at_most(self, limit: float) -> float:
        """One-sided p of the truth being at most ``limit``."""
        if limit >= 0 and self._events <= 0:
            return 1.0
        return beta.below(limit / self.scale, *self._below)

    def at_least(self, limit: float) -> float:
        """One-sided p of the truth being at least ``limit``."""
        if limit <= self.scale and self._others <= 0:
            return 1.0
        return 1 - beta.below(limit / self.scale, *self._above)

    @property
    def _events(self) -> float:
        return self.share * self.size

    @property
    def _others(self) -> float:
        return (1 - self.share) * self.size

    @property
    def _below(self) -> tuple[float, float]:
        return self._events + 1 - self.margin, self._others + self.margin

    @property
    def _above(self) -> tuple[float, float]:
        return self._events + self.margin, self._others + 1 - self.margin


@dataclass(frozen=True, slots=True)
class DifferenceLaw:
    """The law of ``up`` minus ``down``, two shares that are estimated apart.

    Each end is as far from the value as those of the shares together, root of the sum of squares ("MOVER")
    [Zou & Donner, Construction of confidence limits about effect measures, Statistics in Medicine 27, 2008: 1693-1702,
    (5) and (6)]. ``flips`` are exact one-sided p of the truth being at most 0, and at least 0; where they are larger,
    they stand, so an end lies beyond 0 only if its p is at most alpha.
    """

    value: float
    up: ShareLaw
    down: ShareLaw
    flips: tuple[float, float] = (0.0, 0.0)

    def low(self, alpha: float) -> float:
        """The low end, from -1."""
        end = max(-1.0, self._low(alpha))
        return min(end, 0.0) if self.flips[0] > alpha else end

    def high(self, alpha: float) -> float:
        """The high end, up to 1."""
        end = min(1.0, self._high(alpha))
        return max(end, 0.0) if self.flips[1] > alpha else end

    def at_most(self, limit: float) -> float:
        """One-sided p of the truth being at most ``limit``; 0.5 for all that no level leaves out."""
        found = _inverted(lambda alpha: self._low(alpha) - limit)
        return max(found, self.flips[0]) if limit >= 0 else found

    def at_least(self, limit: float) -> float:
        """One-sided p of the truth being at least ``limit``; 0.5 for all that no level leaves out."""
        found = _inverted(lambda alpha: limit - self._high(alpha))
        return max(found, self.flips[1]) if limit <= 0 else found

    def _low(self, alpha: float) -> float:
        return self.value - math.hypot(self.up.share - self.up.low(alpha), self.down.high(alpha) - self.down.share)

    def _high(self, alpha: float) -> float:
        return self.value + math.hypot(self.up.high(alpha) - self.up.share, self.down.share - self.down.low(alpha))


def _inverted(beyond: Callable[[float], float]) -> float:
    """The level at which an end reaches the limit; ``beyond`` rises with the level, and is above 0 past the limit."""
    low, high = math.log(_SMALLEST), math.log(0.5)
    if beyond(0.5) <= 0:
        return 0.5
    if beyond(_SMALLEST) > 0:
        return 0.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (low, middle) if beyond(math.exp(middle)) > 0 else (middle, high)
    return math.exp(high)


# Laws of shares and differences ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Few:
    """The law of a number with few events: those of so many clusters."""

    law: Law
    events: int


def few(value: Callable[[Floats], Floats], rows: Floats, *, always: bool = False) -> Few | None:
    """The law of the number that ``value`` makes of the sums of ``rows`` (clusters × columns).

    None where at least `FEW` clusters have events, unless all clusters show the same or the law is asked for
    ``always``, and of a number that does not say what its events are; then a bootstrap serves. A calibration error
    always has one, since resamples of it are biased.
    """
    if isinstance(value, CalibrationError):
        return Few(calibration_law(rows), max(FEW, len(rows))) if value.trials(rows).sum() > 0 else None
    if isinstance(value, Share):
        return few_in_share(value.events(rows), value.trials(rows), value.scale, always=always)
    if isinstance(value, Net):
        return few_in_net(value.gains(rows), value.trials(rows), always=always)
    if isinstance(value, Difference):
        first, second = value.first, value.second
        sides = first.events(rows), first.trials(rows), second.events(rows), second.trials(rows)
        return few_in_pairs(*sides, always=always) if value.paired else few_apart(*sides, always=always)
    return None


def few_in_share(events: Floats, trials: Floats, scale: float = 1.0, *, always: bool = False) -> Few | None:
    """The law of the share of events in trials, by cluster; None where `FEW` clusters or more have events.

    ``always`` gives the law where many have events, too.

    Events are those of the rarer kind: of a share near 1 the trials without. The interval is that of Korn and Graubard:
    of Clopper and Pearson, on counts divided by the design effect of the clusters [Confidence intervals for proportions
    with small expected number of positive counts estimated from survey data, Survey Methodology 24, 1998: 193-201].
    """
    seen = min(_clusters(events), _clusters(trials - events))
    if not trials.sum() > 0 or (seen >= FEW and _vary(events, trials) and not always):
        return None
    return Few(_share_law(events, trials, seen, pseudo=1.0, margin=1.0, scale=scale), seen)


def share_law(events: Floats, trials: Floats) -> ShareLaw:
    """The same law, however many clusters have events, where no bootstrap is to be had. There must be trials.

    Of one trial a cluster it is that of Clopper and Pearson, hardly wider [The use of confidence or fiducial limits
    illustrated in the case of the binomial, Biometrika 26, 1934: 404-413].
    """
    return _share_law(events, trials, min(_clusters(events), _clusters(trials - events)), pseudo=1.0, margin=1.0)


@dataclass(frozen=True, slots=True)
class Stratum:
    """Trials drawn from one of several fixed parts: ``events`` in so many ``trials``, of which ``exist`` in all."""

    events: int
    trials: int
    exist: int


def few_in_strata(strata: Sequence[Stratum]) -> Few:
    """The law of a share in fixed strata, each with the weight that its trials have; there must be trials.

    Trials were drawn without replacement, independently in each stratum. Their variance is that of a stratified sample
    [Cochran, Sampling Techniques, 3rd ed. 1977, (5.18) with (3.8)], never more than that of as many independent
    trials. As in `few_in_share` the ends are those of Clopper and Pearson on counts divided by the design effect, the
    one variance over the other, which is mixed with its largest value, 1, since few events do not tell it.
    """
    trials = sum(each.trials for each in strata)
    events = sum(each.events for each in strata)
    share, seen = events / trials, min(events, trials - events)
    effect = 1.0
    if seen:
        plain = share * (1 - share)
        spread = 0.0
        for each in strata:
            own = each.events / each.trials if each.trials else 0.0
            within = own * (1 - own) * each.trials / (each.trials - 1) if each.trials > 1 else plain
            spread += each.trials * within * (1 - each.trials / each.exist) if each.trials else 0.0
        effect = min(1.0, (seen * (spread / trials / plain) + 1.0) / (seen + 1.0))
    return Few(ShareLaw(share, trials / effect), seen)


def few_in_pairs(
    first_events: Floats,
    first_trials: Floats,
    second_events: Floats,
    second_trials: Floats,
    *,
    always: bool = False,
) -> Few | None:
    """The law of the first share less the second, both of the same clusters, of which few differ; else None.

    ``always`` gives the law where many differ, too.

    Below `FEWEST` clusters that differ an exact test has its say: had the sides changed places by a toss in each of
    them, how often were the difference as large?
    """
    if not (first_trials.sum() > 0 and second_trials.sum() > 0):
        return None
    gains = gains_in_pairs(first_events, first_trials, second_events, second_trials)
    return few_in_net(gains, (first_trials + second_trials) / 2, always=always)


def few_between(value: Share | Difference, first: Floats, second: Floats, *, always: bool = False) -> Few | None:
    """The law of a number in the sums of ``first`` less the same number in those of ``second``.

    None if many differ, unless it is asked for ``always``.

    Both are counts of the same clusters (clusters × columns), in the same order, such as those of two models. The
    number is a share, or a difference of two shares. None, too, of a share on another scale than 0 to 1.
    """
    if isinstance(value, Difference):
        return _few_between_differences(value, first, second, always=always)
    if value.scale != 1.0:
        return None
    sides = value.events(first), value.trials(first), value.events(second), value.trials(second)
    return few_in_pairs(*sides, always=always)


def _few_between_differences(value: Difference, first: Floats, second: Floats, *, always: bool) -> Few | None:
    """A difference of two shares changes by the change of one share less that of the other.

    So a cluster in which ``first`` and ``second`` agree adds 0.
    """
    sides = [
        (each.events(first), each.trials(first), each.events(second), each.trials(second))
        for each in (value.first, value.second)
    ]
    if not all(trials.sum() > 0 for side in sides for trials in (side[1], side[3])):
        return None
    trials = [(side[1] + side[3]) / 2 for side in sides]
    every = (trials[0] + trials[1]) / 2
    up, down = (gains_in_pairs(*side) * every.sum() / own.sum() for side, own in zip(sides, trials, strict=True))
    return few_in_net(up - down, every, always=always)


def few_mean(parts: Sequence[Few]) -> Few:
    """The law of the mean of such numbers of the same clusters."""
    if len(parts) == 1:
        return parts[0]
    return Few(MeanLaw(tuple(part.law for part in parts)), min(part.events for part in parts))


def gains_in_pairs(first_events: Floats, first_trials: Floats, second_events: Floats, second_trials: Floats) -> Floats:
    """The part of each cluster in the first share less the second: their sum over the mean number of trials is that.

    It is the cluster's difference in events, less what the mean of the two shares would make of its difference in
    trials. So a cluster in which the sides agree adds 0.
    """
    shares = first_events.sum() / first_trials.sum(), second_events.sum() / second_trials.sum()
    gains = first_events - second_events - sum(shares) / 2 * (first_trials - second_trials)
    return np.where(np.abs(gains) > ROUNDING, gains, 0.0)


def few_in_net(gains: Floats, trials: Floats, *, always: bool = False) -> Few | None:
    """The law of gains over trials, where a cluster's gain may be below 0.

    None where many have one, unless it is asked for ``always``. Gains and losses are two shares, their ends those of
    Jeffreys.
    """
    gains = np.where(np.abs(gains) > ROUNDING, gains, 0.0)
    seen = _clusters(np.abs(gains))
    if not trials.sum() > 0 or (seen >= FEW and _vary(gains, trials) and not always):
        return None
    up, down = np.maximum(gains, 0), np.maximum(-gains, 0)
    laws = [_share_law(part, trials, _clusters(part), pseudo=0.5, margin=0.5) for part in (up, down)]
    flips = sign_flips(gains[gains != 0]) if seen < FEWEST else (0.0, 0.0)
    return Few(DifferenceLaw(float(gains.sum() / trials.sum()), laws[0], laws[1], flips), seen)


def few_apart(
    first_events: Floats, first_trials: Floats, second_events: Floats, second_trials: Floats, *, always: bool = False
) -> Few | None:
    """The law of the first share less the second, each of other clusters, where few of either have events; else None.

    ``always`` gives the law where many have events, too.

    [Newcombe, Interval estimation for the difference between independent proportions, Statistics in Medicine 17, 1998:
    873-890, method 10, here with Jeffreys' ends]
    """
    sides = (first_events, first_trials), (second_events, second_trials)
    seen = [min(_clusters(events), _clusters(trials - events)) for events, trials in sides]
    if not all(trials.sum() > 0 for _, trials in sides):
        return None
    if min(seen) >= FEW and not always and any(_vary(events, trials) for events, trials in sides):
        return None
    up, down = (
        _share_law(events, trials, k, pseudo=0.5, margin=0.5) for (events, trials), k in zip(sides, seen, strict=True)
    )
    return Few(DifferenceLaw(up.share - down.share, up, down), min(seen))


def sign_flips(gains: Floats) -> tuple[float, float]:
    """Exact one-sided p of a sum of gains being no more, and no less, than 0: how many of all signs give as much.

    Both are 1 without a gain. [Fisher, The Design of Experiments, 1935, section 21]
    """
    count = len(gains)
    signs = 1 - 2 * ((np.arange(2**count)[:, None] >> np.arange(count)) & 1)
    sums, seen = signs @ np.abs(gains), gains.sum()
    return float((sums >= seen - ROUNDING).mean()), float((sums <= seen + ROUNDING).mean())


def _share_law(
    events: Floats, trials: Floats, seen: int, *, pseudo: float, margin: float, scale: float = 1.0
) -> ShareLaw:
    """The law of a share whose trials hang together within clusters.

    The design effect says how many trials are worth one. From few clusters with events it cannot be known, so it is
    mixed with its largest value, in which whole clusters are events or none [Kish, Survey Sampling, 1965, 5.4 and 8.2];
    that weighs as much as ``pseudo`` clusters with events.
    """
    held = trials > 0
    events, trials = events[held], trials[held]
    total, count = trials.sum(), len(trials)
    share = min(1.0, events.sum() / total)
    worst = float((trials**2).sum() / total)
    effect = worst
    if 0 < share < 1 and count > 1:
        residuals = events - share * trials
        measured = count / (count - 1) * (residuals**2).sum() / (share * (1 - share) * total)
        effect = (seen * measured + pseudo * worst) / (seen + pseudo)
    return ShareLaw(float(share), float(total / max(1.0, effect)), margin, scale)


def _vary(counts: Floats, trials: Floats) -> bool:
    """Whether some clusters have more counts for their trials than others; else a bootstrap has no width."""
    return bool((np.abs(counts - counts.sum() / trials.sum() * trials) > ROUNDING).any())


def _clusters(counts: Floats) -> int:
    """How many clusters have a count."""
    return int((counts > ROUNDING).sum())


# Means without limits -------------------------------------------------------------------------------------------------


def unseen(value: Mean, rows: Floats) -> tuple[float, float]:
    """How far what no cluster has shown could move a mean down and up, beyond the ends of its bootstrap.

    As many clusters as the rule of three allows, each as far out as the farthest seen on that side. Nothing where the
    spread comes from many clusters: at least `FEW`, as Kish counts them, weighing by squared residuals. Of numbers with
    heavy tails no resample has a value beyond the largest, so the percentiles alone cover 80 to 94 %.
    """
    parts, wholes = value.part(rows), value.whole(rows)
    total = wholes.sum()
    residuals = (parts - parts.sum() / total * wholes) / total
    squares = residuals**2
    if not squares.sum() > 0 or squares.sum() ** 2 >= FEW * (squares**2).sum():
        return 0.0, 0.0
    return _RULE_OF_THREE * max(0.0, -float(residuals.min())), _RULE_OF_THREE * max(0.0, float(residuals.max()))


def differing(value: Mean, rows: Floats) -> int:
    """How many clusters have a part that is not 0."""
    return _clusters(np.abs(value.part(rows)))
