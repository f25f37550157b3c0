"""The capability matrix [Ribeiro et al., Beyond Accuracy: Behavioral Testing of NLP Models with CheckList, ACL 2020,
table 1].
"""

from __future__ import annotations

from collections.abc import Sequence

from abalo.capabilities.blocks import by_row, examples, failure_rate, row_of, title, worst
from abalo.capabilities.capability import KINDS
from abalo.capabilities.facts import facts_of
from abalo.core.documents.blocks import Block, Cell, Column, Fold, Noted, Row, Table, meanings
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.protocols.results import bounds, cases, task_of, verdict, weight
from abalo.core.records import words
from abalo.core.statistics.passing import CAPABILITY
from abalo.reporting.content.blocks import ReportBlock


def summary(document: Document) -> Sequence[Block]:
    """Shows each task's matrix, test verdicts and failures."""
    by_task: dict[str, list[Result]] = {}
    for result in cases(document):
        if result.probe == CAPABILITY:
            by_task.setdefault(result.task, []).append(result)
    return [block for results in by_task.values() for block in _of_task(results, several=len(by_task) > 1)]


BLOCK = ReportBlock("capabilities", summary, order=-5)


def _of_task(results: Sequence[Result], *, several: bool) -> list[Block]:
    name = f"{task_of(results[0]).title}: capabilities" if several else "Capabilities"
    broken = tuple(block for result in results for block in examples(result))
    return [_matrix(results, name), _tests(results), *([Fold("Fillings that failed", broken)] if broken else [])]


def _matrix(results: Sequence[Result], name: str) -> Table:
    columns = (Column("Capability"), *(Column(words.sentence_case(kind), numeric=True, wide=True) for kind in KINDS))
    rows = tuple(
        Row(
            (words.name(row), *(_cell(kinds.get(kind, ())) for kind in KINDS)),
            max(weight(result) for own in kinds.values() for result in own),
        )
        for row, kinds in by_row(results).items()
    )
    note = (
        "A cell shows the failure rate of its worst test with the interval, and how many of its tests failed. A "
        "rate without an interval covers all possible fillings."
    )
    return Table(columns, rows, name, (note,), noun="capability", most=None)


def _cell(own: Sequence[Result]) -> Cell:
    if not own:
        return words.NOTHING
    failed, worse = sum(result.verdict == "fail" for result in own), worst(own)
    rate = failure_rate(worse)
    said = rate.number if facts_of(worse).census else str(rate)
    return Noted(said, f"{failed} of {words.count(len(own), 'test')} failed")


def _tests(results: Sequence[Result]) -> Table:
    columns = (
        Column("Capability"),
        Column("Test"),
        Column("Kind"),
        Column("Fillings", "fillings that were run, of all possible ones", numeric=True),
        Column("Failure rate", numeric=True, wide=True),
        Column("Bound"),
        Column(words.VERDICT_ON_BOUND),
    )
    rows = tuple(Row(_test(result), weight(result)) for result in sorted(results, key=row_of))
    return Table(columns, rows, "Tests of capabilities", meanings(columns), keys=2, noun="test")


def _test(result: Result) -> tuple[Cell, ...]:
    said = facts_of(result)
    fillings = f"{said.run:,}/{said.exist:,}"
    rate = failure_rate(result)
    shown = rate.number if said.census else rate
    return words.name(row_of(result)), title(result), said.kind, fillings, shown, bounds(result), verdict(result)
