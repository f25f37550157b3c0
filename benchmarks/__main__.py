"""All benchmarks, one after the other, and then what was aimed at; each can also be run by itself.

    python -m benchmarks [gate attacks ...]

Figures are ratios within one run wherever two can be measured side by side; seconds hang on the machine. A benchmark
that fails is said, and the others go on.
"""

from __future__ import annotations

import json
import subprocess
import sys

from benchmarks.results import FOLDER

BENCHMARKS = ("perturbations", "peers", "statistics", "collection", "precision", "attacks", "gate")


def main() -> int:
    """Runs those that are named, or all."""
    asked = sys.argv[1:] or list(BENCHMARKS)
    if unknown := [name for name in asked if name not in BENCHMARKS]:
        print(f"{unknown[0]}: no such benchmark; there are {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    said, failed = [], []
    for name in asked:
        print(f"\n## {name}\n", flush=True)
        if subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False).returncode:
            failed.append(name)
            continue
        found = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
        said += [f"{name}: {line}" for line in found["aims"]]
    print("\n## aims\n", *said, *(f"{name}: failed" for name in failed), sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
