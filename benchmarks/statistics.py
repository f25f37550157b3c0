"""How long the bootstrap takes: 100 cases × 10,000 resamples × 200 distinct sentences. Aim: under a second."""

from __future__ import annotations

import time

import numpy as np

from abalo.core.statistics import Bootstrap, estimate
from abalo.tasks.ner.task import TASK
from benchmarks.results import Aim, show

CASES, RESAMPLES, SENTENCES = 100, 10_000, 200


def main() -> None:
    """Times the interval of the F1 drop for random counts of entities."""
    generator = np.random.Generator(np.random.PCG64(1))
    gold = generator.integers(0, 4, (CASES, SENTENCES, 1)).astype(float)
    found = generator.binomial(gold.astype(int), 0.8).astype(float)
    tables = np.concatenate([gold, gold, gold, found, gold, gold], axis=2)
    bootstrap = Bootstrap(SENTENCES, RESAMPLES)
    started = time.perf_counter()
    drop = TASK.metrics()["f1_drop"].value
    for table in tables:
        estimate(float(drop(table.sum(axis=0))), drop(bootstrap.sums(table)), SENTENCES, 0.95)
    seconds = time.perf_counter() - started
    row = {"cases": CASES, "resamples": RESAMPLES, "sentences": SENTENCES, "seconds": round(seconds, 2)}
    show("statistics", [row], [Aim("seconds", 1, at_most=True)])


if __name__ == "__main__":
    main()
