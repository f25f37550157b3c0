"""Intervals for numbers with few events, where a bootstrap's are too narrow."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Protocol

import numpy as np

from abalo.core.records.rounding import ROUNDING
from abalo.core.statistics import beta
from abalo.core.statistics.calibration import CalibrationError, calibration_law
from abalo.core.statistics.metrics import Difference, Floats, Mean, Net, Share

FEW = 30
"""From this number of clusters with events, the percentile bootstrap has the stated coverage."""

FEWEST = 10

_RULE_OF_THREE = 3.0
"""[Hanley & Lippman-Hand, JAMA 249, 1983: 1743-1745]"""


class Law(Protocol):
    """A confidence distribution: one-sided intervals at all levels, and so every p.

    [Xie & Singh, International Statistical Review 81, 2013: 3-39]
    """

    def low(self, alpha: float) -> float:
        """The end that the truth lies below with chance ``alpha``, at most 0.5."""
        ...

    def high(self, alpha: float) -> float:
        """The end that the truth lies above with chance ``alpha``, at most 0.5."""
        ...

    def at_most(self, limit: float) -> float:
        """One-sided p of the truth being at most ``limit``."""
        ...

    def at_least(self, limit: float) -> float:
        """One-sided p of the truth being at least ``limit``."""
        ...


@dataclass(frozen=True, slots=True)
class Ends:
    """A law from an interval, normal on each side."""

    value: float
    ends: tuple[float, float]
    confidence: float

    def low(self, alpha: float) -> float:
        return self.value - self._units(alpha) * (self.value - self.ends[0])

    def high(self, alpha: float) -> float:
        return self.value + self._units(alpha) * (self.ends[1] - self.value)

    def at_most(self, limit: float) -> float:
        excess = self.value - limit
        reach = abs(self.value - self.ends[0 if excess > 0 else 1])
        return NormalDist().cdf(-_z((1 - self.confidence) / 2) * excess / max(reach, ROUNDING))

    def at_least(self, limit: float) -> float:
        return 1 - self.at_most(limit)

    def _units(self, alpha: float) -> float:
        return _z(alpha) / _z((1 - self.confidence) / 2)


@dataclass(frozen=True, slots=True)
class MeanLaw:
    """The law of a mean on the same clusters, for any correlation; ``weights`` are equal if not given."""

    laws: tuple[Law, ...]
    weights: tuple[float, ...] = ()

    def low(self, alpha: float) -> float:
        return self._over(law.low(alpha) for law in self.laws)

    def high(self, alpha: float) -> float:
        return self._over(law.high(alpha) for law in self.laws)

    def at_most(self, limit: float) -> float:
        return _invert(lambda alpha: self.low(alpha) - limit)

    def at_least(self, limit: float) -> float:
        return _invert(lambda alpha: limit - self.high(alpha))

    def _over(self, ends: Iterable[float]) -> float:
        if not self.weights:
            return math.fsum(ends) / len(self.laws)
        return math.fsum(weight * end for weight, end in zip(self.weights, ends, strict=True))


def _z(alpha: float) -> float:
    return -NormalDist().inv_cdf(max(alpha, _SMALLEST))


_SMALLEST = 1e-15


@dataclass(frozen=True, slots=True)
class ShareLaw:
    """The law of a share of ``size`` independent trials, times ``scale``.

    ``margin`` 1 gives Clopper and Pearson's ends, 0.5 Jeffreys' [Brown, Cai & DasGupta, Statistical Science 16, 2001:
    101-133, 2.1 and 4.1.2].
    """

    share: float
    size: float
    margin: float = 1.0
    scale: float = 1.0

    @property
    def value(self) -> float:
        """The share times the scale."""
        return self.scale * self.share

    def low(self, alpha: float) -> float:
        if self._events <= 0:
            return 0.0
        return self.scale * min(self.share, beta.quantile(alpha, *self._below))

    def high(self, alpha: float) -> float:
        if self._others <= 0:
            return self.scale
        return self.scale * max(self.share, beta.quantile(1 - alpha, *self._above))

    def at_most(self, limit: float) -> float:
        if limit >= 0 and self._events <= 0:
            return 1.0
        return beta.below(limit / self.scale, *self._below)

    def at_least(self, limit: float) -> float:
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
    """The law of ``up`` minus ``down``, shares estimated apart; ``flips`` are exact p against 0.

    [MOVER: Zou & Donner, Statistics in Medicine 27, 2008: 1693-1702, (5) and (6)]
    """

    value: float
    up: ShareLaw
    down: ShareLaw
    flips: tuple[float, float] = (0.0, 0.0)

    def low(self, alpha: float) -> float:
        end = max(-1.0, self._low(alpha))
        return min(end, 0.0) if self.flips[0] > alpha else end

    def high(self, alpha: float) -> float:
        end = min(1.0, self._high(alpha))
        return max(end, 0.0) if self.flips[1] > alpha else end

    def at_most(self, limit: float) -> float:
        found = _invert(lambda alpha: self._low(alpha) - limit)
        return max(found, self.flips[0]) if limit >= 0 else found

    def at_least(self, limit: float) -> float:
        found = _invert(lambda alpha: limit - self._high(alpha))
        return max(found, self.flips[1]) if limit <= 0 else found

    def _low(self, alpha: float) -> float:
        return self.value - math.hypot(self.up.share - self.up.low(alpha), self.down.high(alpha) - self.down.share)

    def _high(self, alpha: float) -> float:
        return self.value + math.hypot(self.up.high(alpha) - self.up.share, self.down.share - self.down.low(alpha))


def _invert(beyond: Callable[[float], float]) -> float:
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
    """A law and its number of clusters with events."""

    law: Law
    events: int


def few(value: Callable[[Floats], Floats], rows: Floats, *, always: bool = False) -> Few | None:
    """The law of ``value`` over the sums of ``rows`` (clusters × columns).

    None if at least `FEW` clusters have events, unless ``always``.
    """
    if isinstance(value, CalibrationError):
        return Few(calibration_law(rows), max(FEW, len(rows))) if value.trials(rows).sum() > 0 else None
    if isinstance(value, Share):
        return few_in_share(value.events(rows), value.trials(rows), value.scale, always=always)
    if isinstance(value, Net):
        return _as_shares(few_in_net(value.gains(rows), value.trials(rows), always=always))
    if isinstance(value, Difference):
        first, second = value.first, value.second
        sides = first.events(rows), first.trials(rows), second.events(rows), second.trials(rows)
        return _as_shares(few_in_pairs(*sides, always=always)) if value.paired else few_apart(*sides, always=always)
    return None


def _as_shares(found: Few | None) -> Few | None:
    """A drop of exactly 0 in all clusters has the ends of a share of 0."""
    if found is None or found.events or not isinstance(found.law, DifferenceLaw):
        return found
    up, down = (replace(each, margin=1.0) for each in (found.law.up, found.law.down))
    return replace(found, law=replace(found.law, up=up, down=down))


def few_in_share(events: Floats, trials: Floats, scale: float = 1.0, *, always: bool = False) -> Few | None:
    """The law of a share by cluster; None if `FEW` clusters have events, unless ``always``.

    [Korn & Graubard, Survey Methodology 24, 1998: 193-201]
    """
    seen = min(_clusters(events), _clusters(trials - events))
    if not trials.sum() > 0 or (seen >= FEW and _vary(events, trials) and not always):
        return None
    return Few(_share_law(events, trials, seen, pseudo=1.0, margin=1.0, scale=scale), seen)


def share_law(events: Floats, trials: Floats) -> ShareLaw:
    """The law of a share with any number of events [Clopper & Pearson, Biometrika 26, 1934: 404-413]."""
    return _share_law(events, trials, min(_clusters(events), _clusters(trials - events)), pseudo=1.0, margin=1.0)


@dataclass(frozen=True, slots=True)
class Stratum:
    """``events`` in ``trials`` drawn from ``exist`` units."""

    events: int
    trials: int
    exist: int


def few_in_strata(strata: Sequence[Stratum]) -> Few:
    """The law of a share in strata, drawn without replacement [Cochran, Sampling Techniques, 3rd ed. 1977, (5.18) with
    (3.8)].
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
    """The law of the difference of two shares on the same clusters.

    None if many differ, unless ``always``.
    """
    if not (first_trials.sum() > 0 and second_trials.sum() > 0):
        return None
    gains = gains_in_pairs(first_events, first_trials, second_events, second_trials)
    return few_in_net(gains, (first_trials + second_trials) / 2, always=always)


