"""The fewest insertions, deletions and replacements that make one sequence of another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def levenshtein(first: Sequence[str], second: Sequence[str]) -> int:
    """How many items must be inserted, deleted or replaced.

    What both begin and end with is set aside, so that a small change in a long text takes no time.
    [V. I. Levenshtein, Binary codes capable of correcting deletions, insertions, and reversals, 1966]
    """
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    end = 0
    while end < min(len(first), len(second)) - start and first[-1 - end] == second[-1 - end]:
        end += 1
    left, right = (each[start : len(each) - end] for each in (first, second))
    numbers = {item: number for number, item in enumerate(dict.fromkeys([*left, *right]))}
    columns = np.array([numbers[item] for item in right], dtype=np.int64)
    steps = np.arange(len(right) + 1)
    row = steps
    for item in left:
        kept = np.concatenate([[row[0] + 1], np.minimum(row[1:] + 1, row[:-1] + (columns != numbers[item]))])
        row = np.minimum.accumulate(kept - steps) + steps  # and whatever is inserted behind
    return int(row[-1])


def share(first: Sequence[str], second: Sequence[str]) -> float:
    """The same over the items of the longer one, 0 to 1: 0 for equal ones, 1 where nothing is left."""
    return levenshtein(first, second) / max(len(first), len(second), 1)
