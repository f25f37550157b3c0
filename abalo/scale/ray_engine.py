"""Shards run by actors of Ray, on one machine or a cluster: each holds the model, and does one shard after another.

The driver hands out the run as its command gave it, and numbers of shards. What a shard counted goes to the folder of
the run, which every machine reaches under the same path. Nothing is reported to anyone, and there is no dashboard.
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
from abalo.scale.runner import Order, Runner, go_to
from abalo.scale.running import EngineOfShards, Step, Tell, done_with, reason_of, refuse_failed, told

USAGE = "RAY_USAGE_STATS_ENABLED"
ADDRESS = "RAY_ADDRESS"
"""The variable that names a cluster that is running already."""

STARTED_FOR = "ABALO_SCALE_FOLDER"
"""The variable by which the processes of Ray that a run has started are known: the folder of the run."""

_STORE = 100 * 2**20
"""Bytes of Ray's object store on this machine: nothing but numbers of shards goes through it."""


class Worker:
    """An actor: a runner in a process of its own. ``prepare`` registers what the user's own code adds."""

    def __init__(self, order: Order, prepare: Callable[[], None]) -> None:
        go_to(order.here)
        prepare()
        self._runner = Runner(order)

    def work(self, step: Step, number: int) -> None:
        """Does a step with a shard."""
        done_with(self._runner, step, number)


def left_of(folder: Path) -> list[int]:
    """The processes of Ray that a run in the folder has left when it was killed; none where the system has no /proc.

    To be asked while the folder is locked, so that no run goes on there, and before Ray is started.
    """
    wanted = f"{STARTED_FOR}={folder.resolve()}".encode("utf-8", "surrogateescape")
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):  # of another user, or ended by now
            if wanted in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return sorted(found)


@contextmanager
def by_ray(folder: Path, actors: int, gpus_per_actor: float, prepare: Callable[[], None]) -> Iterator[EngineOfShards]:
    """The engine for the run in the folder, of so many actors, each with so many GPUs, parts of one included.

    Ray is started on this machine unless the environment names a cluster, or the caller has started it. Raises
    `AbaloError` where it is not installed.
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
    """Some actors, hired when there is work; one that died is replaced."""

    def __init__(self, ray: Any, order: Order, size: int, gpus: float, prepare: Callable[[], None]) -> None:
        self._ray, self._order, self._prepare = ray, order, prepare
        self._kind = ray.remote(Worker).options(num_cpus=1, num_gpus=gpus)
        self._size = size
        self._free: list[Any] = []

    def do(self, step: Step, numbers: Sequence[int], retries: int, tell: Tell) -> None:
        """Does the step with all shards; raises `AbaloError`, naming them, for those that failed every time."""
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
                tell(told(step, number, done, len(numbers)))
                continue
            tries[number] += 1
            tell(f"shard {number} failed: {reason[0]}")
            if tries[number] <= retries:
                waiting.append(number)
            else:
                failed[number] = reason[0]
        refuse_failed(self._order.folder, failed)

    def _hired(self) -> Any:
        return self._kind.remote(self._order, self._prepare)

    def _reason(self, ended: Any) -> tuple[str, bool] | None:
        """Why a shard failed, and whether its actor died with it; None where it did not fail."""
        from ray.exceptions import RayError, RayTaskError

        try:
            self._ray.get(ended)
        except RayTaskError as error:
            cause = error.cause if isinstance(error.cause, BaseException) else error
            return reason_of(cause), False
        except RayError as error:  # the actor died, or could not begin
            return f"its actor ended ({type(error).__name__}): {' '.join(str(error).split())[:300]}", True
        return None
