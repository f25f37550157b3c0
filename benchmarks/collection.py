"""How long collecting the tests takes, and whether a model library is imported for it. Aim: under 2 s, none."""

from __future__ import annotations

import subprocess
import sys
import time

from benchmarks.results import Aim, show

HEAVY = ("torch", "transformers", "spacy", "datasets")
RUNS = 3


def main() -> None:
    """Collects in fresh processes, one of them with ``-X importtime``."""
    collect = ["-m", "pytest", "--collect-only", "-q", "tests_behavioral"]
    seconds = []
    for _ in range(RUNS):
        started = time.perf_counter()
        subprocess.run([sys.executable, *collect], check=True, capture_output=True)
        seconds.append(time.perf_counter() - started)
    traced = subprocess.run([sys.executable, "-X", "importtime", *collect], check=True, capture_output=True, text=True)
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in traced.stderr.splitlines()}
    row = {
        "seconds (best of 3)": round(min(seconds), 2),
        "modules imported": len(traced.stderr.splitlines()),
        "model libraries imported": ", ".join(sorted(imported.intersection(HEAVY))) or "none",
    }
    show("collection", [row], [Aim("seconds (best of 3)", 2, at_most=True)])


if __name__ == "__main__":
    main()
