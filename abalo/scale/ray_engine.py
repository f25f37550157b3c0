"""Runs chunks with Ray actors; each holds the model.

Counts go to the run's folder, which every machine reaches under the same path. Usage reports and dashboard are off.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from abalo.errors import AbaloError
from abalo.scale.chunk import Order, Runner, go_to
from abalo.scale.running import EngineOfChunks, Step, Tell, do_step, progress_line, reason_of, refuse_failed

USAGE = "RAY_USAGE_STATS_ENABLED"
ADDRESS = "RAY_ADDRESS"

STARTED_FOR = "ABALO_SCALE_FOLDER"
"""Marks our Ray processes with the run's folder."""

_STORE = 100 * 2**20
"""Bytes; only chunk numbers pass through."""


class Worker:
    """An actor; ``prepare`` registers user code."""

    def __init__(self, order: Order, prepare: Callable[[], None]) -> None:
        go_to(order.here)
        prepare()
        self._runner = Runner(order)

    def work(self, step: Step, number: int) -> None:
        """Does a step on a chunk."""
        do_step(self._runner, step, number)


def leftover_processes(folder: Path) -> list[int]:
    """Ray processes that a killed run left; empty without /proc.

    Call it before Ray starts, with the folder locked.
    """
    wanted = f"{STARTED_FOR}={folder.resolve()}".encode("utf-8", "surrogateescape")
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):  # of another user, or ended by now
            if wanted in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return sorted(found)


@contextmanager
def by_ray(folder: Path, actors: int, gpus_per_actor: float, prepare: Callable[[], None]) -> Iterator[EngineOfChunks]:
    """Context with a Ray engine; GPUs per actor may be fractional.

    Starts Ray unless it runs or the environment names a cluster.
    """
    os.environ[USAGE] = "0"  # before Ray is imported, here and in the processes that it starts
    try:
        import ray
    except ImportError:
        raise AbaloError("--engine ray needs Ray: pip install 'abalo[ray]'") from None
    started = not ray.is_initialized()
    if started:
        _start(ray, folder, actors, gpus_per_actor)
    crews: dict[Path, _Crew] = {}

    def engine(order: Order, step: Step, numbers: Sequence[int], retries: int, tell: Tell) -> None:
        whole = replace(order, folder=order.folder.resolve())
        crew = crews.setdefault(whole.folder, _Crew(ray, whole, actors, gpus_per_actor, prepare))
        crew.do(step, numbers, retries, tell)

    try:
        yield engine
    finally:
        if started:
            ray.shutdown()
            os.environ.pop(STARTED_FOR, None)


def _start(ray: Any, folder: Path, actors: int, gpus_per_actor: float) -> None:
    quiet = {"logging_level": "ERROR", "log_to_driver": False}
    if os.environ.get(ADDRESS):
        ray.init(**quiet)
        return
    os.environ[STARTED_FOR] = str(folder.resolve())
    cores = max(actors, os.cpu_count() or 1)
    gpus = {} if gpus_per_actor else {"num_gpus": 0}
    ray.init(include_dashboard=False, num_cpus=cores, object_store_memory=_STORE, **gpus, **quiet)


class _Crew:
    def __init__(self, ray: Any, order: Order, size: int, gpus: float, prepare: Callable[[], None]) -> None:
        self._ray, self._order, self._prepare = ray, order, prepare
        self._kind = ray.remote(Worker).options(num_cpus=1, num_gpus=gpus)
        self._size = size
        self._free: list[Any] = []

    def do(self, step: Step, numbers: Sequence[int], retries: int, tell: Tell) -> None:
        waiting, tries, failed, done = deque(numbers), Counter[int](), dict[int, str](), 0
        busy: dict[Any, tuple[Any, int]] = {}
        while waiting or busy:
            while waiting and (self._free or len(busy) < self._size):
                self._free = self._free or [self._hired()]
                actor, number = self._free.pop(), waiting.popleft()
                busy[actor.work.remote(step, number)] = actor, number
            (ended, *_), _ = self._ray.wait(list(busy), num_returns=1)
            actor, number = busy.pop(ended)
            reason = self._reason(ended)
            if reason is None or not reason[1]:
                self._free.append(actor)
            if reason is None:
                done += 1
                tell(progress_line(step, number, done, len(numbers)))
                continue
            tries[number] += 1
            tell(f"chunk {number} failed: {reason[0]}")
            if tries[number] <= retries:
                waiting.append(number)
            else:
                failed[number] = reason[0]
        refuse_failed(self._order.folder, failed)

    def _hired(self) -> Any:
        return self._kind.remote(self._order, self._prepare)

    def _reason(self, ended: Any) -> tuple[str, bool] | None:
        from ray.exceptions import RayError, RayTaskError

        try:
            self._ray.get(ended)
        except RayTaskError as error:
            cause = error.cause if isinstance(error.cause, BaseException) else error
            return reason_of(cause), False
        except RayError as error:  # the actor died, or could not begin
            return f"its actor ended ({type(error).__name__}): {' '.join(str(error).split())[:300]}", True
        return None
