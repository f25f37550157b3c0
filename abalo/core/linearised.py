"""Standard errors without resampling, for more clusters than are worth resampling.

A number made of sums is nearly linear in the weights of many clusters, so its spread over resamples is that of its
linear part (the delta method; Efron & Tibshirani, An Introduction to the Bootstrap, 1993, 21.4 and 21.5). It takes one
pass over the clusters where a bootstrap of 10,000 resamples takes 10,000.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from abalo.core.metrics import Floats

MANY = 20_000
"""Above so many clusters intervals are linearised."""

ENOUGH = 2_000
"""Where of these no more than so many tell something about a number, it is resampled over them all the same."""

_STEP = 0.1
"""The step by which a slope is found, in standard errors of a sum: as far as resamples reach, not infinitely small."""


def standard_error(value: Callable[[Floats], Floats], rows: Floats) -> float:
    """The standard error of the number that ``value`` makes of the sums of ``rows`` (clusters × columns).

    NaN where the number has no value a small step away. That of a multinomial resample, in which a column of sums has
    the covariance of the rows about their mean, summed over the rows.
    """
    sums = rows.sum(axis=0, dtype=np.float64)
    covariance = rows.T @ rows - np.outer(sums, sums) / len(rows)
    steps = _STEP * np.sqrt(np.maximum(np.diag(covariance), 0.0))
    moved = np.flatnonzero(steps > 0)
    up, down = (np.repeat(sums[None], len(moved), axis=0) for _ in range(2))
    up[np.arange(len(moved)), moved] += steps[moved]
    down[np.arange(len(moved)), moved] -= steps[moved]
    slopes = (value(up) - value(down)) / (2 * steps[moved])
    variance = float(slopes @ covariance[np.ix_(moved, moved)] @ slopes)
    return math.sqrt(max(variance, 0.0)) if not math.isnan(variance) else math.nan
