"""How often a model is told that it hangs on its prompt: one that does not mind, and one that does, by simulation.

A classifier of two labels has a base answer to each text, right in 90 % of them, whatever the prompt. Each answer that
is drawn is the other label with a probability that each text has for itself, on average the noise. The model is asked
by 12 prompts, R times by each. Columns, in percent of runs:

* *told sensitive*: the model does not mind, and the report says that its score hangs on the prompt;
* *loss found*: one of the prompts loses 5 points, and the report says so.

Aim: at most 2.5 % of runs tell a model that does not mind that it does, with two standard errors of the simulation.

    python -m benchmarks.prompts [RUNS]

400 runs take about 10 CPU minutes.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from abalo import Session
from abalo.core.statistics.evidence import ALIKE, Evidence
from abalo.core.statistics.metrics import Metric
from abalo.probes.spread import spread_scores
from benchmarks.arguments import Parser
from benchmarks.results import Aim, show

PROMPTS = 12
RIGHT = 0.9
LOSS = 0.05
CONFIDENCE = 0.95
GRID = (
    (0.0, 200, 1),
    (0.01, 500, 3),
    *((0.08, n, repeats) for n in (200, 500) for repeats in (3, 5)),
    *((0.2, n, repeats) for n in (500, 1000) for repeats in (3, 5)),
)

Flags = NDArray[np.bool_]


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("1",))
    parser.add_argument("runs", type=int, nargs="?", default=400, help="default: %(default)s")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Simulates every row of the grid."""
    runs = parser().parse_args(given).runs
    task = Session("classification").task
    metric = task.metrics()[task.floor]
    rows = []
    for each in GRID:
        rows.append(_row(metric, runs, *each))
        print(rows[-1], file=sys.stderr, flush=True)
    most = round(2.5 + 200 * math.sqrt(0.025 * 0.975 / runs), 1)
    show("prompts", rows, [Aim("told sensitive (%)", most, at_most=True)])


def _row(metric: Metric, runs: int, noise: float, n: int, repeats: int) -> dict[str, object]:
    told = found = 0
    for run in range(runs):
        random = np.random.Generator(np.random.PCG64([run, n, repeats, round(100 * noise)]))
        base = random.random(n) < RIGHT
        own = np.minimum(0.5, noise * random.exponential(size=n))
        worse = base & (random.random(n) >= LOSS / RIGHT)
        told += _is_told(metric, [base] * PROMPTS, own, repeats, random)
        found += _is_told(metric, [*[base] * (PROMPTS - 1), worse], own, repeats, random)
    return {
        "noise": f"{100 * noise:.0f} %, n = {n}, R = {repeats}",
        "told sensitive (%)": round(100 * told / runs, 1),
        "loss of 5 points found (%)": round(100 * found / runs, 1),
    }


def _is_told(
    metric: Metric, base: list[Flags], noise: NDArray[np.float64], repeats: int, random: np.random.Generator
) -> bool:
    """Whether the report says that the score hangs on the prompt; ``base`` says which answers are right, by prompt."""
    n, names = len(noise), [f"p{number}" for number in range(len(base))]
    right = [(each[:, None] ^ (random.random((n, repeats)) < noise[:, None])).sum(axis=1) for each in base]
    counts = np.zeros((n * len(base), 1, 4))
    counts[:, 0, 0], counts[:, 0, 1] = repeats, np.tile(right[0], len(base))
    counts[:, 0, 2] = np.concatenate(right)
    ids = np.tile([f"t{k:04}" for k in range(n)], len(base))
    none = np.zeros(len(ids), dtype=np.int64)
    evidence = Evidence(
        (),
        ids,
        ids,
        none,
        none,
        np.repeat(names, n),
        ids,
        ids,
        none > 0,
        none > 0,
        np.zeros((len(ids), 0), dtype=np.int64),
        {ALIKE: {metric.count.__name__: counts}},
    )
    spread = spread_scores(evidence, metric, "", names, CONFIDENCE)
    return spread is not None and spread.sensitive


if __name__ == "__main__":
    main()
