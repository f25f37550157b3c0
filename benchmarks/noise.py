"""False alarms and power of a model that draws its answers, by simulation.

A classifier of two labels has a base answer to each text, right in 90 % of them. Each answer that is drawn is the other
label with a probability of 8 % or 20 %, the noise. `CASES` perturbations change every text and touch no base answer;
their bounds allow 2 % of flips. Columns, in percent of runs:

* *failed*: any bound fails;
* *regressed by noise*: any loss is regressed against an earlier run of the same model;
* *loss found*: any loss is regressed of a model that has lost 5 points: the base answers to 5 % of the texts, right
  before, are now wrong, clean and in every case.

Aims: noise alone makes at most 2.5 % of runs fail or regress, with two standard errors of the simulation.

    python -m benchmarks.noise [RUNS]

100 runs take about 5 CPU minutes.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

import numpy as np
from numpy.typing import NDArray

from abalo import Session
from abalo.comparison.test.comparison import compare_task
from abalo.comparison.test.family import Runs
from abalo.core.protocols.probe import Case
from abalo.core.protocols.task import Task
from abalo.core.records.gate import Gate
from abalo.core.running.noise import BEYOND, COUNTS
from abalo.core.statistics.estimates import measure
from abalo.core.statistics.evidence import ALIKE, REPEATS, Evidence
from abalo.core.statistics.verdicts import Bound, judge
from benchmarks.arguments import Parser
from benchmarks.results import Aim, show

CASES = 4
LIMIT = 0.02
RIGHT = 0.9
LOSS = 0.05
GRID = (
    *((0.08, n, repeats) for n in (200, 500) for repeats in (3, 5)),
    *((0.2, n, repeats) for n in (500, 1000) for repeats in (5, 10)),
)

Flags = NDArray[np.bool_]


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("1",))
    parser.add_argument("runs", type=int, nargs="?", default=100, help="default: %(default)s")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Simulates every row of the grid."""
    runs = parser().parse_args(given).runs
    session = Session("classification")
    gate = replace(session.gate, resamples=1_000)
    perturbed = [case for case in session.cases() if case.probe.name == "perturbation"][:CASES]
    bounds = (Bound("flip_rate", "max", LIMIT),)
    cases = [replace(session.baseline.case, bounds=()), *(replace(case, bounds=bounds) for case in perturbed)]
    rows = []
    for each in GRID:
        rows.append(_row(session.task, cases, gate, runs, *each))
        print(rows[-1], file=sys.stderr, flush=True)
    most = round(2.5 + 200 * math.sqrt(0.025 * 0.975 / runs), 1)
    aims = [Aim("failed (%)", most, at_most=True), Aim("regressed by noise (%)", most, at_most=True)]
    show("noise", rows, aims)


def _row(
    task: Task, cases: Sequence[Case], gate: Gate, runs: int, noise: float, n: int, repeats: int
) -> dict[str, object]:
    failed = alarms = found = 0
    for run in range(runs):
        random = np.random.Generator(np.random.PCG64([run, n, repeats, round(100 * noise)]))
        gold, base = random.random(n) < 0.5, random.random(n) < RIGHT
        worse = base & (random.random(n) >= LOSS / RIGHT)
        accepted, same, less = (
            {case.id: _evidence(gold, answers, noise, repeats, random, case) for case in cases}
            for answers in (base, base, worse)
        )
        failed += any(_fails(case, same[case.id], gate) for case in cases if case.bounds)
        alarms += _regressed(task, cases, gate, same, accepted)
        found += _regressed(task, cases, gate, less, accepted)
    return {
        "noise": f"{100 * noise:.0f} %, n = {n}, R = {repeats}",
        "failed (%)": round(100 * failed / runs, 1),
        "regressed by noise (%)": round(100 * alarms / runs, 1),
        "loss of 5 points found (%)": round(100 * found / runs, 1),
    }


def _fails(case: Case, evidence: Evidence, gate: Gate) -> bool:
    found = measure(evidence, [case.view], [BEYOND], gate)[case.view].estimate(BEYOND.name)
    (bound,) = case.bounds
    return judge(bound, found, confidence=gate.confidence, blocking_bounds=CASES).verdict == "fail"


def _regressed(
    task: Task, cases: Sequence[Case], gate: Gate, new: Mapping[str, Evidence], old: Mapping[str, Evidence]
) -> bool:
    result = compare_task(task, cases, Runs(new, old), gate, date(2026, 1, 1))
    every = [result.baseline, *([] if result.mean is None else [result.mean]), *result.losses]
    return any(loss.state == "regressed" for loss in every)


def _evidence(
    gold: Flags, base: Flags, noise: float, repeats: int, random: np.random.Generator, case: Case
) -> Evidence:
    """The evidence of a case that touches no base answer; ``base`` says which of them are right."""
    n = len(gold)
    clean, changed = (base[:, None] ^ (random.random((n, repeats)) < noise) for _ in range(2))
    if not case.probe.perturbs:
        changed = clean
    counts = np.zeros((n, 3, 4))
    counts[:, 0] = np.stack([np.full(n, repeats), clean.sum(1), changed.sum(1), (clean & ~changed).sum(1)], axis=1)
    for group, own in enumerate((~gold, gold), start=1):
        counts[own, group] = counts[own, 0]
    tables = {"label_counts": counts, "kept_counts": counts, COUNTS: _compared(clean, changed)}
    if not case.probe.perturbs:
        del tables[COUNTS]
    hits = np.zeros((n, 3, 6))
    tables |= {"class_counts": hits, "kept_class_counts": hits}
    names = np.array([f"t{k:04}" for k in range(n)])
    shown = np.full(n, case.probe.perturbs)
    return Evidence(
        ("negative", "positive"),
        names,
        np.where(gold, "positive", "negative"),
        np.ones(n, dtype=np.int64),
        np.zeros(n, dtype=np.int64),
        np.full(n, ""),
        names,
        np.where(shown, names, ""),
        shown,
        np.zeros(n, dtype=bool),
        np.stack([~gold, gold], axis=1).astype(np.int64),
        {ALIKE: tables},
        {REPEATS: repeats},
    )


def _compared(clean: Flags, changed: Flags) -> NDArray[np.float64]:
    """Answers of two labels under repeats, counted as by `abalo.core.running.noise.compare_repeats`."""
    n, repeats = clean.shape
    table = np.zeros((n, 3, 6))
    first, second = clean.sum(1), changed.sum(1)
    same = (clean & changed).sum(1)
    across = first * (repeats - second) + second * (repeats - first) - (first + second - 2 * same)
    pairs = [2 * each * (repeats - each) for each in (first, second)]
    majority = [2 * each > repeats for each in (first, second)]
    trials = np.full(n, repeats * (repeats - 1))
    table[:, 0] = np.stack([across, *pairs, trials, majority[0] != majority[1], np.ones(n)], axis=1)
    return table


if __name__ == "__main__":
    main()
