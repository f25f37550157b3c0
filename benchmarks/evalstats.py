"""Intervals of `abalo gate` beside those of evalstats, for examples that are right or wrong in both of two runs.

Both runs are right with the same chance, and a share of the examples has one answer in both. Each line: coverage of
intervals of 95 % and their mean width, of evalstats' default, of its exact interval by Tango, and of ours. Aim: at
least 92.5 % covered by ours.

    PEER/bin/python -m benchmarks.evalstats [--runs RUNS]

PEER is an environment with Abalo and ``pip install evalstats==0.3.3``; without it the benchmark ends and says so.
Runs without any difference are left out: ours calls them the same results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import product
from statistics import fmean
from typing import Any

import numpy as np

from abalo.core.statistics.metrics import Floats
from abalo.scores.judging import judge_scores
from abalo.scores.rows import ScoreColumns, ScoreFile, collect
from abalo.scores.rules import ScoreRule
from benchmarks.arguments import Parser, need
from benchmarks.results import Aim, show
from benchmarks.scores import ALONE, right_or_wrong

PACKAGE, REMEDY = "evalstats", "make an environment of its own: pip install evalstats==0.3.3, beside what Abalo needs"
SIZES, RATES, SHARED = (50, 100, 200), (0.7, 0.95), (0.5, 0.9)

Ends = tuple[float, float]


def parser() -> Parser:
    """Its arguments."""
    made = Parser(__doc__, smoke=("--runs", "1", "--sizes", "50"))
    made.add_argument("--runs", type=int, default=500, help="runs of each line; default: %(default)s")
    made.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of examples; default: %(default)s")
    return made


def main(given: Sequence[str] | None = None) -> None:
    """Compares coverage and width."""
    options = parser().parse_args(given)
    need(PACKAGE, REMEDY)
    rows = [measured(*each, options.runs) for each in product(options.sizes, RATES, SHARED)]
    show("evalstats", rows, [Aim("Abalo: covered (%)", 92.5)])


def measured(size: int, rate: float, shared: float, runs: int) -> Mapping[str, object]:
    """Coverage and mean width of each library's intervals of a difference that is 0 in truth."""
    draws = np.random.Generator(np.random.PCG64([94, size, int(100 * rate), int(100 * shared)]))
    found: dict[str, list[Ends]] = {name: [] for name in ("default", "Tango", "Abalo")}
    for _ in range(runs):
        first, second = right_or_wrong(rate, shared)(draws, size)
        if np.array_equal(first, second):
            continue
        for name, interval in _INTERVALS.items():
            found[name].append(interval(first[:, 0], second[:, 0]))
    row: dict[str, object] = {"examples": size, "right (%)": round(100 * rate), "agree (%)": round(100 * shared)}
    for name, ends in found.items():
        row[f"{name}: covered (%)"] = "–" if not ends else round(100 * fmean(low <= 0 <= high for low, high in ends), 1)
        row[f"{name}: width"] = "–" if not ends else round(fmean(high - low for low, high in ends), 3)
    return row


def _theirs(method: str) -> Callable[[Floats, Floats], Ends]:
    def interval(first: Floats, second: Floats) -> Ends:
        library: Any = import_module(PACKAGE)
        generator = np.random.Generator(np.random.PCG64(1))
        found = library.pairwise_differences(
            np.stack([first, second]), 0, 1, method=method, rng=generator, n_bootstrap=2_000
        )
        return float(found.ci_low), float(found.ci_high)

    return interval


def _ours(first: Floats, second: Floats) -> Ends:
    (found,) = judge_scores(_file(first), _file(second), {"score": ScoreRule()}, ALONE)
    return found.loss.loss.low, found.loss.loss.high


def _file(scores: Floats) -> ScoreFile:
    def rows() -> Iterator[tuple[int, dict[str, object]]]:
        yield from ((k, {"id": f"e{k}", "score": score}) for k, score in enumerate(scores.tolist()))

    return collect("drawn", "drawn", rows(), ScoreColumns())


_INTERVALS: Mapping[str, Callable[[Floats, Floats], Ends]] = {
    "default": _theirs("auto"),
    "Tango": _theirs("tango"),
    "Abalo": _ours,
}


if __name__ == "__main__":
    main()
