"""Agreement of raters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np


def observed_agreement(items: Sequence[Sequence[int]]) -> float:
    """Share of rater pairs that agree on an item, mean over items; NaN without a pair."""
    return _mean([first == second for ratings in items for first, second in combinations(ratings, 2)])


def kappa(pairs: Sequence[tuple[int, int]]) -> float:
    """Cohen's kappa, linearly weighted: 1 is full agreement, 0 is chance; NaN if undefined.

    1 less the mean distance within pairs over the mean distance of all first to all second ratings [Cohen, Weighted
    kappa, 1968].
    """
    first, second = np.array(pairs, dtype=float).reshape(-1, 2).T
    by_chance = np.abs(first[:, None] - second).sum()
    return float(1 - len(pairs) * np.abs(first - second).sum() / by_chance) if by_chance else math.nan


def mean_kappa(items: Sequence[Sequence[int]]) -> float:
    """Mean of `kappa` over every two raters, ignoring NaN.

    [Light, Measures of response agreement for qualitative data, Psychological Bulletin 76, 1971: 365-377]
    """
    raters = combinations(zip(*items, strict=True), 2)
    found = [kappa(list(zip(first, second, strict=True))) for first, second in raters]
    return _mean([value for value in found if not math.isnan(value)])


def ac1(items: Sequence[Sequence[int]], categories: int) -> float:
    """Gwet's AC1: 1 is full agreement, 0 is chance; NaN if `observed_agreement` is.

    Ratings are 0 up to ``categories``, unordered. Chance agreement is the sum of p(1 - p) over the categories' shares
    p, divided by ``categories`` - 1. [Gwet, Computing inter-rater reliability and its variance in the presence of high
    agreement, British Journal of Mathematical and Statistical Psychology 61, 2008: 29-48, (4) and (5)]
    """
    seen = observed_agreement(items)
    shares = np.bincount([rating for ratings in items for rating in ratings], minlength=categories) / max(
        1, sum(map(len, items))
    )
    chance = float((shares * (1 - shares)).sum() / (categories - 1))
    return (seen - chance) / (1 - chance)


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed) if listed else math.nan
