"""Standard errors without resampling, for more clusters than are worth resampling.

A number made of sums is nearly linear in the weights of many clusters, so its spread over resamples is that of its
linear part (the delta method; Efron & Tibshirani, An Introduction to the Bootstrap, 1993, 21.4 and 21.5). It takes one
pass over the clusters where a bootstrap of 10,000 resamples takes 10,000.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from abalo.core.metrics import Flags, Floats
from abalo.core.summable import summable

MANY = 20_000
"""Above so many clusters intervals are linearised."""

ENOUGH = 2_000
"""Where of these no more than so many tell something about a number, it is resampled over them all the same."""

RARE = 200
"""In a mean over groups the clusters of a group that no more than so many tell about are resampled."""

_STEP = 0.1
"""The step by which a slope is found, in standard errors of a sum: as far as resamples reach, not infinitely small."""

_CELLS_AT_ONCE = 2**20
"""Of arrays that are made one after the other: 8 MiB each."""


def standard_error(value: Callable[[Floats], Floats], rows: Floats) -> float:
    """The standard error of the number that ``value`` makes of the sums of ``rows`` (clusters × …).

    NaN where the number has no value a small step away. That of a multinomial resample, in which a column of sums has
    the covariance of the rows about their mean, summed over the rows.
    """
    parts = linear_parts(value, rows)
    return math.sqrt(float(((parts - parts.mean()) ** 2).sum()))


def linear_parts(value: Callable[[Floats], Floats], rows: Floats) -> Floats:
    """By cluster, how much one more of the cluster changes the number: the row times the slopes (clusters).

    ``value`` maps sums of ``rows`` (clusters × …) to the number; any entry of the sums may count. NaN where the number
    has no value a small step away.
    """
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
    """Draws of the number in resamples, in which only some of the clusters are resampled and the others linearised.

    The number of times that a cluster occurs is Poisson with mean 1, which for many clusters is that of a multinomial
    resample, and lets both sorts of clusters vary apart from each other [Hanley & MacGibbon, Creating non-parametric
    bootstrap samples using Poisson frequencies, Computer Methods and Programs in Biomedicine 83, 2006: 57-62]. The
    linear parts of the others add up to a normal number. None where the number has no value a small step away.
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
