"""The lines of examples.jsonl: wrong units, and examples as reports show them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from abalo.core.documents.found import Result, WorstExample, WrongUnit
from abalo.core.protocols.task import Task, tasks
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import Json, JsonRecord, Name, Positive, as_json, declared, read, read_whole
from abalo.corpora.json_text import json_written
from abalo.errors import AbaloError, in_words

RANK, EXAMPLE = "rank", "example"
"""Fields of a shown example: rank within its case, from 1, and content."""

NONE_THERE = "there is no examples.jsonl beside the report (--abalo-no-text)"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownLine(JsonRecord):
    """An example that a report shows."""

    case: Name = declared("Id of the case.")
    rank: Positive = declared("Its rank within the case, from 1.")
    example: JsonObject = declared("The example.")


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Records of wrong units and shown examples, by case."""

    records: dict[str, list[WrongUnit]] = field(default_factory=dict)
    examples: dict[str, list[WorstExample]] = field(default_factory=dict)


def record_line(case: str, record: Mapping[str, object]) -> str:
    """Formats a record as a JSON line."""
    return _ENCODER.encode({"case": case, **record})


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def example_lines(case: str, examples: Iterable[WorstExample | JsonObject]) -> list[str]:
    """Formats examples as JSON lines, worst first."""
    return [record_line(case, {RANK: rank, EXAMPLE: as_json(each)}) for rank, each in enumerate(examples, start=1)]


def lines_of(results: Iterable[Result]) -> Iterator[str]:
    """Yields the examples of results as lines."""
    for result in results:
        yield from example_lines(result.id, result.examples)


def parse_lines(lines: Iterable[str], path: Path) -> Lines:
    """Parses lines by case; raises `AbaloError` if one is invalid."""
    found = Lines()
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        try:
            record = _object(json_written(line))
            if EXAMPLE in record:
                found.examples.setdefault(record["case"], []).append(example_in(record))
            else:
                found.records.setdefault(record["case"], []).append(unit_in(record))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise AbaloError(
                f"{path}:{number}: is no record of a run: {in_words(error)}; run the gate again"
            ) from error
    return found


def unit_in(line: Json) -> WrongUnit:
    """The wrong unit in a line; raises TypeError or KeyError for others."""
    task = _task_of(line)
    return read_whole(WrongUnit if task is None else task.report.unit, line)


def example_in(line: Json) -> WorstExample:
    """The shown example in a line; raises the same."""
    task, shown = _task_of(line), read(ShownLine, line)
    return read_whole((None if task is None else task.report.example) or WorstExample, shown.example)


def _object(value: object) -> Json:
    if not isinstance(value, dict):
        raise TypeError(f"{value!r:.40} is no object")
    return value


def _task_of(line: Json) -> Task | None:
    if not isinstance(case := line["case"], str):
        raise TypeError(f"case is {case!r:.40}; expected a text")
    return tasks().get(case.partition("/")[0])


def with_examples(results: Sequence[Result], examples: Mapping[str, Sequence[WorstExample]]) -> list[Result]:
    """Adds examples to each case's first result, unless it has some."""
    given: set[str] = set()
    found = []
    for result in results:
        own = examples.get(result.id, ()) if result.id not in given else ()
        given.add(result.id)
        found.append(replace(result, examples=list(own)) if own else result)
    return found
