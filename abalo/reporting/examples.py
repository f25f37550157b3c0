"""The lines of examples.jsonl: every unit that is wrong, and of each case the worst ones as reports show them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from abalo.core.example import Json
from abalo.errors import AbaloError

RANK, EXAMPLE = "rank", "example"
"""The fields of a line about an example that a report shows: its place among those of its case, from 1, and itself."""

NONE_THERE = "there is no examples.jsonl beside the report (--abalo-no-text)"
"""The reason why no sentence can be shown of a run."""


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The lines by case: ``records`` of units that are wrong, and ``examples`` as results have them."""

    records: dict[str, list[Json]] = field(default_factory=dict)
    examples: dict[str, list[Json]] = field(default_factory=dict)


def record_line(case: str, record: Mapping[str, Any]) -> str:
    """A record of a case as a line of JSON."""
    return json.dumps({"case": case, **record}, ensure_ascii=False, allow_nan=False)


def example_lines(case: str, examples: Iterable[Json]) -> list[str]:
    """The examples of a case as lines of JSON, worst first."""
    return [record_line(case, {RANK: rank, EXAMPLE: each}) for rank, each in enumerate(examples, start=1)]


def lines_of(results: Iterable[Json]) -> Iterator[str]:
    """The examples that results hold as lines, case by case."""
    for result in results:
        yield from example_lines(result["id"], result.get("examples", ()))


def parsed(lines: Iterable[str], path: Path) -> Lines:
    """The lines by case; raises `AbaloError`, which names the line of the file, for one that is none of ours."""
    found = Lines()
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        try:
            record = json.loads(line)
            if EXAMPLE in record:
                found.examples.setdefault(record["case"], []).append(dict(record[EXAMPLE]))
            else:
                found.records.setdefault(record["case"], []).append(record)
                _ = record["sentence_id"], record["seed"]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise AbaloError(
                f"{path}:{number}: is no record of a run: {type(error).__name__}: {error}; run the gate again"
            ) from error
    return found


def with_examples(results: Sequence[Json], examples: Mapping[str, Sequence[Json]]) -> list[Json]:
    """The results, the first of each case with its examples; those that have some already keep them."""
    given: set[str] = set()
    found = []
    for result in results:
        own = examples.get(result["id"], ()) if result["id"] not in given else ()
        given.add(result["id"])
        found.append({**result, "examples": list(own)} if own else result)
    return found
