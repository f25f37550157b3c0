"""Work that is begun before it is asked for: the next case runs while the one before it is counted and judged.

So a model need not wait for counts and intervals. One thread does it, one case at a time, and whoever wants the model
waits for it. What a model is asked in a case depends on the case and the clean corpus alone, so results are the same.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, Generic, TypeVar

T = TypeVar("T")

SWITCH = 1e-4
"""Seconds after which a thread lets others have the interpreter meanwhile. With Python's usual 5 ms a network, which
asks for it between any two products, would wait more than it computes."""


class Ahead(Generic[T]):
    """One piece of work ahead, for a ``model`` that ``runs_ahead``; nothing for any other.

    Such a model calls ``on_progress`` after each batch, where an error ends the prediction.
    """

    def __init__(self, model: Any) -> None:
        self._model = model
        self._begun: tuple[str, Future[T], float] | None = None

    def begin(self, name: str, work: Callable[[], T]) -> None:
        """Begins the work of that name; what was begun before must have been asked for."""
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
        """The result of the work of that name, which may raise; None where it was not begun.

        Other work is waited for, and its result dropped.
        """
        if self._begun is None:
            return None
        begun, future, _ = self._begun
        self._end()
        return future.result() if begun == name else None

    def close(self) -> None:
        """Stops what was begun, after the batch that is in the model."""
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


class _StoppedError(Exception):
    """Ends a prediction that nobody wants any longer."""


def _stop(_done: int, _all: int) -> None:
    raise _StoppedError
