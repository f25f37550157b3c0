"""Runs the next case while the previous one is judged."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, Generic, TypeVar

T = TypeVar("T")

SWITCH = 1e-4


class Ahead(Generic[T]):
    """One piece of work ahead, if the ``model`` has ``runs_ahead``."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._begun: tuple[str, Future[T], float] | None = None

    def begin(self, name: str, work: Callable[[], T]) -> None:
        """Begins the work; earlier results must have been taken."""
        if self._begun is not None:
            raise RuntimeError(f"{self._begun[0]} was begun, and not asked for, before {name}")
        if not getattr(self._model, "runs_ahead", False):
            return
        pool = ThreadPoolExecutor(1)
        usual = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH)
        self._begun = name, pool.submit(work), usual
        pool.shutdown(wait=False)

    def result(self, name: str) -> T | None:
        """The result, which may raise; None if not begun."""
        if self._begun is None:
            return None
        begun, future, _ = self._begun
        self._end()
        return future.result() if begun == name else None

    def close(self) -> None:
        """Stops after the current batch."""
        if self._begun is not None:
            shown, self._model.on_progress = self._model.on_progress, _stop
            try:
                self._end()
            finally:
                self._model.on_progress = shown

    def _end(self) -> None:
        assert self._begun is not None
        _, future, usual = self._begun
        try:
            wait([future])
        finally:
            sys.setswitchinterval(usual)
        self._begun = None


class _StoppedError(Exception): ...


def _stop(_done: int, _all: int) -> None:
    raise _StoppedError
