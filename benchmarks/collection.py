"""What collecting costs: the tests of the gate, and another project's session, which only loads the plugin.

    python -m benchmarks.collection

Each is measured beside a session with one empty test that runs without the plugin, by turns, in processes of their own;
*times* is the median of the quotients. Compiled modules are kept from run to run, as they usually are.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.arguments import Parser
from benchmarks.results import Aim, show

HEAVY = ("torch", "transformers", "spacy", "datasets")
RUNS = 11
WITHOUT = ("-q", "-p", "no:abalo")
SESSIONS: Mapping[str, tuple[Sequence[str], float]] = {
    "collecting tests_behavioral": (("-q", "--collect-only", "--pyargs", "tests_behavioral"), 2.2),
    "another project's test": (("-q",), 1.02),
}
"""Arguments of pytest, and at most how many times the empty test's seconds they should take."""


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--runs", "1"))
    parser.add_argument("--runs", type=int, default=RUNS, help="pairs of sessions; default: %(default)s")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Prints the table, and which model libraries collecting imports."""
    runs = parser().parse_args(given).runs
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = os.pathsep.join([str(Path.cwd()), os.environ.get("PYTHONPATH", "")])
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_empty.py").write_text("def test_empty(): ...\n", encoding="utf-8")

        def run(arguments: Sequence[str], *options: str) -> str:
            command = [sys.executable, *options, "-m", "pytest", *arguments]
            return subprocess.run(
                command, check=True, capture_output=True, text=True, cwd=folder, env=environment
            ).stderr

        def seconds(arguments: Sequence[str]) -> float:
            started = time.perf_counter()
            run(arguments)
            return time.perf_counter() - started

        rows = []
        for name, (arguments, aim) in SESSIONS.items():
            told = run(arguments, "-X", "importtime")  # compiles, too
            pairs = [(seconds(WITHOUT), seconds(arguments)) for _ in range(runs)]
            times = statistics.median(ours / empty for empty, ours in pairs)
            imported = {line.rpartition("|")[2].strip() for line in told.splitlines()}
            rows.append(
                {
                    "session": name,
                    "seconds": round(min(ours for _, ours in pairs), 2),
                    "times": round(times, 3),
                    "aim": aim,
                    "times, of the aim": round(times / aim, 2),
                    "model libraries": ", ".join(sorted(imported.intersection(HEAVY))) or "none",
                }
            )
    show("collection", rows, [Aim("times, of the aim", 1, at_most=True)])


if __name__ == "__main__":
    main()
