"""Sentences that a run broke and its reference did not, with marked edits."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from abalo.comparison.document.loss_tests import LABELS, MEAN, LossTest
from abalo.comparison.test.family import TYPES
from abalo.core.documents.blocks import (
    Block,
    Column,
    Examples,
    Measured,
    Row,
    ShownExample,
    Table,
    heads,
    meanings,
    with_one_legend,
)
from abalo.core.documents.document import Document
from abalo.core.documents.found import WorstExample, WrongUnit
from abalo.core.documents.losses_found import ComparedTask, TurnedFacts, UnitDifference
from abalo.core.protocols.results import cases, probe_of, scenario, task_of
from abalo.core.protocols.task import Task, tasks
from abalo.core.records import words
from abalo.core.records.json_records import read
from abalo.core.statistics.plan import BASELINE
from abalo.reporting.documents.examples import unit_in
from abalo.reporting.documents.problems import title_of

RECORD = "record"
"""Field of a unit that temporarily holds its record."""

WRONG_BEFORE = "wrong_before"
"""Field of a unit: whether this run is wrong about its unchanged example, too."""

OF_EACH = 3

_CASES = 8


def turned(own: ComparedTask, task: Task) -> str:
    """Counts the examples of the clean corpus that turned; "" if the runs are identical."""
    clean = next((each for each in own.newly if each.case == f"{task.name}/{BASELINE}"), None)
    if clean is None or own.identical:
        return ""
    return (
        f"newly wrong {_of(clean.wrong)}, newly right {_of(clean.right)}, of {words.count(clean.examples, task.noun)}"
    )


def _of(found: TurnedFacts) -> str:
    return f"{found.count:,}, {Measured.of(found)}"


def turned_by_case(own: ComparedTask, titles: Mapping[str, str], task: Task) -> Iterator[Table]:
    """Lists the cases with examples that turned."""
    found = [each for each in own.newly if each.wrong.count or each.right.count]
    columns = (
        Column("Case"),
        *heads(("Newly wrong", "Newly right"), wide=True),
        Column(f"{words.sentence_case(task.noun)}s", _EXAMPLES, numeric=True),
    )
    rows = tuple(
        Row((title_of(each.case, titles), _of(each.wrong), _of(each.right), f"{each.examples:,}")) for each in found
    )
    if rows and not own.identical:
        yield Table(
            columns, rows, f"{task.title}: newly wrong and newly right", meanings(columns), noun="case", cards=True
        )


_EXAMPLES = "compared examples, once for each seed or variant; of a perturbed case those that it changed"


def key_of(unit: UnitDifference | WrongUnit) -> tuple[str, str, int, str]:
    """Case, example, seed and place."""
    return unit.case, unit.sentence_id, unit.seed, unit.place


def with_records(document: Document, records: Iterable[str]) -> Document:
    """Adds the records of units that got worse, ignoring invalid lines of examples.jsonl."""
    compared = document.comparison
    if compared is None:
        return document
    wanted = {key_of(each) for own in compared.tasks.values() for each in own.newly_worse}
    found, wrong = dict[object, WrongUnit](), set[tuple[str, str]]()
    for record in chain.from_iterable(_record(line) for line in records if wanted):
        task, _, case = record.case.partition("/")
        if case == BASELINE:
            wrong.add((task, record.sentence_id))
        if key_of(record) in wanted:
            found[key_of(record)] = record
    tasks = {}
    for name, own in compared.tasks.items():
        units = (_with(each, found.get(key_of(each)), (name, each.sentence_id) in wrong) for each in own.newly_worse)
        tasks[name] = replace(own, newly_worse=[*units])
    return replace(document, comparison=replace(compared, tasks=tasks))


def of_reference(worse: float, record: WrongUnit | None = None, *, wrong_before: bool = False) -> str:
    """Says how the reference answered, from the difference ``worse``, and if this run was ``wrong_before`` a change."""
    changed = record is not None and bool(record.edits or record.place)
    where = "after the change" if changed else "here"
    said = f"the reference scored {words.number(worse)} higher {where}"
    said = f"the reference was right {where}" if worse == 1.0 else said
    return f"{said}; this run had errors before the change, too" if changed and wrong_before else said


def answered(unit: UnitDifference) -> str:
    """Says how the reference answered a unit."""
    return of_reference(unit.worse, unit.more.get(RECORD), wrong_before=bool(unit.more.get(WRONG_BEFORE)))


def _with(unit: UnitDifference, record: WrongUnit | None, wrong: bool) -> UnitDifference:
    return unit if record is None else replace(unit, more={RECORD: record, WRONG_BEFORE: wrong})


def _record(line: str) -> Iterator[WrongUnit]:
    try:
        yield unit_in(json.loads(line))
    except (ValueError, KeyError, TypeError):
        return


def mark_sentences(units: Sequence[UnitDifference], document: Document) -> Iterator[Block]:
    """Shows sentences of units that have a record."""
    return with_one_legend(_sentences(units, document))


def of_loss(test: LossTest, document: Document) -> Iterator[Examples]:
    """Shows the recorded sentences of a failed loss.

    A mean shows the cases that lost most, a label the sentences with errors in it.
    """
    own = None if document.comparison is None else document.comparison.tasks.get(test.task)
    if own is not None:
        yield from _sentences([each for each in _units_of(test, own) if RECORD in each.more], document)


def covers_cases(test: LossTest) -> bool:
    """Whether a loss is about all cases of its task."""
    return test.id.partition("/")[2] in (MEAN, LABELS, TYPES)


def _units_of(test: LossTest, own: ComparedTask) -> list[UnitDifference]:
    name = test.id.partition("/")[2]
    if not covers_cases(test):
        return [each for each in own.newly_worse if each.case == test.id]
    lost = {row.id: row.weight * (row.value or 0.0) for row in own.losses if row.type is None}
    ranked = sorted(own.newly_worse, key=lambda each: -lost.get(each.case, 0.0))
    if name == MEAN:
        return [each for each in ranked if lost.get(each.case, 0.0) > 0]
    labels = {each.type for each in own.lost} if name == LABELS else {None if test.loss is None else test.loss.type}
    report = tasks()[test.task].report
    return [each for each in ranked if RECORD in each.more and labels & {*report.concerned(each.more[RECORD])}]


def _sentences(units: Sequence[UnitDifference], document: Document) -> Iterator[Examples]:
    by_id = {result.id: result for result in cases(document)}
    by_case: dict[str, dict[str, UnitDifference]] = {}
    for each in units:
        if RECORD in each.more and each.case in by_id:
            by_case.setdefault(each.case, {})[each.sentence_id] = each
    for case, own in [*by_case.items()][:_CASES]:
        result, order = by_id[case], [*own]
        task, records = task_of(result), [each.more[RECORD] for each in own.values()]
        if probe_of(result).perturbs:  # an example that stays as it is, or is wrong as it is, stands below the baseline
            records = [each for each in records if each.edits or each.place] or records
            records = [each for each in records if not own[each.sentence_id].more[WRONG_BEFORE]] or records
        every = [read(WorstExample, each) for each in task.report.as_examples(records, result)]
        found = sorted(every, key=lambda each: order.index(each.sentence_id))[:OF_EACH]
        for block in task.report.sentences(replace(result, examples=found), document):
            if isinstance(block, Examples):
                title = f"{scenario(result)}: newly broken {task.noun}s"
                told = [answered(own[each.sentence_id]) for each in found]
                shown = tuple(map(captioned, block.examples, told))
                yield replace(block, examples=shown, title=words.sentence_case(title), open=OF_EACH)


def captioned(example: ShownExample, told: str) -> ShownExample:
    """Captions an example by its seed, its id and the reference, since the original may have the same errors."""
    caption = example.caption
    if isinstance(caption, str):
        return example
    said, _, which = caption.text.rpartition(" (")
    shown = which.removesuffix(")") if said else caption.text
    return replace(example, caption=replace(caption, text=f"{shown}; {told}"))
