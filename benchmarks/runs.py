"""Runs of Abalo as a command, with what they took."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

VERDICTS = (0, 1, 10)
"""Exit codes of runs that came to an end: passed, failed, nothing decided."""


def timed(arguments: Sequence[str], folder: Path) -> tuple[float, float]:
    """Wall and CPU seconds of Python with these arguments in the folder; a run that fails ends the benchmark."""
    before, started = _cpu_seconds(), time.perf_counter()
    ended = subprocess.run([sys.executable, *arguments], check=False, capture_output=True, text=True, cwd=folder)
    wall = time.perf_counter() - started
    if ended.returncode not in VERDICTS:
        sys.exit(ended.stdout[-2000:] + ended.stderr[-2000:])
    return wall, _cpu_seconds() - before


def most_memory() -> float:
    """The gigabytes that the largest run had at its peak."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e9


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
