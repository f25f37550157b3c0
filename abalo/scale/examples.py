"""A sample of wrong examples with their text, drawn by lot: the same whatever runs the shards, in whatever order."""

from __future__ import annotations

import hashlib
import heapq
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from abalo.core.example import Json
from abalo.core.outcome import Outcome
from abalo.core.probe import Case
from abalo.core.task import Task
from abalo.core.units import units
from abalo.files import read_text

NAME = "examples.jsonl"
"""The file of the sample in the folder of a shard."""

CASE, LOT, RECORD, SHOWN = "case", "lot", "record", "shown"
"""The fields of a line: the case, the lot, the unit as in examples.jsonl, and as reports show it if they do."""


def drawn(case: Case, outcomes: Iterable[Outcome], task: Task, most: int) -> Iterator[Json]:
    """At most so many of the outcomes that are wrong: those with the lowest lots, which hang on example and seed alone.

    Copies of an example have one lot, and count once.
    """
    by_lot = {_lot(case, outcome): outcome for outcome in outcomes}
    for lot in sorted(by_lot):
        own = [by_lot[lot]]
        for record in units(case.probe, task).records(own):
            yield {CASE: case.id, LOT: lot, RECORD: record, SHOWN: units(case.probe, task).examples(own, case)}
            most -= 1
        if not most:
            return


def as_lines(sample: Iterable[Json]) -> bytes:
    """The sample of a shard as the lines of its file."""
    lines = (json.dumps(each, ensure_ascii=False, allow_nan=False) + "\n" for each in sample)
    return "".join(lines).encode("utf-8", "backslashreplace")


def lowest(files: Sequence[Path], case: str, most: int) -> list[Json]:
    """At most so many of all the samples of a case in these files: those with the lowest lots, each lot once."""
    found: dict[str, Json] = {}
    for path in files:
        own = (json.loads(line) for line in read_text(path).split("\n") if line)
        found |= {each[LOT]: each for each in own if each[CASE] == case}
        found = {lot: found[lot] for lot in heapq.nsmallest(most, found)}
    return [*found.values()]


def _lot(case: Case, outcome: Outcome) -> str:
    said = f"{case.id}\n{outcome.example.id}\n{outcome.seed}\n{outcome.place}"
    return hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
