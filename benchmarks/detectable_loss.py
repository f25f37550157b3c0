"""The detectable loss of floors, stated and simulated: how often a model with that loss fails the floor.

Floors on the clean corpus, overall and by label, with the limits that `abalo calibrate` computes. For each floor, a
model loses hits at random, so that its true score lies below the measured score by the stated detectable loss. The
model is judged on corpora drawn from the distinct examples with replacement. Aim: it fails in 75 to 85 % of the runs,
for overall floors and for labels that at least 50 examples hold; beside that two standard errors of the simulation.

    python -m benchmarks.detectable_loss [RUNS]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from abalo import Session
from abalo.config.calibration import add_bounds, limit_of, with_groups
from abalo.core.protocols.probe import Case
from abalo.core.protocols.task import Task
from abalo.core.records.gate import Gate
from abalo.core.running.judging import judge_early
from abalo.core.statistics.detectable import detectable_loss_of
from abalo.core.statistics.estimates import measure
from abalo.core.statistics.evidence import Evidence, name_of
from abalo.core.statistics.verdicts import POWER, level_of
from benchmarks.arguments import Parser
from benchmarks.early_regressions import drawn
from benchmarks.results import Aim, show
from benchmarks.thinned import lost_for, thinned


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("1", "--limit", "80"))
    parser.add_argument("runs", type=int, nargs="?", default=500, help="default: %(default)s")
    parser.add_limit()
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Simulates the floors of two tasks."""
    options = parser().parse_args(given)
    runs = options.runs
    rows = [row for task in ("ner", "classification") for row in rows_of(task, runs, options.limit)]
    error = 2 * 100 * math.sqrt(POWER * (1 - POWER) / runs)
    least, most = (round(100 * POWER + side * (5 + error), 1) for side in (-1, 1))
    show("detectable_loss", rows, [Aim("fails (%)", least), Aim("fails (%)", most, at_most=True)])


def rows_of(name: str, runs: int, limit: int | None = None) -> list[dict[str, object]]:
    """The rows of a task, one for each floor of its clean corpus."""
    session = Session(name, limit=limit)
    task, gate, evidence = session.task, session.gate, session.baseline.evidence
    metric = task.metrics()[task.floor]
    measured = measure(evidence, [session.baseline.case.view], [metric], gate)[session.baseline.case.view]
    case = with_groups(add_bounds(session.baseline.case), measured)
    bounds, quick = len(case.bounds), replace(gate, resamples=2_000)
    level, table = level_of(gate.confidence, bounds), evidence.counts(metric, case.view)
    rows: list[dict[str, object]] = []
    for judgement in judge_early(case, task, evidence, gate, bounds):
        if judgement.p is None:
            continue
        estimate, label = judgement.estimate, judgement.bound.type
        bound = replace(judgement.bound, limit=limit_of(judgement, metric, gate, level))
        loss = detectable_loss_of(bound, estimate, metric, gate.confidence, level)
        fails: float | str = ""
        if loss is not None:
            column = 1 + evidence.groups.index(label) if label else 0
            share = lost_for(loss, table[:, column].sum(axis=0), name_of(metric.count))
            fails = round(100 * _failed(replace(case, bounds=(bound,)), task, evidence, share, quick, bounds, runs), 1)
        rows.append(
            {
                "floor": f"{name}, {label or 'overall'}",
                "examples": estimate.n,
                "score": round(estimate.value, 3),
                "limit": bound.limit,
                "detectable loss": "not known" if loss is None else round(loss, 3),
                "fails (%)": fails,
            }
        )
    return rows


def _failed(case: Case, task: Task, evidence: Evidence, share: float, gate: Gate, bounds: int, runs: int) -> float:
    """The share of runs in which a model fails that lost this share of its hits, of those of the label alone."""
    (bound,) = case.bounds
    failed = 0
    for run in range(runs):
        worse = thinned(drawn({case.id: evidence}, run)[case.id], share, run, bound.type)
        failed += any(each.verdict == "fail" for each in judge_early(case, task, worse, gate, bounds))
    return failed / runs


if __name__ == "__main__":
    main()
