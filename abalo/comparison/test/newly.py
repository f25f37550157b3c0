"""Examples that the reference gets right and a new model gets wrong, and the reverse.

The share of the first kind is the negative flip rate [Xie, Lai, Xiong, Zhang & Soatto, ACL 2021: 6589-6599].
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo.core.statistics.estimates import UNDEFINED, Estimate
from abalo.core.statistics.few_events import ShareLaw, share_law
from abalo.core.statistics.metrics import Flags, Floats
from abalo.core.statistics.verdicts import Bound

NEWLY_WRONG = "newly_wrong"


@dataclass(frozen=True, slots=True)
class Turned:
    """Examples that turned one way: their ``count``, and their ``share`` of all common examples, 0 to 1."""

    count: int
    share: Estimate


@dataclass(frozen=True, slots=True)
class Newly:
    """Examples that turned from right to ``wrong``, and from wrong to ``right``, of so many common ``examples``."""

    wrong: Turned
    right: Turned
    examples: int


def newly(before: Flags, now: Flags, clusters: NDArray[Any], confidence: float) -> Newly:
    """Counts the examples that turned.

    Args:
        before: Whether the reference gets each common example right (examples).
        now: The same for the new model, in the same order.
        clusters: The cluster of each example; examples of one cluster are one piece of evidence.
        confidence: The confidence of the exact intervals, 0.5 to below 1.

    Returns:
        Both counts and shares. The ``law`` of a share decides a bound (`abalo.core.statistics.verdicts.judge`). Shares
        of no example are undefined.
    """
    groups = np.unique(clusters, return_inverse=True, return_counts=True)
    places, sizes = groups[1], groups[2].astype(np.float64)
    wrong, right = (_turned(flags, places, sizes, confidence) for flags in (before & ~now, now & ~before))
    return Newly(wrong, right, len(before))


def bound_on_newly_wrong(limit: float) -> Bound:
    """The bound ``max_newly_wrong`` on the share of newly wrong examples, 0 to 1."""
    return Bound(NEWLY_WRONG, "max", limit)


def _turned(flags: Flags, places: NDArray[np.intp], sizes: Floats, confidence: float) -> Turned:
    if not len(flags):
        return Turned(0, UNDEFINED)
    events = np.zeros(len(sizes)) + np.bincount(places, weights=flags, minlength=len(sizes))
    count, alpha = int(flags.sum()), (1 - confidence) / 2
    alone = len(sizes) == len(flags)
    law = ShareLaw(count / len(flags), len(flags)) if alone else share_law(events, sizes)
    low, high = law.low(alpha), law.high(alpha)
    se = (high - low) / (2 * NormalDist().inv_cdf(1 - alpha))
    trials = float(sizes.sum() ** 2 / (sizes**2).sum())
    found = Estimate(
        count / len(flags), low, high, se, len(sizes), len(sizes), int((events > 0).sum()), law, trials=trials
    )
    return Turned(count, found)
