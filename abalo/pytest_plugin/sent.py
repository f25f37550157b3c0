"""What tests send to the process that writes reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from abalo.core.documents.document import Regression
from abalo.core.documents.found import Result
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import JsonRecord
from abalo.pytest_plugin.keys import RECORDS
from abalo.run.store import RunStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent(JsonRecord):
    """What a test found; the counts and texts of its case are in the store."""

    id: str | None = None
    folder: str = ""
    expected: Sequence[str] = ()
    status: str | None = None
    facts: JsonObject | None = None
    results: Sequence[Result] = ()
    regression: Regression | None = None


def records_of(config: pytest.Config) -> RunStore:
    """The store of the run, one in a process."""
    if RECORDS not in config.stash:
        folder = config.invocation_params.dir / str(config.getoption("abalo_reports"))
        config.stash[RECORDS] = RunStore(folder, shared=hasattr(config, "workerinput"))
    found: RunStore = config.stash[RECORDS]
    return found
