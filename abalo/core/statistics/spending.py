"""Exact boundaries of a test with several looks.

[Armitage, McPherson & Rowe, Journal of the Royal Statistical Society A 132, 1969: 235-244; Jennison & Turnbull, Group
Sequential Methods, 2000, chapter 19]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from statistics import NormalDist

import numpy as np

from abalo.core.statistics.metrics import Floats

_GRID = 2001

_FAR = 8.0

NEVER = 8.0


def boundaries(shares: Sequence[float], level: float, power: float, known: Sequence[float] = ()) -> list[float]:
    """The boundary of each look, in standard errors, for a one-sided test.

    Args:
        shares: Share of sentences at each look, increasing to 1.
        level: Of all looks together, below 0.5.
        power: Looks may have spent ``level * share ** power``.
        known: Standard errors up to which each tail is normal; only the last look spends beyond.
    """
    return list(_boundaries(tuple(shares), level, power, tuple(known) or (math.inf,) * len(shares)))


def level_of(boundary: float) -> float:
    """The one-sided level of a single look; 0 at `NEVER`."""
    return 0.0 if boundary >= NEVER else NormalDist().cdf(-boundary)


@cache
def _boundaries(shares: tuple[float, ...], level: float, power: float, known: tuple[float, ...]) -> tuple[float, ...]:
    found: list[float] = []
    points, density, before, spent = np.zeros(1), np.ones(1), 0.0, 0.0
    for share, far in zip(shares, known, strict=True):
        step = math.sqrt(share - before)
        due = level * share**power - spent
        low, high = 0.0, NEVER * math.sqrt(share)
        for _ in range(60):  # halving: the chance to cross falls as the boundary rises
            middle = (low + high) / 2
            crossed = float((density * _beyond((middle - points) / step)).sum())
            low, high = (middle, high) if crossed > due else (low, middle)
        if share < 1 and high > far * math.sqrt(share):
            high = NEVER * math.sqrt(share)
        found.append(high / math.sqrt(share))
        spent += float((density * _beyond((high - points) / step)).sum())
        grid = np.linspace(-_FAR * math.sqrt(share), high, _GRID)
        width = grid[1] - grid[0]
        kernel = np.exp(-0.5 * ((grid[:, None] - points) / step) ** 2) / (step * math.sqrt(2 * math.pi))
        weights = np.full(_GRID, width)
        weights[[0, -1]] /= 2
        points, density, before = grid, kernel @ density * weights, share
    return tuple(found)


def _beyond(values: Floats) -> Floats:
    found: Floats = 0.5 * np.array([math.erfc(value / math.sqrt(2)) for value in values])
    return found
