"""The expected calibration error, with an interval that accounts for its bias."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from abalo.core.statistics.metrics import Floats, ratio

BINS = 10
"""[Guo et al., 2017; Kumar, Liang & Ma, 2019, 3]"""

_EDGES = (
    *(0.0, 0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995),
    *(0.999, 1.0),
)

NARROW = len(_EDGES) - 1

COLUMNS = 3 * NARROW
"""Per bin: decisions, summed probabilities, right decisions."""

_SMALLEST = 1e-15
_HALF_NORMAL_MEAN = math.sqrt(2 / math.pi)
_HALF_NORMAL_VARIANCE = 1 - 2 / math.pi
_HALF_NORMAL_THIRD = _HALF_NORMAL_MEAN * (4 / math.pi - 1)


def narrow_bin(probability: float) -> int:
    """The narrow bin of a probability."""
    return min(bisect_right(_EDGES, probability) - 1, NARROW - 1)


@dataclass(frozen=True, slots=True)
class CalibrationError:
    """The debiased calibration error over 10 bins of about equal mass; 0 to 1, NaN without a decision.

    A bin's bias is E|X| minus the distance found, with X normal around the gap found [Kumar, Liang & Ma, Verified
    Uncertainty Calibration, NeurIPS 2019, the debiased l1 error].
    """

    def __call__(self, sums: Floats) -> Floats:
        bins = _bin_sums(sums, _join_bins(sums))
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
        """The number of decisions."""
        found: Floats = sums[..., 0::3].sum(-1)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class _Bins:
    gaps: Floats
    variances: Floats
    total: Floats


def _join_bins(sums: Floats) -> NDArray[np.bool_]:
    counts = sums[..., 0::3]
    total = counts.sum(-1, keepdims=True)
    tenth = np.floor(BINS * ratio(np.cumsum(counts, axis=-1) - counts / 2, np.broadcast_to(total, counts.shape), 0.0))
    found: NDArray[np.bool_] = np.minimum(tenth, BINS - 1)[..., None] == np.arange(BINS)
    return found


def _bin_sums(sums: Floats, joined: NDArray[np.bool_]) -> _Bins:
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
    """The law of the calibration error before debiasing.

    Args:
        plain: Sum of the distances found.
        noise: Mean, standard deviation and skewness of the summed |noise|, for the low end (Cornish & Fisher).
        variance: Variance of the summed gaps.
        event: Effect of one wrong decision, for a score interval [Wilson, JASA 22, 1927: 209-212].
    """

    plain: float
    noise: tuple[float, float, float]
    variance: float
    event: float

    def low(self, alpha: float) -> float:
        mean, deviation, skewness = self.noise
        z = -NormalDist().inv_cdf(max(alpha, _SMALLEST))
        return self.plain - mean - deviation * (z + (z**2 - 1) * skewness / 6)

    def high(self, alpha: float) -> float:
        z = -NormalDist().inv_cdf(max(alpha, _SMALLEST))
        half = self.event * z**2 / 2
        return self.plain + half + math.sqrt(z**2 * self.variance + half**2)

    def at_most(self, limit: float) -> float:
        mean, deviation, skewness = self.noise
        if not deviation > 0:
            return float(self.plain - limit <= mean)
        excess, bend = (self.plain - limit - mean) / deviation, skewness / 6
        root = 1 + 4 * bend * (bend + excess)
        if bend > 0:
            excess = (math.sqrt(root) - 1) / (2 * bend) if root > 0 else -1 / (2 * bend)
        return NormalDist().cdf(-excess)

    def at_least(self, limit: float) -> float:
        excess = limit - self.plain
        variance = self.variance + self.event * max(excess, 0.0)
        return NormalDist().cdf(-excess / math.sqrt(variance)) if variance > 0 else float(excess <= 0)


def calibration_law(rows: Floats) -> CalibrationLaw:
    """The law of the error in ``rows`` (clusters × columns)."""
    sums = rows.sum(axis=0)
    joined = _join_bins(sums)
    bins = _bin_sums(sums, joined)
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