def few_between(value: Share | Difference, first: Floats, second: Floats, *, always: bool = False) -> Few | None:
    """The law of a number in ``first`` less the same in ``second``, by cluster.

    None if many differ, unless ``always``.
    """
    if isinstance(value, Difference):
        return _few_between_differences(value, first, second, always=always)
    if value.scale != 1.0:
        return None
    sides = value.events(first), value.trials(first), value.events(second), value.trials(second)
    return few_in_pairs(*sides, always=always)


def _few_between_differences(value: Difference, first: Floats, second: Floats, *, always: bool) -> Few | None:
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
    """The law of a mean on the same clusters."""
    if len(parts) == 1:
        return parts[0]
    return Few(MeanLaw(tuple(part.law for part in parts)), min(part.events for part in parts))


def gains_in_pairs(first_events: Floats, first_trials: Floats, second_events: Floats, second_trials: Floats) -> Floats:
    """Each cluster's part in the first share less the second."""
    shares = first_events.sum() / first_trials.sum(), second_events.sum() / second_trials.sum()
    gains = first_events - second_events - sum(shares) / 2 * (first_trials - second_trials)
    return np.where(np.abs(gains) > ROUNDING, gains, 0.0)


def few_in_net(gains: Floats, trials: Floats, *, always: bool = False) -> Few | None:
    """The law of gains over trials; None if many gain, unless ``always``."""
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
    """The law of the difference of two shares on different clusters.

    None if many have events, unless ``always``. [Newcombe, Statistics in Medicine 17, 1998: 873-890, method 10]
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
    """Exact one-sided p of gains summing to at most, and at least, 0 [Fisher, 1935, section 21]."""
    count = len(gains)
    signs = 1 - 2 * ((np.arange(2**count)[:, None] >> np.arange(count)) & 1)
    sums, seen = signs @ np.abs(gains), gains.sum()
    return float((sums >= seen - ROUNDING).mean()), float((sums <= seen + ROUNDING).mean())


def _share_law(
    events: Floats, trials: Floats, seen: int, *, pseudo: float, margin: float, scale: float = 1.0
) -> ShareLaw:
    """Mixes the design effect with its largest value [Kish, Survey Sampling, 1965, 5.4 and 8.2]."""
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
    return bool((np.abs(counts - counts.sum() / trials.sum() * trials) > ROUNDING).any())


def _clusters(counts: Floats) -> int:
    return int((counts > ROUNDING).sum())


# Means without limits -------------------------------------------------------------------------------------------------


def unseen(value: Mean, rows: Floats) -> tuple[float, float]:
    """How far unseen clusters could move a mean down and up (rule of three)."""
    parts, wholes = value.part(rows), value.whole(rows)
    total = wholes.sum()
    residuals = (parts - parts.sum() / total * wholes) / total
    squares = residuals**2
    if not squares.sum() > 0 or squares.sum() ** 2 >= FEW * (squares**2).sum():
        return 0.0, 0.0
    return _RULE_OF_THREE * max(0.0, -float(residuals.min())), _RULE_OF_THREE * max(0.0, float(residuals.max()))


def differing(value: Mean, rows: Floats) -> int:
    """The number of clusters with a nonzero part."""
    return _clusters(np.abs(value.part(rows)))
