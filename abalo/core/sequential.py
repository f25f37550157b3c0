"""How sure a verdict must be before all sentences are seen: group-sequential looks with alpha spending.

A case that may stop early is looked at a few times, at sizes that are planned before anything is seen. Of the error
that a bound may make, each look spends what a curve allows by then less what earlier looks could spend. So whatever the
looks have to do with each other, all of them together err at most as often as one look at the whole corpus would
(Boole's inequality), and where a case stops does not matter.

[Lan & DeMets, Discrete sequential boundaries for clinical trials, Biometrika 70, 1983: 659-663; the curve is of Kim &
DeMets, Design and analysis of group sequential tests based on the type I error spending rate function, Biometrika 74,
1987: 149-154]
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from perturbations.streams import lot

STEP = 2 / 3
"""The part of the distinct examples of a look that the look before it has. Larger steps would waste more sentences,
smaller ones leave less of the level to each look."""

FEWEST = 100
"""No look has fewer distinct examples, but one at all of them."""

SHOWN = 50
"""So many are seen where nothing is to be decided: with fewer nothing could be judged by them later on, either."""

POWER = 2
"""The level is spent as this power of the share of the information. With 3, close to the boundaries of O'Brien and
Fleming, a fifth of the sentences may spend next to nothing; with 1 too little is left for the last look."""

FINEST = 1e-9
"""Stands for a level of 0 where the interval of a look that may spend nothing is shown."""

_KNOWN = 1.5
"""Up to so many standard errors, times the sixth root of the number of examples, the tail of a mean is taken to be
normal; a look that could spend only what lies further out decides nothing [Cramér, Sur un nouveau théorème-limite de la
théorie des probabilités, 1938: relative errors vanish within o(n^(1/6))]."""

LOOK = "look"
"""Begins the names of notes in the evidence of a case that may stop early: at which look it stopped, counted from 1,
and how many distinct examples and seeds there are in all. It is 0 where nothing was to be decided, so that the case
stopped after a part that was planned: nothing seen had a say in it, and nothing is spent."""

_CLUSTERS, _SEEDS = f"{LOOK}: clusters", f"{LOOK}: seeds"


@dataclass(frozen=True, slots=True)
class Look:
    """A look at so many distinct examples under so many seeds; ``share`` is that of the information, above 0 to 1."""

    clusters: int
    seeds: int
    share: float


def plan(clusters: int, seeds: int) -> tuple[Look, ...]:
    """The looks at a case with so many distinct examples and seeds, the last one at everything.

    First come parts of the corpus under the first seed, then all of it, then all seeds. One seed of several is taken
    to tell as much as it would if half of what varies between sentences varied between their variants. If it tells
    more or less, looks come a little late or early; errors do not depend on it.
    """
    one = (seeds + 1) / (2 * seeds)
    sizes = [clusters]
    while (smaller := math.ceil(STEP * sizes[-1])) >= FEWEST:
        sizes.append(smaller)
    looks = [Look(size, 1, one * size / clusters) for size in reversed(sizes)]
    return (*looks, Look(clusters, seeds, 1.0)) if seeds > 1 else tuple(looks)


def order(clusters: Sequence[str], seed: int) -> list[str]:
    """Each of the clusters once, in the order in which they are seen: one that no result depends on."""
    return sorted(set(clusters), key=lambda cluster: (lot(seed, "stop early", cluster), cluster))


def spent(share: float, level: float) -> float:
    """The part of a one-sided ``level`` that may be spent when this share of the information, 0 to 1, is seen."""
    return level * float(share**POWER)


def increment(looks: Sequence[Look], number: int, level: float) -> float:
    """The part of the level that the look with this number, from 1, may spend; 0 where its tail is not known.

    What a look does not spend is left to the next. The last look spends all that is left.
    """
    before = found = 0.0
    for look in looks[:number]:
        found = spent(look.share, level) - before
        if look.share < 1 and found < _tail(look.clusters):
            found = 0.0
        before += found
    return found


def _tail(clusters: int) -> float:
    """The smallest level at which the end of an interval of so many distinct examples is told."""
    return NormalDist().cdf(-_KNOWN * clusters ** (1 / 6))


def noted(number: int, clusters: int, seeds: int) -> dict[str, int]:
    """The notes about a case that stopped at the look with this number."""
    return {LOOK: number, _CLUSTERS: clusters, _SEEDS: seeds}


def may_stop(notes: Mapping[str, int]) -> bool:
    """Whether the case with these notes was one that may stop early."""
    return LOOK in notes


def level_at(notes: Mapping[str, int], level: float) -> float:
    """The part of a one-sided level that the look at which a case stopped may spend; all of it where there was none."""
    if not notes.get(LOOK):
        return level
    return increment(plan(notes[_CLUSTERS], notes[_SEEDS]), notes[LOOK], level)
