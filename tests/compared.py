"""Evidence of runs that can be compared, written by hand."""

import numpy as np

from abalo.core.statistics.evidence import ALIKE, Evidence

N = 200
"""Sentences of a run."""


def run_of(found, *, kinds=None, variants="same", seeds=None, gold="gold", outside=None):
    """Evidence of sentences with one entity each, which the model has found or missed, clean and changed alike.

    ``kinds`` are the types of the entities; all are PER where nothing is said.
    """
    found = np.asarray(found, dtype=bool)
    n = len(found)
    kinds = ["PER"] * n if kinds is None else kinds
    groups = tuple(sorted(set(kinds)))
    table = np.zeros((n, 1 + len(groups), 6))
    held = np.zeros((n, len(groups)), dtype=np.int64)
    for row, (hit, kind) in enumerate(zip(found, kinds, strict=True)):
        for column in (0, 1 + groups.index(kind)):
            table[row, column] = [hit, hit, 1] * 2
        held[row, groups.index(kind)] = 1
    ids = np.array([f"s{row:04}" for row in range(n)])
    return Evidence(
        groups,
        ids,
        np.array([f"{gold}{row}" for row in range(n)]),
        np.ones(n, dtype=np.int64) if seeds is None else np.asarray(seeds),
        np.zeros(n, dtype=np.int64),
        np.full(n, ""),
        ids,
        np.full(n, variants),
        np.ones(n, dtype=bool),
        np.zeros(n, dtype=bool) if outside is None else outside,
        held,
        {ALIKE: {"entity_counts": table}},
    )


def found_of(share, n=N, seed=0):
    """Whether each of so many entities is found, that share of them, scattered."""
    hits = np.arange(n) < round(share * n)
    return np.random.Generator(np.random.PCG64(seed)).permutation(hits)


GOOD = found_of(0.9)
WORSE = GOOD & ~found_of(0.25, seed=1)
"""Loses about a quarter of what is found in `GOOD`, and finds nothing else."""
EQUAL = GOOD.copy()
EQUAL[[int(np.argmax(GOOD)), int(np.argmin(GOOD))]] = False, True
"""Finds as many as `GOOD`, and one other."""
