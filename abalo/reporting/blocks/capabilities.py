"""The matrix of capabilities: what the model cannot do, by capability and kind of test.

[the matrix of Ribeiro et al., Beyond Accuracy: Behavioral Testing of NLP Models with CheckList, ACL 2020, table 1]
"""

from __future__ import annotations

from collections.abc import Sequence

from abalo.capabilities.blocks import by_row, examples, failure_rate, row_of, title, worst
from abalo.capabilities.capability import KINDS
from abalo.core import words
from abalo.core.blocks import Block, Cell, Column, Fold, Noted, Row, Table, meanings
from abalo.core.passing import CAPABILITY
from abalo.core.results import Json, bounds, cases, task_of, verdict, weight
from abalo.reporting.blocks import ReportBlock


def summary(document: Json) -> Sequence[Block]:
    """For each task with capabilities the matrix, then every test with its verdict, then what broke."""
    by_task: dict[str, list[Json]] = {}
    for result in cases(document):
        if result["probe"] == CAPABILITY:
            by_task.setdefault(result["task"], []).append(result)
    return [block for results in by_task.values() for block in _of_task(results, several=len(by_task) > 1)]


BLOCK = ReportBlock("capabilities", summary, order=-5)


def _of_task(results: Sequence[Json], *, several: bool) -> list[Block]:
    name = f"{task_of(results[0]).title}: capabilities" if several else "Capabilities"
    broken = tuple(block for result in results for block in examples(result))
    return [_matrix(results, name), _tests(results), *([Fold("Fillings that broke", broken)] if broken else [])]


def _matrix(results: Sequence[Json], name: str) -> Table:
    columns = (Column("Capability"), *(Column(words.sentence_case(kind), numeric=True, wide=True) for kind in KINDS))
    rows = tuple(
        Row(
            (words.name(row), *(_cell(kinds.get(kind, ())) for kind in KINDS)),
            max(weight(result) for own in kinds.values() for result in own),
        )
        for row, kinds in by_row(results).items()
    )
    note = (
        "Failure rate of the worst test in each cell, with its interval, and how many tests failed of how many. A rate "
        "without an interval is of all fillings that there are."
    )
    return Table(columns, rows, name, (note,), noun="capability", most=None)


def _cell(own: Sequence[Json]) -> Cell:
    if not own:
        return words.NOTHING
    failed, worse = sum(result["verdict"] == "fail" for result in own), worst(own)
    rate = failure_rate(worse)
    said = rate.number if worse[CAPABILITY]["census"] else str(rate)
    return Noted(said, f"{failed} of {words.count(len(own), 'test')} failed")


def _tests(results: Sequence[Json]) -> Table:
    columns = (
        Column("Capability"),
        Column("Test"),
        Column("Kind"),
        Column("Fillings", "that were run, of all that there are", numeric=True),
        Column("Failure rate", numeric=True, wide=True),
        Column("Bound"),
        Column("Verdict on bound"),
    )
    rows = tuple(Row(_test(result), weight(result)) for result in sorted(results, key=row_of))
    return Table(columns, rows, "Tests of capabilities", meanings(columns), keys=2, noun="test")


def _test(result: Json) -> tuple[Cell, ...]:
    said = result[CAPABILITY]
    fillings = f"{said['run']:,}/{said['exist']:,}"
    rate = failure_rate(result)
    shown = rate.number if said["census"] else rate
    return words.name(row_of(result)), title(result), said["kind"], fillings, shown, bounds(result), verdict(result)
