"""The verdict of the paired gate on models that have become worse, where cases stop early and where they do not.

Models are those of `benchmarks.regressions`, the bundled one with noise on its weights, each against the clean one.
What a model is shown is simulated: 490 sentences drawn with replacement from the bundled ones, so that the loss on all
of these is the truth about a run. *Wrong* are runs in which anything has regressed that has lost no more than
``max_loss`` (aim: at most 2.5 %), and losses said to be within the limit that are not (at most 2.5 % of those).

    python -m benchmarks.early_regressions [RUNS [SIGMA,SEED ...]]
"""

from __future__ import annotations

import math
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np

from abalo import Session
from abalo.comparison.test.comparison import compare_task
from abalo.comparison.test.family import Runs
from abalo.core.protocols.probe import Case
from abalo.core.records.gate import Gate
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.losses import Loss
from abalo.core.statistics.plan import BASELINE
from abalo.tasks.ner.task import TASK
from benchmarks.arguments import Parser
from benchmarks.noised import noised
from benchmarks.results import Aim, show
from benchmarks.stopping import by_losses, decided_by, inputs, stopped

MODELS = ((0.1, 1), (0.2, 1), (0.3, 1), (0.3, 2), (0.35, 1), (0.42, 1))
"""Noise and its seed."""

NAMES = ("accents", "typos", "keyboard", "ent_typos", "word_insertion")
LEVEL = 0.025

Run = Mapping[str, Evidence]
"""The evidence of a run by case."""


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("1", "0.1,1", "--limit", "16"))
    parser.add_argument("runs", type=int, nargs="?", default=35, help="default: %(default)s")
    parser.add_argument("models", nargs="*", type=_model, help="noise and its seed, such as 0.2,1; default: six")
    parser.add_limit()
    return parser


def _model(given: str) -> tuple[float, int]:
    sigma, seed = given.split(",")
    return float(sigma), int(seed)


def main(given: Sequence[str] | None = None) -> None:
    """Judges each model on simulated corpora both ways."""
    options = parser().parse_args(given)
    runs, session = options.runs, Session("ner", limit=options.limit)
    cases = [case for case in session.cases() if case.name in (BASELINE, *NAMES)]
    gate = replace(session.gate, resamples=2_000)
    clean, rows = evidence_of(session, cases), []
    with tempfile.TemporaryDirectory() as folder:
        for sigma, seed in options.models or MODELS:
            model = noised(sigma, seed, Path(folder) / f"{sigma}-{seed}")
            found = evidence_of(Session("ner", model=str(model), limit=options.limit), cases)
            rows.append({"noise": f"{sigma}, seed {seed}"} | row_of(cases, found, clean, gate, runs))
    show("early_regressions", rows, [Aim(f"{way} alarms wrong (%)", at_most(runs), at_most=True) for way in WAYS])


WAYS = ("early", "whole")


def at_most(runs: int) -> float:
    """The level and two standard errors of the simulation, in per cent."""
    return round(100 * (LEVEL + 2 * math.sqrt(LEVEL * (1 - LEVEL) / runs)), 1)


def evidence_of(session: Session, cases: list[Case]) -> dict[str, Evidence]:
    """The evidence of the clean corpus and of the cases."""
    found = {session.baseline.case.id: session.baseline.evidence}
    return found | {case.id: session.prepared.engine.run(case).evidence for case in cases if case.name != BASELINE}


def row_of(cases: list[Case], new: Run, reference: Run, gate: Gate, runs: int) -> dict[str, object]:
    """The verdicts on a model against the reference, on so many simulated corpora."""
    truth = {_key(loss): loss.loss.value for loss in _losses(cases, new, reference, gate)}
    said: Counter[str] = Counter()
    for run in range(runs):
        here, there = (drawn(each, run) for each in (new, reference))
        early = {case.id: _stopped(case, cases, here[case.id], there, gate) for case in cases}
        states = []
        for way, judged in zip(WAYS, (early, here), strict=True):
            losses = _losses(cases, judged, there, gate)
            states.append({_key(loss): loss.state for loss in losses})
            beyond = [_key(loss) for loss in losses if loss.state == "regressed"]
            within = [_key(loss) for loss in losses if loss.state in ("no worse", "improved")]
            said[f"{way} regressed"] += bool(beyond)
            said[f"{way} alarms"] += any(truth[key] <= gate.max_loss for key in beyond)
            said[f"{way} acquitted"] += sum(truth[key] > gate.max_loss for key in within)
        said["worse"] += sum(truth[key] > gate.max_loss for key in states[0])
        said["losses"] += len(states[0])
        said["same"] += sum(states[0][key] == states[1][key] for key in states[0])
        said["contrary"] += sum({states[0][key], states[1][key]} in CONTRARY for key in states[0])
        said["inputs"] += sum(map(inputs, early.values()))
        said["of"] += sum(map(inputs, here.values()))
    return {
        "F1 lost": round(100 * truth["ner/baseline", None], 1),
        "runs": runs,
        **{f"{way} regressed (%)": _percent(said[f"{way} regressed"], runs) for way in WAYS},
        **{f"{way} alarms wrong (%)": _percent(said[f"{way} alarms"], runs) for way in WAYS},
        **{f"{way} wrongly within (%)": _percent(said[f"{way} acquitted"], said["worse"]) for way in WAYS},
        "losses": said["losses"],
        "same state": said["same"],
        "contrary": said["contrary"],
        "inputs": round(said["inputs"] / said["of"], 2),
    }


CONTRARY = ({"regressed", "no worse"}, {"regressed", "improved"})
"""States of which one must be wrong."""


def _losses(cases: list[Case], new: Run, reference: Run, gate: Gate) -> tuple[Loss, ...]:
    return compare_task(TASK, cases, Runs(new, reference), gate, date(2026, 1, 1)).all


def _key(loss: Loss) -> tuple[str, str | None]:
    """Labels are pooled over the perturbed cases that show them, and named by one if there is only one."""
    pooled = loss.group is not None and loss.case != f"{TASK.name}/{BASELINE}"
    return "pooled" if pooled else loss.case, loss.group


def _stopped(case: Case, cases: list[Case], new: Evidence, reference: Run, gate: Gate) -> Evidence:
    """The part of the evidence at which the case would have stopped; all of that of the clean corpus."""
    if case.name == BASELINE:
        return new
    return stopped(new, decided_by(by_losses(case, cases, reference, gate)))[0]


def drawn(run: Run, seed: int) -> dict[str, Evidence]:
    """The evidence on sentences drawn with replacement, the same for each case; every draw is a sentence of its own."""
    clusters = np.unique(next(iter(run.values())).clusters)
    generator = np.random.Generator(np.random.PCG64(seed))
    drawn = clusters[generator.integers(len(clusters), size=len(clusters))].tolist()
    return {name: _of_clusters(each, drawn) for name, each in run.items()}


def _of_clusters(evidence: Evidence, drawn: list[str]) -> Evidence:
    units: dict[str, list[int]] = {}
    for unit, cluster in enumerate(evidence.clusters.tolist()):
        units.setdefault(cluster, []).append(unit)
    places = [(place, unit) for place, cluster in enumerate(drawn) for unit in units[cluster]]
    names = np.array([f"{place:05}" for place, _ in places])
    return replace(evidence.only(np.array([unit for _, unit in places])), ids=names, clusters=names)


def _percent(count: int, of: int) -> float | str:
    return round(100 * count / of, 1) if of else ""


if __name__ == "__main__":
    main()
