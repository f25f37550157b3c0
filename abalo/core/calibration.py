"""How far stated probabilities are from how often they come true, with an interval that knows its bias.

The mean distance over bins is never negative, so noise alone makes it large: a perfectly calibrated model with 1,000
decisions of probability 0.5 to 1 shows 0.03. A bootstrap adds this noise a second time. The interval uses two
inequalities instead, which hold for any true distances. The distance found is at most the true one plus the noise of
all bins (triangle inequality). It is at least the sum of gaps with the signs of the true ones, which is normal.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from abalo.core.metrics import Floats, ratio

BINS = 10
"""Bins of about equal mass, as usual. [Guo et al., On Calibration of Modern Neural Networks, 2017; here of equal mass:
Kumar, Liang & Ma, Verified Uncertainty Calibration, 2019, 3]"""

_EDGES = (
    *(0.0, 0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995),
    *(0.999, 1.0),
)

NARROW = len(_EDGES) - 1
"""Narrow bins with fixed edges, in which probabilities are counted so that counts add up."""

COLUMNS = 3 * NARROW
"""For each narrow bin: decisions, the sum of their probabilities, those that were right."""

_SMALLEST = 1e-15
_HALF_NORMAL_MEAN = math.sqrt(2 / math.pi)
_HALF_NORMAL_VARIANCE = 1 - 2 / math.pi
_HALF_NORMAL_THIRD = _HALF_NORMAL_MEAN * (4 / math.pi - 1)
"""Moments of the size of a standard normal number: its mean, variance and third central moment."""


def narrow_bin(probability: float) -> int:
    """The narrow bin of a probability, 0 to 1; one on an edge belongs to the bin above."""
    return min(bisect_right(_EDGES, probability) - 1, NARROW - 1)


@dataclass(frozen=True, slots=True)
class CalibrationError:
    """The expected calibration error over 10 bins of about equal mass, debiased; 0 to 1, NaN without a decision.

    The number is made of sums of `COLUMNS` counts. Narrow bins whose middle lies in the same tenth of the decisions
    are joined. The plain error is the mean distance between the mean probability of a bin and its share of right
    decisions. Its bias is subtracted: for each bin E|X| minus the distance found, where X is normal around the gap
    found [Kumar, Liang & Ma, Verified Uncertainty Calibration, NeurIPS 2019, the debiased l1 error]. The variance of X
    is p (1 - p) / n, with p the share of right decisions or the mean probability, whichever gives more, so that a bin
    without an error has a variance. Decisions count as independent here; the interval knows clusters.
    """

    def __call__(self, sums: Floats) -> Floats:
        """The debiased error in each of the sums (… × columns)."""
        bins = _binned(sums, _joined(sums))
        distances = np.abs(bins.gaps)
        errors = np.sqrt(bins.variances)
        units = ratio(distances, errors, 0.0)
        expected = np.where(
            errors > 0,
            distances * _erf(units / math.sqrt(2)) + errors * _HALF_NORMAL_MEAN * np.exp(-(units**2) / 2),
            distances,
        )
        found: Floats = np.where(bins.total > 0, np.maximum(0.0, (2 * distances - expected).sum(-1)), np.nan)
        return found

    def trials(self, sums: Floats) -> Floats:
        """How many decisions there are in each of the sums."""
        found: Floats = sums[..., 0::3].sum(-1)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class _Bins:
    """The parts of bins (… × bins) in the mean of probability less rightness, their variances, and all decisions."""

    gaps: Floats
    variances: Floats
    total: Floats


def _joined(sums: Floats) -> NDArray[np.bool_]:
    """Which narrow bins make up each bin (… × narrow × bins): the tenth in which the middle of a narrow one lies."""
    counts = sums[..., 0::3]
    total = counts.sum(-1, keepdims=True)
    tenth = np.floor(BINS * ratio(np.cumsum(counts, axis=-1) - counts / 2, np.broadcast_to(total, counts.shape), 0.0))
    found: NDArray[np.bool_] = np.minimum(tenth, BINS - 1)[..., None] == np.arange(BINS)
    return found


def _binned(sums: Floats, joined: NDArray[np.bool_]) -> _Bins:
    counts, stated, right = (np.einsum("...j,...jk->...k", sums[..., k::3], joined) for k in range(3))
    total = counts.sum(-1)
    whole = np.broadcast_to(total[..., None], counts.shape)
    means = [np.clip(ratio(part, counts, 0.0), 0.0, 1.0) for part in (stated, right)]
    single = np.maximum(*(mean * (1 - mean) for mean in means))
    return _Bins(ratio(stated - right, whole, 0.0), ratio(counts * single, whole**2, 0.0), total)


def _erf(values: Floats) -> Floats:
    found: Floats = np.vectorize(math.erf, otypes=[np.float64])(values)
    return found


@dataclass(frozen=True, slots=True)
class CalibrationLaw:
    """All one-sided intervals of the calibration error before bias is subtracted; ``plain`` is the one found.

    Args:
        plain: The sum of the distances found, over bins.
        noise: Mean, standard deviation and skewness of the sum over bins of |noise|, each normal. The low end is
            ``plain`` minus a quantile of it (Cornish & Fisher).
        variance: Of the sum of gaps with any signs.
        event: What one wrong decision adds. The high end is that of a score interval, whose variance rises with the
            truth: with few wrong decisions the variance found is too small [Wilson, JASA 22, 1927: 209-212].
    """

    plain: float
    noise: tuple[float, float, float]
    variance: float
    event: float

    def low(self, alpha: float) -> float:
        """The sum found less the quantile of noise; below 0 if noise alone may have made it."""
        mean, deviation, skewness = self.noise
        z = -NormalDist().inv_cdf(max(alpha, _SMALLEST))
        return self.plain - mean - deviation * (z + (z**2 - 1) * skewness / 6)

    def high(self, alpha: float) -> float:
        """The sum found and the reach of a score interval."""
        z = -NormalDist().inv_cdf(max(alpha, _SMALLEST))
        half = self.event * z**2 / 2
        return self.plain + half + math.sqrt(z**2 * self.variance + half**2)

    def at_most(self, limit: float) -> float:
        """One-sided p of the truth being at most ``limit``."""
        mean, deviation, skewness = self.noise
        if not deviation > 0:
            return float(self.plain - limit <= mean)
        excess, bend = (self.plain - limit - mean) / deviation, skewness / 6
        root = 1 + 4 * bend * (bend + excess)
        if bend > 0:
            excess = (math.sqrt(root) - 1) / (2 * bend) if root > 0 else -1 / (2 * bend)
        return NormalDist().cdf(-excess)

    def at_least(self, limit: float) -> float:
        """One-sided p of the truth being at least ``limit``."""
        excess = limit - self.plain
        variance = self.variance + self.event * max(excess, 0.0)
        return NormalDist().cdf(-excess / math.sqrt(variance)) if variance > 0 else float(excess <= 0)


def calibration_law(rows: Floats) -> CalibrationLaw:
    """The law of the error in the sums of ``rows`` (clusters × columns), which must hold a decision.

    Decisions of one cluster may be correlated. Their design effect is measured. If few clusters have wrong decisions,
    it is mixed with its largest value, as for a share (`abalo.core.few_events`).
    """
    sums = rows.sum(axis=0)
    joined = _joined(sums)
    bins = _binned(sums, joined)
    total = float(bins.total)
    signs = np.where(bins.gaps < 0, -1.0, 1.0)
    gaps = (rows[:, 1::3] - rows[:, 2::3]) @ joined.astype(np.float64)
    sizes = rows[:, 0::3].sum(axis=1)
    counts = np.einsum("j,jk->k", sums[0::3], joined)
    centred = gaps - np.einsum("ij,jk->ik", rows[:, 0::3], joined) * ratio(bins.gaps * total, counts, 0.0)
    worst = float((sizes**2).sum() / total)
    single = float(bins.variances.sum()) * total**2
    measured = max(float((centred**2).sum()), float(((centred @ signs) ** 2).sum()))
    held, known = int((sizes > 0).sum()), int((counts > 0).sum())
    measured *= held / (held - known) if held > known else 1.0  # the gap of each bin was estimated
    seen = int((sizes - rows[:, 2::3].sum(axis=1) > 0).sum())
    effect = max(1.0, (seen * measured / single + worst) / (seen + 1)) if single > 0 else worst
    spread = np.sqrt(effect * bins.variances)
    variance = float((spread**2).sum())
    deviation = math.sqrt(_HALF_NORMAL_VARIANCE * variance)
    skewness = _HALF_NORMAL_THIRD * float((spread**3).sum()) / deviation**3 if deviation > 0 else 0.0
    noise = _HALF_NORMAL_MEAN * float(spread.sum()), deviation, skewness
    return CalibrationLaw(float(np.abs(bins.gaps).sum()), noise, variance, worst / total)
