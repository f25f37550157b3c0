"""Joins the shares of a search into one case."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from abalo.attacks import facts
from abalo.core.documents.found import PartFacts, Result, WorstExample, certain
from abalo.core.protocols.probe import fields_of
from abalo.core.protocols.task import tasks
from abalo.core.protocols.task_report import add_values, worst_examples
from abalo.core.records.json_records import JsonRecord, as_json, joins, read
from abalo.core.statistics.evidence import Evidence, put_together
from abalo.core.statistics.plan import PART
from abalo.reporting.documents.examples import EXAMPLE, example_in, example_lines, unit_in


@dataclass(frozen=True, slots=True, eq=False)
class CaseFindings:
    """What a run has of a case or share: ``results`` by view, ``lines`` of examples.jsonl, ``logs`` by file name."""

    results: Sequence[Result]
    evidence: Evidence
    lines: Sequence[str] = ()
    logs: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def part(self) -> PartFacts | None:
        """Returns the share, or None if the case is whole."""
        return self.results[0].part if self.results else None

    @property
    def numbers(self) -> Sequence[int]:
        """The places of its units in the whole case."""
        return certain(self.part).numbers


def join_shares(parts: Sequence[CaseFindings]) -> CaseFindings:
    """Joins the shares of a search in the order of an undivided run."""
    numbers = [number for each in parts for number in each.numbers]
    evidence = put_together([each.evidence for each in parts], numbers)
    task = tasks()[parts[0].results[0].task]
    told = [as_json(each.results[0]) for each in parts]
    kinds: list[type[JsonRecord]] = [Result, *fields_of(parts[0].results[0].probe, task.name)]
    result = {
        **{name: value for name, value in told[0].items() if name != PART},
        **{name: _whole([each[name] for each in told]) for name in joins(kinds, "sum", "spent") if name in told[0]},
        **facts.join_fields(told, evidence),
    }
    lines = _lines(parts[0].results[0].id, [line for each in parts for line in each.lines], evidence)
    logs = {name: _log(parts, name) for name in parts[0].logs}
    return CaseFindings([read(Result, result)], evidence, lines, logs)


def _whole(values: Sequence[object]) -> object:
    return None if None in values else add_values(values)


def _lines(case: str, lines: Iterable[str], evidence: Evidence) -> list[str]:
    units = zip(evidence.ids.tolist(), evidence.seeds.tolist(), evidence.places.tolist(), strict=True)
    order = {unit: place for place, unit in enumerate(units)}
    records: list[tuple[int, str]] = []
    examples: list[WorstExample] = []
    for line in lines:
        found = json.loads(line)
        if EXAMPLE in found:
            examples.append(example_in(found))
        else:
            records.append((order[unit_in(found).unit], line))
    return [*(line for _, line in sorted(records)), *example_lines(case, worst_examples(examples))]


def _log(parts: Sequence[CaseFindings], name: str) -> bytes:
    if not all(each.logs.get(name) for each in parts):
        return b""
    header = parts[0].logs[name].partition(b"\n")[0]
    logs = [each.logs[name].splitlines(keepends=True)[1:] for each in parts]
    numbered = [pair for each, log in zip(parts, logs, strict=True) for pair in zip(each.numbers, log, strict=False)]
    return b"".join([header + b"\n", *(line for _, line in sorted(numbered))])
