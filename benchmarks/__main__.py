"""All benchmarks, one after the other, and then what was aimed at; each can also be run by itself.

    python -m benchmarks [gate attacks ...]

Figures are ratios within one run wherever two can be measured side by side; seconds hang on the machine. A benchmark
that fails is said, and the others go on. Libraries to compare with need environments of their own: `benchmarks.peers`
and `benchmarks.langtest` say which; `benchmarks.gpu` needs a GPU. The last four need the folder of published corpora
that ABALO_TEST_DATA names.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.results import FOLDER

BENCHMARKS = (
    "perturbations",
    "peers",
    "langtest",
    "statistics",
    "scale",
    "collection",
    "precision",
    "attacks",
    "stopping",
    "early_regressions",
    "budget",
    "noise",
    "prompts",
    "hard_label",
    "calibration",
    "detectable_loss",
    "quick",
    "gate",
    "gpu",
    "services",
    "equal_models",
    "retraining",
    "label_power",
    "foresight",
)


def main() -> int:
    """Runs those that are named, or all."""
    asked = sys.argv[1:] or list(BENCHMARKS)
    if unknown := [name for name in asked if name not in BENCHMARKS]:
        print(f"{unknown[0]}: no such benchmark; there are {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    said, failed = [], []
    for name in asked:
        print(f"\n## {name}\n", flush=True)
        before = _written()
        if subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False).returncode:
            failed.append(name)
        for path in sorted(file for file, when in _written().items() if when != before.get(file)):
            said += [f"{path.stem}: {line}" for line in json.loads(path.read_text(encoding="utf-8"))["aims"]]
    print("\n## aims\n", *said, *(f"{name}: failed" for name in failed), sep="\n")
    return 1 if failed else 0


def _written() -> dict[Path, int]:
    """The tables that are there, each with the time at which it was written, in nanoseconds."""
    return {path: path.stat().st_mtime_ns for path in FOLDER.glob("*.json")}


if __name__ == "__main__":
    sys.exit(main())
