"""Levenshtein distance."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def levenshtein(first: Sequence[str], second: Sequence[str]) -> int:
    """The Levenshtein distance, bit-parallel.

    [V. I. Levenshtein, Binary codes capable of correcting deletions, insertions, and reversals, 1966; H. Hyyrö, A
    bit-vector algorithm for computing Levenshtein and Damerau edit distances, 2003]
    """
    shorter = min(len(first), len(second))
    start = _most(shorter, lambda count: first[:count] == second[:count])
    end = _most(shorter - start, lambda count: first[len(first) - count :] == second[len(second) - count :])
    left, right = (each[start : len(each) - end] for each in (first, second))
    if not left:
        return len(right)
    places: dict[str, int] = {}
    for place, item in enumerate(left):
        places[item] = places.get(item, 0) | 1 << place
    every = (1 << len(left)) - 1
    last = 1 << len(left) - 1
    up, down, distance = every, 0, len(left)  # the places whose cell is 1 more, and 1 less, than the one above
    for item in right:
        equal = places.get(item, 0)
        diagonal = (((equal & up) + up) ^ up) | equal | down  # where a cell is as its diagonal neighbour
        more, less = down | ~(diagonal | up), up & diagonal  # 1 more, and 1 less, than the one to the left
        distance += bool(more & last) - bool(less & last)
        more, less = more << 1 | 1, less << 1
        up, down = (less | ~(diagonal | more)) & every, more & diagonal & every
    return distance


def _most(limit: int, holds: Callable[[int], bool]) -> int:
    low = 0
    while low < limit:
        middle = (low + limit + 1) // 2
        low, limit = (middle, limit) if holds(middle) else (low, middle - 1)
    return low


def share(first: Sequence[str], second: Sequence[str]) -> float:
    """The distance divided by the longer length, 0 to 1."""
    return levenshtein(first, second) / max(len(first), len(second), 1)
