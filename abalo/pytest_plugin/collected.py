"""The note that workers of xdist leave for their controller, which collects no tests: which of them are ours."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_NAME = "collected.json"


@dataclass(frozen=True, slots=True)
class Collected:
    """The ids of the cases that should have a result, and those of all cases of ours by the id of their test."""

    expected: Sequence[str]
    cases: Mapping[str, str]


def leave(found: Collected, store: Path) -> None:
    """Puts the note into the folder that the processes of a session share; all workers leave the same."""
    store.mkdir(parents=True, exist_ok=True)
    fresh = store / f"{_NAME}.{os.getpid()}"
    fresh.write_text(json.dumps([list(found.expected), dict(found.cases)]), encoding="utf-8")
    fresh.replace(store / _NAME)


def left_in(store: Path) -> Collected | None:
    """The note of the worker that collected first; None where there is none, or none of its tests is ours."""
    path = store / _NAME
    return Collected(*json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None
