"""How far long work has come, on a terminal and nowhere else."""

from __future__ import annotations

import time
from typing import Any

import pytest


class Progress:
    """While open, shows how many windows a tagger has done; only on a terminal, only for work that takes seconds."""

    _PATIENCE = 2.0

    def __init__(self, config: pytest.Config, model: object) -> None:
        self._model: Any = model
        self._terminal: Any = config.pluginmanager.get_plugin("terminalreporter")
        self._capture: Any = config.pluginmanager.get_plugin("capturemanager")
        self._shown = False

    def __enter__(self) -> None:
        visible = self._terminal is not None and self._terminal.isatty and not self._terminal.no_summary
        if visible and hasattr(self._model, "on_progress"):
            self._started = time.monotonic()
            self._model.on_progress = self._show

    def __exit__(self, *_: object) -> None:
        if hasattr(self._model, "on_progress"):
            self._model.on_progress = None
        if self._shown:
            self._write("")

    def _show(self, done: int, total: int) -> None:
        if time.monotonic() - self._started >= self._PATIENCE:
            self._shown = True
            self._write(f"abalo: {done} of {total} windows")

    def _write(self, line: str) -> None:
        with self._capture.global_and_fixture_disabled():
            self._terminal.rewrite(line, erase=True)
