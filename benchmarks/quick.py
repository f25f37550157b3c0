"""A first verdict on a model of one's own: wall and CPU seconds of the quick profile, from the command line to the end.

    python -m benchmarks.quick [--model FOLDER] [--runs 2] [-k CASES]

The model is a copy of the bundled one, so that nothing is known about it; the corpus is the bundled one. Aim: under 20
seconds on two cores that nothing else keeps busy. The best of the runs counts.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from abalo.bundled import bundled_path
from benchmarks.arguments import Parser
from benchmarks.results import Aim, show
from benchmarks.runs import timed

SECONDS = 20


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--runs", "1", "--limit", "2", "-k", "baseline or accents"))
    parser.add_argument("--model", type=Path, default=bundled_path("fixtures/model"), help="folder with a checkpoint")
    parser.add_argument("--runs", type=int, default=2, help="how many runs (default: 2)")
    parser.add_argument("-k", dest="selected", default="", help="cases that are run, as pytest selects; default: all")
    parser.add_limit()
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Prints the table."""
    asked = parser().parse_args(given)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(asked.model, folder / "model")
        rows = [_row(folder, asked.limit, asked.selected) for _ in range(asked.runs)]
    show("quick", [min(rows, key=lambda row: float(str(row["wall s"])))], [Aim("wall s", SECONDS, at_most=True)])


def _row(folder: Path, limit: int | None, selected: str) -> Mapping[str, object]:
    reports = folder / "reports"
    command = ["-m", "pytest", "--pyargs", "tests_behavioral", "-q", "--abalo-task", "ner", "--abalo-profile", "quick"]
    given = ["--abalo-model", str(folder / "model"), "--abalo-reports", str(reports), "-k", selected]
    wall, cpu = timed([*command, *given, *([] if limit is None else ["--abalo-limit", str(limit)])], folder)
    report = json.loads((reports / "robustness.json").read_text(encoding="utf-8"))
    return {
        "cases": len(report["results"]),
        "inputs": sum(report["inputs"].values()),
        "verdict": report["verdict"],
        "wall s": round(wall, 1),
        "CPU s": round(cpu, 1),
    }


if __name__ == "__main__":
    main()
