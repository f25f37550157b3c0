"""Devices, threads and precision of models."""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from abalo.errors import AbaloError

CONTROL_GROUP = Path("/sys/fs/cgroup")
STATISTICS = Path("/proc/stat")

GLANCE = 0.2


def device_for(wanted: str) -> str:
    """The available device; "auto" tries cuda, mps, cpu."""
    import torch

    present = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    if wanted == "auto":
        return next(device for device, here in present.items() if here)
    if not present[wanted]:
        raise AbaloError(
            f"device {wanted}: PyTorch {torch.__version__} finds none on this machine; present: "
            f"{', '.join(device for device, here in present.items() if here)}. "
            "Use --abalo-device auto, or install a PyTorch built for the device"
        )
    return wanted


@contextmanager
def full_precision() -> Iterator[None]:
    """Disables TF32, which keeps 10 bits of the fraction."""
    places, name, off = _tf32_switches()
    before = [getattr(place, name) for place in places]
    for place in places:
        setattr(place, name, off)
    try:
        yield
    finally:
        for place, value in zip(places, before, strict=True):
            setattr(place, name, value)


def _tf32_switches() -> tuple[list[object], str, object]:
    from torch import backends

    matmul: object = backends.cuda.matmul
    if hasattr(matmul, "fp32_precision"):  # since PyTorch 2.9, which refuses to read the older names beside the new
        cudnn: Any = backends.cudnn
        return [matmul, cudnn.conv, cudnn.rnn], "fp32_precision", "ieee"
    return [matmul, backends.cudnn], "allow_tf32", False


@dataclass(frozen=True, slots=True)
class Threads:
    """The number of PyTorch threads, and its reason."""

    count: int
    reason: str

    def __str__(self) -> str:
        return f"{self.count} {'thread' if self.count == 1 else 'threads'} ({self.reason})"


def use_threads(asked: int | None = None, workers: int = 1) -> Threads:
    """Sets PyTorch's threads; by default the share of usable cores among ``workers``.

    Two workers with all threads each run 5 to 30 times slower than two that share. A single process skips busy cores:
    two threads on two busy cores take 2.3 times as long as one. The default is at most ``OMP_NUM_THREADS``.
    """
    torch = sys.modules.get("torch")
    now = torch.get_num_threads() if torch is not None else _number(os.environ.get("OMP_NUM_THREADS", ""))
    chosen = Threads(asked, "as asked for") if asked is not None else _usual(workers, now)
    if torch is None:
        os.environ["OMP_NUM_THREADS"] = str(chosen.count)
    else:
        torch.set_num_threads(chosen.count)
    return chosen


def threads_on(device: str) -> int:
    """PyTorch's threads on a CPU, else 1."""
    import torch

    return torch.get_num_threads() if device == "cpu" else 1


Start = Callable[..., Callable[[], Any]]
"""Starts a function; returns a function that waits for its result."""


@contextmanager
def side_by_side(count: int) -> Iterator[tuple[int, Start]]:
    """Runs functions ``count`` at a time, each with one PyTorch thread.

    Yields the number to start before the first wait, and the starter.
    """
    if count == 1:
        yield 1, partial
        return
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # which new threads take over
    pool = ThreadPoolExecutor(count)
    try:
        yield count + 1, lambda function, *given: pool.submit(function, *given).result
    finally:
        pool.shutdown(cancel_futures=True)
        torch.set_num_threads(threads)


def _usual(workers: int, limit: int | None) -> Threads:
    every = cores()
    busy = 0.0 if workers > 1 or min(every, limit or every) == 1 else _busy(every)
    free = max(1, every // workers - round(busy))
    if limit is not None and limit <= free:
        return Threads(limit, f"its default; this machine has {every} cores")
    if workers > 1:
        return Threads(free, f"of {every} cores, for {workers} workers")
    others = f", of which others keep {busy:.1f} busy" if round(busy) else ""
    return Threads(free, f"of {every} cores{others}")


def cores() -> int:
    """Usable cores by affinity and control group, at least 1."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, int(min(cores, _quota())))


def _quota() -> float:
    with suppress(OSError, ValueError):  # version 2, such as "150000 100000" or "max 100000"
        most, period = (CONTROL_GROUP / "cpu.max").read_text(encoding="ascii").split()
        return math.inf if most == "max" else int(most) / int(period)
    with suppress(OSError, ValueError):  # version 1, -1 without a limit
        most, period = (
            (CONTROL_GROUP / "cpu" / f"cpu.cfs_{name}_us").read_text(encoding="ascii") for name in ("quota", "period")
        )
        return int(most) / int(period) if int(most) > 0 else math.inf
    return math.inf


def _busy(cores: int) -> float:
    lately = _busy_lately(cores)
    return min(lately, _busy_now(cores)) if round(lately) else lately


def _busy_lately(cores: int) -> float:
    try:
        return cores * min(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
    except (AttributeError, OSError):
        return 0.0


def _busy_now(cores: int) -> float:
    try:
        before = _ticks()
        time.sleep(GLANCE)
        after = _ticks()
    except (OSError, ValueError):
        return float(cores)
    busy, all_ticks = (after[k] - before[k] for k in (0, 1))
    return cores * busy / all_ticks if all_ticks > 0 else float(cores)


def _ticks() -> tuple[int, int]:
    own = {f"cpu{number}" for number in os.sched_getaffinity(0)} if hasattr(os, "sched_getaffinity") else set()
    lines = [line.split() for line in STATISTICS.read_text(encoding="ascii").splitlines() if line.startswith("cpu")]
    rows = [list(map(int, row)) for name, *row in lines if name in own]
    idle = sum(row[3] + row[4] for row in rows)  # idle, and waiting for a disk
    every = sum(map(sum, rows))
    return every - idle, every


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and int(text) else None
