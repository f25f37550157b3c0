"""A search of which several shards have each run a share, as the one case that it is."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from abalo.attacks import facts
from abalo.core.evidence import Evidence, put_together
from abalo.core.example import Json
from abalo.core.plan import PART
from abalo.core.task import Task, tasks
from abalo.core.task_report import added
from abalo.reporting.examples import EXAMPLE, example_lines

_SUMS = ("variants", "seconds", "forwards", "shared_forwards")
"""The fields of a result that are sums over parts."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The findings of a run about a case: the result in its own view, evidence, lines of examples.jsonl, and its log.

    ``log`` is empty where none was kept.
    """

    result: Json
    evidence: Evidence
    lines: Sequence[str] = ()
    log: bytes = b""

    @property
    def numbers(self) -> Sequence[int]:
        """The places of its units in the whole case."""
        found: Sequence[int] = self.result[PART]["numbers"]
        return found


def joined(parts: Sequence[Found]) -> Found:
    """The findings of a run of the whole case, in the order that it would have had."""
    numbers = [number for each in parts for number in each.numbers]
    evidence = put_together([each.evidence for each in parts], numbers)
    results = [each.result for each in parts]
    task = tasks()[results[0]["task"]]
    result = {
        **{name: value for name, value in results[0].items() if name != PART},
        **{name: sum(each[name] for each in results) for name in _SUMS},
        **{name: _whole([each[name] for each in results]) for name in task.report.result_fields},
        **facts.joined(results, evidence),
    }
    lines = _lines(result["id"], [line for each in parts for line in each.lines], evidence, task)
    return Found(result, evidence, lines, _log(parts))


def _whole(values: Sequence[Any]) -> Any:
    """A field of a task for the whole case; None if it is None in a part."""
    return None if None in values else added(values)


def _lines(case: str, lines: Iterable[str], evidence: Evidence, task: Task) -> list[str]:
    """The lines of units in the order of the evidence, then those of the examples that a report shows."""
    units = zip(evidence.ids.tolist(), evidence.seeds.tolist(), evidence.places.tolist(), strict=True)
    order = {unit: place for place, unit in enumerate(units)}
    records: list[tuple[int, str]] = []
    examples: list[Json] = []
    for line in lines:
        found = json.loads(line)
        if EXAMPLE in found:
            examples.append(found[EXAMPLE])
        else:
            records.append((order[found["sentence_id"], found["seed"], found.get("place", "")], line))
    return [*(line for _, line in sorted(records)), *example_lines(case, task.report.worst(examples))]


def _log(parts: Sequence[Found]) -> bytes:
    """The log of the whole: the first line, which all share, and a line for each search."""
    if not all(each.log for each in parts):
        return b""
    header = parts[0].log.partition(b"\n")[0]
    logs = [each.log.splitlines(keepends=True)[1:] for each in parts]
    numbered = [pair for each, log in zip(parts, logs, strict=True) for pair in zip(each.numbers, log, strict=False)]
    return b"".join([header + b"\n", *(line for _, line in sorted(numbered))])
