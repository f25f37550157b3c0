"""The note that workers of xdist leave for their controller, which collects no tests: which are ours, how dealt."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from abalo.config.dealing import Deal

_NAME = "collected.json"


@dataclass(frozen=True, slots=True)
class Collected:
    """The ids of the cases that should have a result, and those of all cases of ours by the id of their test.

    ``deal`` is there where this run is one shard. ``said`` is the line that names what is run.
    """

    expected: Sequence[str]
    cases: Mapping[str, str]
    deal: Deal | None = None
    said: str = ""


def leave(found: Collected, store: Path) -> None:
    """Puts the note into the folder that the processes of a session share; all workers leave the same."""
    store.mkdir(parents=True, exist_ok=True)
    fresh = store / f"{_NAME}.{os.getpid()}"
    deal = None if found.deal is None else found.deal.to_json()
    fresh.write_text(json.dumps([list(found.expected), dict(found.cases), deal, found.said]), encoding="utf-8")
    fresh.replace(store / _NAME)


def left_in(store: Path) -> Collected | None:
    """The note of the worker that collected first; None where there is none, or none of its tests is ours."""
    path = store / _NAME
    if not path.is_file():
        return None
    from abalo.config.dealing import Deal

    expected, cases, deal, said = json.loads(path.read_text(encoding="utf-8"))
    return Collected(expected, cases, None if deal is None else Deal.from_json(deal), said)
