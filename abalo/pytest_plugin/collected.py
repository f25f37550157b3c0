"""A note from xdist workers to their controller, which collects no tests."""

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
    """Awaited case ids, and all our case ids by test id.

    ``deal`` is set for a shard; ``said`` describes the run.
    """

    expected: Sequence[str]
    cases: Mapping[str, str]
    deal: Deal | None = None
    said: str = ""


def leave(found: Collected, store: Path) -> None:
    """Writes the note into the shared folder."""
    store.mkdir(parents=True, exist_ok=True)
    fresh = store / f"{_NAME}.{os.getpid()}"
    deal = None if found.deal is None else found.deal.to_json()
    fresh.write_text(json.dumps([list(found.expected), dict(found.cases), deal, found.said]), encoding="utf-8")
    fresh.replace(store / _NAME)


def read_note(store: Path) -> Collected | None:
    """The first worker's note; None if no test is ours."""
    path = store / _NAME
    if not path.is_file():
        return None
    from abalo.config.dealing import Deal

    expected, cases, deal, said = json.loads(path.read_text(encoding="utf-8"))
    return Collected(expected, cases, None if deal is None else Deal.from_json(deal), said)
