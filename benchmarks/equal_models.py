"""How often a model that is as good as the reference fails, passes or stays undecided: all rules of a comparison.

The evidence is real: of two models that differ in many sentences, on the cases that ship. For each run a fair coin
decides for each distinct sentence which of the two models the reference has it from, in all cases alike, and the new
run has it from the other. So two models are compared that are equal in truth and differ as much as the real ones.
Losses, lost labels and the clean score are judged as in a run of the gate, with 2,000 resamples.

    python -m benchmarks.equal_models [--data DATA] [--runs 400] [--keep FOLDER] [texts MSRP tags entities noise]

Aim: exit code 1 in at most 2.5 % of the runs and two standard errors of the simulation, exit code 0 in at least 95 %.
With ``--keep`` the evidence is written to a folder and read from there the next time.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from abalo import Session
from benchmarks.arguments import Parser
from benchmarks.foresight import EXAMPLES, KINDS
from benchmarks.outcomes import SEEDS, Both, Side, compared_cases, counted, outcome, read_side, side_of, thresholds
from benchmarks.published import add_data
from benchmarks.results import Aim, show

RUNS = 400
LEVEL = 0.025

PAIRS: Mapping[str, tuple[str, str]] = {
    "texts": ("half", "half 2"),
    "MSRP": ("half", "half 2"),
    "tags": ("half", "half 2"),
    "entities": ("half", "half 2"),
    "noise": ("bundled", "σ 0.3"),
}
"""For each kind of `benchmarks.foresight` two models that differ in many sentences."""

USUAL = ("texts", "MSRP")
"""Kinds that take a few CPU minutes; all kinds take about 20."""


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--data", "DATA", "--runs", "2", "texts"))
    add_data(parser)
    parser.add_argument("--runs", type=int, default=RUNS, help=f"runs for each pair; default: {RUNS}")
    parser.add_argument("--keep", type=Path, help="folder that keeps the evidence; default: a temporary one")
    parser.add_argument("kinds", nargs="*", choices=[*PAIRS, []], help=f"kinds of models; default: {' '.join(USUAL)}")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Counts how runs end."""
    options = parser().parse_args(given)
    with tempfile.TemporaryDirectory() as folder:
        keep = options.keep or Path(folder)
        keep.mkdir(parents=True, exist_ok=True)
        rows = [row_of(kind, sides_of(kind, options.data, keep), options.runs) for kind in options.kinds or USUAL]
    most = round(100 * (LEVEL + 2 * math.sqrt(LEVEL * (1 - LEVEL) / options.runs)), 2)
    show("equal_models", rows, [Aim("exit 1 (%)", most, at_most=True), Aim("exit 0 (%)", 95)])


def sides_of(kind: str, data: Path, keep: Path) -> list[Side]:
    """The runs of both models of a kind, from the folder if it has them."""
    files = [keep / f"{kind}-{number}.npz" for number in (1, 2)]
    if not all(file.is_file() for file in files):
        with tempfile.TemporaryDirectory() as folder:
            trained = KINDS[kind](data, Path(folder))
            limit = None if trained.corpus is None else EXAMPLES.get(trained.task, 500)
            for name, file in zip(PAIRS[kind], files, strict=True):
                session = Session(
                    trained.task, model=trained.models[name](), corpus=trained.corpus, limit=limit, seeds=SEEDS
                )
                side_of(session, compared_cases(session)).write(file)
    return [*map(read_side, files)]


def row_of(kind: str, sides: list[Side], runs: int) -> dict[str, object]:
    """How the runs of a pair end."""
    one, other = sides
    by = thresholds(one.task)
    clusters = np.unique(np.concatenate([each.clusters for each in one.evidence.values()]))
    both = {case: Both(clusters, each, other.evidence[case]) for case, each in one.evidence.items()}
    outcomes = []
    for run in range(runs):
        heads = np.random.Generator(np.random.PCG64([run])).random(len(clusters)) < 0.5
        new, reference = (
            replace(side, evidence={case: each.mixed(tossed) for case, each in both.items()})
            for side, tossed in ((one, heads), (other, ~heads))
        )
        outcomes.append(outcome(new, reference, by))
    clean = outcomes[0].compared["baseline"]
    row: dict[str, object] = {
        "models": kind,
        "sentences": clean["n"],
        "differ clean (%)": round(100 * clean["discordant"] / clean["n"]),
    }
    return row | counted(outcomes)


if __name__ == "__main__":
    main()
