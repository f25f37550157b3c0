"""Limits of a run that its processes share by files: calls in flight, requests and tokens a minute."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from threading import Event

from filelock import FileLock, Timeout

from abalo.core.records.rates import MinuteRate

POLL = 0.02
"""Seconds between two looks for a free place."""


class StoppedError(Exception):
    """The run stops, so a call is not made."""


class Flight:
    """Limits calls in flight to ``most``; None is unlimited. Processes that have the same ``folder`` share the limit.

    The operating system holds the places, so a killed process leaves none.
    """

    def __init__(self, most: int | None) -> None:
        self.most = most
        self.folder: Path | None = None

    @contextmanager
    def place(self, stop: Event) -> Iterator[None]:
        """Waits for a place and holds it; raises `StoppedError` if ``stop`` is set before."""
        lock = None
        if self.folder is not None and self.most is not None:
            while not stop.is_set() and (lock := self._taken(self.folder, self.most)) is None:
                stop.wait(POLL)
        try:
            if stop.is_set():
                raise StoppedError
            yield
        finally:
            if lock is not None:
                lock.release()

    def _taken(self, folder: Path, most: int) -> FileLock | None:
        first = hash((os.getpid(), threading.get_ident()))
        for k in range(most):
            lock = FileLock(folder / f"in-flight-{(first + k) % most}.lock", timeout=0)
            try:
                lock.acquire()
            except Timeout:
                continue
            return lock
        return None


def rate_limit(rate: MinuteRate | None) -> RateLimit | None:
    """The limit that keeps a rate; None if the rate is None."""
    return None if rate is None else RateLimit(rate.calls, rate.tokens)


class RateLimit:
    """Limits ``requests`` and ``tokens`` a minute, and spaces them evenly; None is unlimited.

    The tokens of a call are known after it: later calls wait for them.
    """

    def __init__(self, requests: float | None, tokens: float | None) -> None:
        self._seconds = {"requests": 60 / requests if requests else 0.0, "tokens": 60 / tokens if tokens else 0.0}
        self._free = {"requests": 0.0, "tokens": 0.0}
        self._lock = threading.Lock()
        self.shared: Path | None = None

    def wait(self, stop: Event) -> None:
        """Waits until the next request may be made; raises `StoppedError` if ``stop`` is set before."""
        while (left := self._next()) > 0:
            if stop.wait(left):
                raise StoppedError

    def spent(self, tokens: int) -> None:
        """Counts the tokens of a call."""
        if tokens and self._seconds["tokens"]:
            self._changing(lambda now: self._add("tokens", tokens, now))

    def _next(self) -> float:
        def taken(now: float) -> float:
            left = max(self._free.values()) - now
            if left <= 0 and self._seconds["requests"]:
                self._add("requests", 1, now)
            return left

        return self._changing(taken)

    def _add(self, what: str, number: int, now: float) -> float:
        self._free[what] = max(now, self._free[what]) + number * self._seconds[what]
        return 0.0

    def _changing(self, change: Callable[[float], float]) -> float:
        with self._lock, nullcontext() if self.shared is None else FileLock(f"{self.shared}.lock"):
            if self.shared is not None and self.shared.exists():
                with suppress(ValueError):  # of a process that was killed while it wrote
                    self._free = json.loads(self.shared.read_text("utf-8"))
            found = change(time.time())
            if self.shared is not None:
                self.shared.write_text(json.dumps(self._free), "utf-8")
            return found
