"""All benchmarks, one after the other; each can also be run by itself, such as ``python -m benchmarks.gate``."""

from __future__ import annotations

import subprocess
import sys

BENCHMARKS = ("perturbations", "peers", "statistics", "collection", "attacks", "gate")

if __name__ == "__main__":
    for name in BENCHMARKS:
        print(f"\n## {name}\n", flush=True)
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=True)
