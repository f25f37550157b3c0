"""Calls to a service: many in flight beside one at a time, on a mock service of this machine that answers slowly.

    python -m benchmarks.services [--examples 300] [--cases 20] [--seconds 0.2]

Each row is a whole run of the same cases with so many calls in flight; ``speedup`` compares with one. In the last row a
tenth of the different texts fail at first: by status 408, 429 or 500, closed connections, slow and cut bodies. Aim: 16
in flight are 10 times as fast. The measured values of all rows are equal, or the benchmark fails. The usual size takes
half an hour, nearly all of it waiting.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from abalo import Session
from benchmarks import mock_service
from benchmarks.arguments import Parser
from benchmarks.mock_service import MockService, serving
from benchmarks.results import Aim, show

MODEL = f"{mock_service.__file__}:asynchronous"

ROWS = ((1, 0.0), (4, 0.0), (16, 0.0), (16, 0.1))
"""Calls in flight, and the share of texts that fail at first."""


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--examples", "20", "--cases", "2", "--seconds", "0.02"))
    parser.add_argument("--examples", type=int, default=300, help="default: %(default)s")
    parser.add_argument("--cases", type=int, default=20, help="default: %(default)s")
    parser.add_argument("--seconds", type=float, default=0.2, help="delay of each answer; default: %(default)s")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Makes the runs."""
    options = parser().parse_args(given)
    rows: list[dict[str, Any]] = []
    first = None
    with tempfile.TemporaryDirectory() as folder:
        corpus, thresholds = _written(Path(folder), options.examples, options.cases)
        for in_flight, fails in ROWS:
            with serving(MockService(options.seconds, fails)) as service:
                session = Session(
                    "classification", MODEL, corpus, thresholds, model_args=f"concurrency={in_flight}", language="en"
                )
                started = time.perf_counter()
                report = session.run()
                seconds = time.perf_counter() - started
            found = [[each.metrics for each in result.results] for result in report.results]
            first = first or (seconds, found)
            if found != first[1]:
                sys.exit(f"{in_flight} in flight, {fails:.0%} failing: other counts than in turn")
            rows.append(
                {
                    "run": f"{in_flight} in flight, {fails:.0%} fail at first",
                    "requests": service.requests,
                    "failed": service.failed,
                    "most at once": service.most,
                    "seconds": round(seconds, 1),
                    "speedup": round(first[0] / seconds, 1) if in_flight == 16 and not fails else "",
                }
            )
            print(rows[-1], file=sys.stderr, flush=True)
    show("services", rows, [Aim("speedup", 10)])


def _written(folder: Path, examples: int, cases: int) -> tuple[str, str]:
    texts = [f"{('bad', 'good')[k % 2]} film number {k} of the year" for k in range(examples)]
    rows = "".join(f"{text}\t{mock_service.label(text)}\n" for text in texts)
    folder.joinpath("dev.tsv").write_text(f"text\tlabel\n{rows}", "utf-8")
    entries = [f"[[classification.typos]]\nrate = {(k + 1) / (cases + 1):.3f}\n" for k in range(cases)]
    gate = '[gate]\nlanguage = "en"\nresamples = 200\nseeds = [1]\n'
    folder.joinpath("thresholds.toml").write_text(gate + "".join(entries), "utf-8")
    return str(folder / "dev.tsv"), str(folder / "thresholds.toml")


if __name__ == "__main__":
    main()
