"""Random wrong examples, independent of engine and order."""

from __future__ import annotations

import hashlib
import heapq
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from abalo.core.protocols.probe import Case
from abalo.core.protocols.task import Task
from abalo.core.protocols.units import units
from abalo.core.records.example import JsonObject
from abalo.core.records.outcome import Outcome
from abalo.files import read_text

NAME = "examples.jsonl"

CASE, LOT, RECORD, SHOWN = "case", "lot", "record", "shown"


def draw_examples(case: Case, outcomes: Iterable[Outcome], task: Task, most: int) -> Iterator[JsonObject]:
    """Wrong outcomes with the lowest lots; copies count once.

    Lots depend only on case, example, seed and place.
    """
    by_lot = {_lot(case, outcome): outcome for outcome in outcomes}
    for lot in sorted(by_lot):
        own = [by_lot[lot]]
        for record in units(case.probe, task).records(own):
            yield {CASE: case.id, LOT: lot, RECORD: record, SHOWN: units(case.probe, task).examples(own, case)}
            most -= 1
        if not most:
            return


def as_lines(sample: Iterable[JsonObject]) -> bytes:
    """The sample as JSON lines."""
    lines = (json.dumps(each, ensure_ascii=False, allow_nan=False) + "\n" for each in sample)
    return "".join(lines).encode("utf-8", "backslashreplace")


def lowest(files: Sequence[Path], case: str, most: int) -> list[JsonObject]:
    """A case's examples with the lowest lots."""
    found: dict[str, JsonObject] = {}
    for path in files:
        own = (json.loads(line) for line in read_text(path).split("\n") if line)
        found |= {each[LOT]: each for each in own if each[CASE] == case}
        found = {lot: found[lot] for lot in heapq.nsmallest(most, found)}
    return [*found.values()]


def _lot(case: Case, outcome: Outcome) -> str:
    said = f"{case.id}\n{outcome.example.id}\n{outcome.seed}\n{outcome.place}"
    return hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
