"""Standard errors without resampling, by the delta method.

[Efron & Tibshirani, An Introduction to the Bootstrap, 1993, 21.4 and 21.5]
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from abalo.core.statistics.metrics import Flags, Floats
from abalo.core.statistics.summable import summable

MANY = 20_000
"""Above so many clusters, intervals are linearised."""

ENOUGH = 2_000

RARE = 200

_STEP = 0.1
"""In standard errors of a sum."""

_CELLS_AT_ONCE = 2**20


def standard_error(value: Callable[[Floats], Floats], rows: Floats) -> float:
    """The standard error of ``value`` over the sums of ``rows``; may be NaN."""
    parts = linear_parts(value, rows)
    return math.sqrt(float(((parts - parts.mean()) ** 2).sum()))


def linear_parts(value: Callable[[Floats], Floats], rows: Floats) -> Floats:
    """How much one more of each cluster changes the number; may be NaN."""
    flat = rows.reshape(len(rows), -1)
    sums = flat.sum(axis=0, dtype=np.float64)
    spread = np.einsum("ij,ij->j", flat, flat) - sums**2 / len(flat)
    steps = _STEP * np.sqrt(np.maximum(spread, 0.0))
    slopes = np.zeros(len(sums))
    moved = np.flatnonzero(steps > 0)
    at_once = max(1, _CELLS_AT_ONCE // len(sums))
    for first in range(0, len(moved), at_once):
        some = moved[first : first + at_once]
        up, down = (np.repeat(sums[None], len(some), axis=0) for _ in range(2))
        up[np.arange(len(some)), some] += steps[some]
        down[np.arange(len(some)), some] -= steps[some]
        above, below = (value(each.reshape(len(some), *rows.shape[1:])) for each in (up, down))
        slopes[some] = (above - below) / (2 * steps[some])
    return flat @ slopes


def partly_resampled(
    value: Callable[[Floats], Floats], rows: Floats, resampled: Flags, resamples: int
) -> Floats | None:
    """Draws with only some clusters ``resampled``; None if undefined.

    [Hanley & MacGibbon, Computer Methods and Programs in Biomedicine 83, 2006: 57-62]
    """
    others = linear_parts(value, rows)[~resampled]
    error = math.sqrt(float((others**2).sum()))
    if math.isnan(error):
        return None
    own = rows[resampled]
    flat = summable(own.reshape(len(own), -1), 8 * len(own))
    rest = rows.sum(axis=0, dtype=np.float64) - own.sum(axis=0)
    generator = np.random.Generator(np.random.PCG64([len(rows), len(own)]))
    draws, at_once = np.empty(resamples), max(1, _CELLS_AT_ONCE // max(len(own), rest.size))
    for first in range(0, resamples, at_once):
        last = min(first + at_once, resamples)
        sums = generator.poisson(1.0, size=(last - first, len(own))).astype(flat.dtype) @ flat
        draws[first:last] = value(rest + sums.reshape(last - first, *rest.shape))
    return draws + error * generator.standard_normal(resamples)
