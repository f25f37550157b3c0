"""Sentences that a run broke and its reference did not, with marked edits."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from abalo.core import words
from abalo.core.blocks import Block, Examples, ShownExample, with_one_legend
from abalo.core.comparison import TYPES
from abalo.core.document import Document
from abalo.core.found import WorstExample, WrongUnit
from abalo.core.losses_found import ComparedTask, UnitDifference
from abalo.core.plan import BASELINE
from abalo.core.records import read
from abalo.core.results import cases, probe_of, scenario, task_of
from abalo.core.task import tasks
from abalo.reporting.documents.examples import unit_in
from abalo.reporting.documents.loss_tests import LABELS, MEAN, LossTest

RECORD = "record"
"""Field of a unit that temporarily holds its record."""

OF_EACH = 3

_CASES = 8


def key_of(unit: UnitDifference | WrongUnit) -> tuple[str, str, int, str]:
    """Case, example, seed and place."""
    return unit.case, unit.sentence_id, unit.seed, unit.place


def with_records(document: Document, records: Iterable[str]) -> Document:
    """Adds the records of units that got worse, ignoring invalid lines of examples.jsonl."""
    compared = document.comparison
    if compared is None:
        return document
    wanted = {key_of(each) for own in compared.tasks.values() for each in own.newly_worse}
    found = {key: record for line in records if wanted for key, record in _record(line) if key in wanted}
    tasks = {
        name: replace(own, newly_worse=[_with(each, found.get(key_of(each))) for each in own.newly_worse])
        for name, own in compared.tasks.items()
    }
    return replace(document, comparison=replace(compared, tasks=tasks))


def of_reference(worse: float) -> str:
    """Says how the reference answered, from the difference ``worse``."""
    higher = f"the reference scored {words.number(worse)} higher here"
    return "the reference was right here" if worse == 1.0 else higher


def _with(unit: UnitDifference, record: WrongUnit | None) -> UnitDifference:
    return unit if record is None else replace(unit, more={RECORD: record})


def _record(line: str) -> Iterator[tuple[object, WrongUnit]]:
    try:
        record = unit_in(json.loads(line))
        yield key_of(record), record
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
    compared = {} if document.comparison is None else document.comparison.tasks
    wrong_as_it_is = {
        name: {each.sentence_id for each in own.newly_worse if each.case == f"{name}/{BASELINE}"}
        for name, own in compared.items()
    }
    by_case: dict[str, dict[str, UnitDifference]] = {}
    for each in units:
        if RECORD in each.more and each.case in by_id:
            by_case.setdefault(each.case, {})[each.sentence_id] = each
    for case, own in [*by_case.items()][:_CASES]:
        result, order = by_id[case], [*own]
        task, records = task_of(result), [each.more[RECORD] for each in own.values()]
        if probe_of(result).perturbs:  # an example that stays as it is, or is wrong as it is, stands below the baseline
            records = [each for each in records if each.edits or each.place]
            records = [
                each for each in records if each.sentence_id not in wrong_as_it_is.get(result.task, ())
            ] or records
        every = [read(WorstExample, each) for each in task.report.as_examples(records, result)]
        found = sorted(every, key=lambda each: order.index(each.sentence_id))[:OF_EACH]
        for block in task.report.sentences(replace(result, examples=found), document):
            if isinstance(block, Examples):
                title = f"{scenario(result)}: newly broken {task.noun}s"
                answered = [of_reference(own[each.sentence_id].worse) for each in found]
                shown = tuple(map(captioned, block.examples, answered))
                yield replace(block, examples=shown, title=words.sentence_case(title), open=OF_EACH)


def captioned(example: ShownExample, answered: str) -> ShownExample:
    """Captions an example by its seed, its id and the reference, since the original may have the same errors."""
    caption = example.caption
    if isinstance(caption, str):
        return example
    said, _, which = caption.text.rpartition(" (")
    shown = which.removesuffix(")") if said else caption.text
    return replace(example, caption=replace(caption, text=f"{shown}; {answered}"))
