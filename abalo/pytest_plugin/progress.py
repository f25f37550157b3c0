"""Expected duration and progress, only on the terminal."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from abalo.core.running.expected import Pace
from abalo.errors import visible_lines
from abalo.models.networks.devices import Threads


def pace_of(config: pytest.Config) -> Pace:
    """How far the run is."""
    return config.stash.setdefault(_PACE, Pace())


_PACE = pytest.StashKey[Pace]()


def tell_threads(config: pytest.Config, threads: Threads) -> None:
    """Prints PyTorch's threads, once."""
    if config.stash.get(_THREADS, None) is None:
        config.stash[_THREADS] = threads
        tell(config, f"PyTorch uses {threads}")


_THREADS = pytest.StashKey[Threads]()


def tell(config: pytest.Config, line: str) -> None:
    """Prints a line on the terminal; not in workers or with ``--no-summary``."""
    terminal: Any = config.pluginmanager.get_plugin("terminalreporter")
    capture: Any = config.pluginmanager.get_plugin("capturemanager")
    if terminal is None or terminal.no_summary or hasattr(config, "workerinput"):
        return
    with capture.global_and_fixture_disabled():
        terminal.ensure_newline()
        terminal.write_line(f"abalo: {visible_lines(line)}")


class Progress:
    """Shows on a terminal how far the run is: cases and inputs done, time left, windows or calls of this case."""

    _PATIENCE = 2.0

    def __init__(self, config: pytest.Config, models: Sequence[object]) -> None:
        self._models: Sequence[Any] = [model for model in models if hasattr(model, "on_progress")]
        self._terminal: Any = config.pluginmanager.get_plugin("terminalreporter")
        self._capture: Any = config.pluginmanager.get_plugin("capturemanager")
        self._pace, self._inputs = pace_of(config), 0
        self._shown = False

    def __enter__(self) -> None:
        visible = self._terminal is not None and self._terminal.isatty and not self._terminal.no_summary
        if visible:
            self._started = time.monotonic()
            self._listen(self._show)
            if sum(self._pace.taken.values()) >= self._PATIENCE:
                self._shown = True
                self._write(f"abalo: {self._pace.told()}")

    def __exit__(self, *_: object) -> None:
        self._listen(None)
        if self._shown:
            self._write("")

    def _listen(self, shown: Callable[[int, int], None] | None) -> None:
        for model in self._models:
            model.on_progress = shown

    def _show(self, done: int, total: int) -> None:
        here = threading.current_thread() is threading.main_thread()  # what runs ahead is no work of this test
        if here and time.monotonic() - self._started >= self._PATIENCE:
            self._shown = True
            calls = [str(model.calls) for model in self._models if hasattr(model, "calls")]
            own = "; ".join(calls) or f"{done:,} of {total:,} windows"
            told = self._pace.told(time.monotonic() - self._started, self._inputs + done)
            self._write(f"abalo: {told}; {own}" if self._pace.expected else f"abalo: {own}")
        if done == total:
            self._inputs += total

    def _write(self, line: str) -> None:
        with self._capture.global_and_fixture_disabled():
            self._terminal.rewrite(line, erase=True)
