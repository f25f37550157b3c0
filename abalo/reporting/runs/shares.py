"""Joins the shares of a search into one case."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from abalo.attacks import facts
from abalo.core.evidence import Evidence, put_together
from abalo.core.found import Result, WorstExample, WrongUnit, certain
from abalo.core.plan import PART
from abalo.core.records import as_json, joins, read
from abalo.core.task import Task, tasks
from abalo.core.task_report import add_values
from abalo.reporting.documents.examples import EXAMPLE, example_lines


@dataclass(frozen=True, slots=True, eq=False)
class CaseFindings:
    """A case's result in its own view, evidence, lines of examples.jsonl, and log, possibly empty."""

    result: Result
    evidence: Evidence
    lines: Sequence[str] = ()
    log: bytes = b""

    @property
    def numbers(self) -> Sequence[int]:
        """The places of its units in the whole case."""
        return certain(self.result.part).numbers


def join_shares(parts: Sequence[CaseFindings]) -> CaseFindings:
    """Joins findings in the order of an undivided run."""
    numbers = [number for each in parts for number in each.numbers]
    evidence = put_together([each.evidence for each in parts], numbers)
    results = [each.result for each in parts]
    task = tasks()[results[0].task]
    told = [as_json(each) for each in results]
    result = {
        **{name: value for name, value in told[0].items() if name != PART},
        **{name: _whole([each[name] for each in told]) for name in joins(Result, "sum", "spent")},
        **{name: _whole([each[name] for each in told]) for name in task.report.result_fields},
        **facts.join_fields(told, evidence),
    }
    lines = _lines(results[0].id, [line for each in parts for line in each.lines], evidence, task)
    return CaseFindings(read(Result, result), evidence, lines, _log(parts))


def _whole(values: Sequence[object]) -> object:
    return None if None in values else add_values(values)


def _lines(case: str, lines: Iterable[str], evidence: Evidence, task: Task) -> list[str]:
    units = zip(evidence.ids.tolist(), evidence.seeds.tolist(), evidence.places.tolist(), strict=True)
    order = {unit: place for place, unit in enumerate(units)}
    records: list[tuple[int, str]] = []
    examples: list[WorstExample] = []
    for line in lines:
        found = json.loads(line)
        if EXAMPLE in found:
            examples.append(read(WorstExample, found[EXAMPLE]))
        else:
            records.append((order[read(WrongUnit, found).unit], line))
    return [*(line for _, line in sorted(records)), *example_lines(case, task.report.worst(examples))]


def _log(parts: Sequence[CaseFindings]) -> bytes:
    if not all(each.log for each in parts):
        return b""
    header = parts[0].log.partition(b"\n")[0]
    logs = [each.log.splitlines(keepends=True)[1:] for each in parts]
    numbered = [pair for each, log in zip(parts, logs, strict=True) for pair in zip(each.numbers, log, strict=False)]
    return b"".join([header + b"\n", *(line for _, line in sorted(numbered))])
