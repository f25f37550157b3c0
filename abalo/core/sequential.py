"""How sure a verdict must be before all sentences are seen: group-sequential looks with alpha spending.

A case that may stop early is looked at a few times, at sizes that are planned before anything is seen. Of the error
that a bound may make, each look spends what the curve of O'Brien and Fleming allows by then less what earlier looks
could spend. So whatever the looks have to do with each other, all of them together err at most as often as one look at
the whole corpus would (Boole's inequality), and where a case stops does not matter.

[Lan & DeMets, Discrete sequential boundaries for clinical trials, Biometrika 70, 1983: 659-663; O'Brien & Fleming, A
multiple testing procedure for clinical trials, Biometrics 35, 1979: 549-556]
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from perturbations.streams import lot

SHARES = (1 / 8, 3 / 16, 1 / 4, 3 / 8, 1 / 2, 1.0)
"""The shares of the distinct examples after which a case is looked at. Doubling alone would waste more sentences,
further looks between a half and the whole would take more from the last."""

FIRST = 100
"""So many distinct examples are seen at the first look, and wherever nothing is to be decided."""

FINEST = 1e-9
"""A look at which less can be spent decides nothing: six standard errors from a number its law is anybody's guess."""

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
    sizes = sorted({min(FIRST, clusters), *(n for share in SHARES if (n := math.ceil(share * clusters)) >= FIRST)})
    looks = [Look(size, 1, one * size / clusters) for size in sizes]
    return (*looks, Look(clusters, seeds, 1.0)) if seeds > 1 else tuple(looks)


def order(clusters: Sequence[str], seed: int) -> list[str]:
    """Each of the clusters once, in the order in which they are seen: one that no result depends on."""
    return sorted(set(clusters), key=lambda cluster: (lot(seed, "stop early", cluster), cluster))


def spent(share: float, level: float) -> float:
    """The part of a one-sided ``level``, 0 to 0.5, that may be spent when this share of the information is seen.

    It is half of Lan and DeMets' curve of O'Brien and Fleming's shape for a two-sided test at twice the level.
    """
    if share >= 1:
        return level
    return NormalDist().cdf(NormalDist().inv_cdf(level) / math.sqrt(share))


def increment(looks: Sequence[Look], number: int, level: float) -> float:
    """The part of the level that the look with this number, from 1, may spend; 0 where that is less than `FINEST`."""
    before = spent(looks[number - 2].share, level) if number > 1 else 0.0
    found = spent(looks[number - 1].share, level) - before
    return found if found >= FINEST else 0.0


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
