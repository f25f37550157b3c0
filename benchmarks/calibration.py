"""Bounds that `abalo calibrate` writes, kept by the same model on another corpus, and the losses that they detect.

The evidence of the bundled models is resampled: two corpora of the original size, drawn from its distinct examples with
replacement. Bounds are calibrated on the first corpus. The second corpus is judged by these bounds, for the same model
and for models that lost some of their hits at random. The exit code is that of `abalo.reporting.documents.conclusion`.
Aims: the same model ends with 0 in at least 95 % of runs and with 1 in at most 2.5 %, each with two standard errors of
the simulation.

    python -m benchmarks.calibration [RUNS]
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from abalo import Session
from abalo.config.calibration import add_bounds, calibrate_case, with_groups
from abalo.core.documents.document import Document
from abalo.core.protocols.probe import Case
from abalo.core.protocols.task import Task
from abalo.core.records import json_records as typed
from abalo.core.records.gate import Gate
from abalo.core.running.clean_score import LEAST
from abalo.core.running.judging import Decided, judge_early
from abalo.core.statistics.estimates import measure
from abalo.core.statistics.evidence import Evidence, name_of
from abalo.core.statistics.plan import BASELINE
from abalo.reporting.documents.conclusion import conclude
from abalo.reporting.documents.document import judgement_of
from benchmarks.arguments import Parser
from benchmarks.early_regressions import drawn, evidence_of
from benchmarks.results import Aim, show
from benchmarks.thinned import lost_for, thinned

NAMES = (BASELINE, "accents", "typos", "keyboard", "ent_typos", "word_insertion")
LOSSES = (0.0, 0.02, 0.05, 0.10)
NAMELESS = {"name": "", "fingerprint": "none"}
LOST = "F1 or accuracy lost"

Run = Mapping[str, Evidence]


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("1", "--limit", "80"))
    parser.add_argument("runs", type=int, nargs="?", default=200, help="default: %(default)s")
    parser.add_limit()
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Simulates the runs of two tasks."""
    options = parser().parse_args(given)
    runs = options.runs
    rows = [row for task in ("ner", "classification") for row in rows_of(task, runs, options.limit)]
    passes, fails = (2 * 100 * math.sqrt(share * (1 - share) / runs) for share in (0.05, 0.025))
    aims = [Aim("exit 0 (%)", round(95 - passes, 1)), Aim("exit 1 (%)", round(2.5 + fails, 1), at_most=True)]
    show("calibration", [row for row in rows if not row[LOST]], aims)
    print()
    show("calibration_losses", [row for row in rows if row[LOST]])


def rows_of(name: str, runs: int, limit: int | None = None) -> list[dict[str, object]]:
    """The rows of a task, one for each loss."""
    session = Session(name, limit=limit)
    gate, task = replace(session.gate, resamples=2_000), session.task
    cases = [case for case in session.cases() if case.name in NAMES]
    if BASELINE not in {case.name for case in cases}:
        cases = [session.baseline.case, *cases]
    found = evidence_of(session, cases)
    clean = session.baseline.case
    metric = task.metrics()[task.floor]
    sums = found[clean.id].counts(metric, clean.view)[:, 0].sum(axis=0)
    shares = {loss: lost_for(loss, sums, name_of(metric.count)) for loss in LOSSES}
    codes: dict[float, Counter[int]] = {loss: Counter() for loss in LOSSES}
    bounds = 0
    for run in range(runs):
        own = calibrated_cases(cases, task, drawn(found, 2 * run), gate)
        bounds += sum(len(case.bounds) for case in own)
        other = drawn(found, 2 * run + 1)
        for loss, share in shares.items():
            worse = {key: thinned(each, share, run) for key, each in other.items()} if loss else other
            codes[loss][exit_code(own, task, worse, gate)] += 1
    return [
        {
            "task": name,
            LOST: loss,
            "runs": runs,
            "bounds": round(bounds / runs, 1),
            **{f"exit {code} (%)": round(100 * codes[loss][code] / runs, 1) for code in (0, 1, 10)},
        }
        for loss in LOSSES
    ]


def calibrated_cases(cases: Sequence[Case], task: Task, run: Run, gate: Gate) -> list[Case]:
    """The cases with the bounds that `abalo calibrate` writes; floors by label among them."""
    clean = next(case for case in cases if case.name == BASELINE)
    measured = measure(run[clean.id], [clean.view], [task.metrics()[task.floor]], gate)[clean.view]
    asked = [with_groups(add_bounds(case), measured) for case in cases]
    found = []
    for case in asked:
        family = family_of(case, asked)
        judgements = judge_early(case, task, run[case.id], gate, family)
        new = calibrate_case(Decided(case, judgements), gate, family)
        limits = tuple(replace(each.judgement.bound, limit=each.limit) for each in new if each.limit is not None)
        found.append(replace(case, bounds=limits))
    return found


def exit_code(cases: Sequence[Case], task: Task, run: Run, gate: Gate) -> int:
    """The exit code of a run whose clean score is far above its limits, as that of the bundled models is."""
    blocking = [case for case in cases if case.blocking]
    found = [each for case in blocking for each in judge_early(case, task, run[case.id], gate, family_of(case, cases))]
    baseline: dict[str, object] = {
        LEAST: {"state": "above"},
        "blocking": True,
        "judgements": [*map(judgement_of, found)],
    }
    return conclude(
        typed.read(
            Document,
            {
                "errors": [],
                "regressions": [],
                "results": [],
                "comparison": None,
                "complete": True,
                "gate": {},
                "tasks": {task.name: {"baseline": baseline, "model": NAMELESS, "corpus": NAMELESS}},
            },
        )
    ).exit_code


def family_of(case: Case, cases: Sequence[Case]) -> int:
    """The number of bounds that the bounds of the case are corrected for."""
    return max(1, sum(len(each.bounds) for each in cases if (each.name == BASELINE) == (case.name == BASELINE)))


if __name__ == "__main__":
    main()
