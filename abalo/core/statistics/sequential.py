"""Group-sequential looks with alpha spending: together they err at most as often as one.

[Lan & DeMets, Biometrika 70, 1983: 659-663; curve: Kim & DeMets, Biometrika 74, 1987: 149-154]
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from perturbations.streams import lot

STEP = 2 / 3

FEWEST = 100

SHOWN = 50

POWER = 2
"""Spending exponent; 3 resembles O'Brien and Fleming."""

FINEST = 1e-9

_KNOWN = 1.5
"""[Cramér, Sur un nouveau théorème-limite de la théorie des probabilités, 1938]"""

LOOK = "look"
"""Prefix of notes; look 0 means that nothing was decided."""

_CLUSTERS, _SEEDS = f"{LOOK}: clusters", f"{LOOK}: seeds"


@dataclass(frozen=True, slots=True)
class Look:
    """A look at distinct examples, with its ``share`` of information."""

    clusters: int
    seeds: int
    share: float


def looks_of(clusters: int, seeds: int) -> tuple[Look, ...]:
    """The looks at a case: parts of the corpus, all of it, then all seeds."""
    one = (seeds + 1) / (2 * seeds)
    sizes = [clusters]
    while (smaller := math.ceil(STEP * sizes[-1])) >= FEWEST:
        sizes.append(smaller)
    looks = [Look(size, 1, one * size / clusters) for size in reversed(sizes)]
    return (*looks, Look(clusters, seeds, 1.0)) if seeds > 1 else tuple(looks)


def order(clusters: Sequence[str], seed: int) -> list[str]:
    """The distinct clusters, ordered by the seed."""
    return sorted(set(clusters), key=lambda cluster: (lot(seed, "stop early", cluster), cluster))


def spend_level(share: float, level: float) -> float:
    """The part of a one-sided ``level`` spent by this share."""
    return level * float(share**POWER)


def increment(looks: Sequence[Look], number: int, level: float) -> float:
    """The part of the level that a look may spend."""
    before = found = 0.0
    for look in looks[:number]:
        found = spend_level(look.share, level) - before
        if look.share < 1 and found < _tail(look.clusters):
            found = 0.0
        before += found
    return found


def _tail(clusters: int) -> float:
    return NormalDist().cdf(-known_tail(clusters))


def known_tail(clusters: int) -> float:
    """Standard errors up to which a tail counts as normal."""
    return float(_KNOWN * clusters ** (1 / 6))


def look_notes(number: int, clusters: int, seeds: int) -> dict[str, int]:
    """The notes of a stop at this look."""
    return {LOOK: number, _CLUSTERS: clusters, _SEEDS: seeds}


def may_stop(notes: Mapping[str, int]) -> bool:
    """Whether the case could stop early."""
    return LOOK in notes


def stopped(notes: Mapping[str, int]) -> bool:
    """Whether a look before the last decided the case."""
    return 0 < notes.get(LOOK, 0) < len(looks_of(notes[_CLUSTERS], notes[_SEEDS]))


def level_at(notes: Mapping[str, int], level: float) -> float:
    """The part of a one-sided level for the last look."""
    if not notes.get(LOOK):
        return level
    return increment(looks_of(notes[_CLUSTERS], notes[_SEEDS]), notes[LOOK], level)
