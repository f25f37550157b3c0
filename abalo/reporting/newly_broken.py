"""The sentences that a run broke and its reference did not, with their edits marked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from abalo.core import words
from abalo.core.blocks import Block, Examples
from abalo.core.results import Json, cases, scenario, task_of

RECORD = "record"
"""The field of a unit that got worse in which its record stands while a page is made."""

OF_EACH = 3
"""How many sentences of a case are shown."""

_CASES = 8
"""How many cases are shown with sentences."""


def key_of(record: Mapping[str, Any]) -> tuple[str, str, int, str]:
    """The case, example, seed and place of a unit or of its record."""
    return record["case"], record["sentence_id"], record["seed"], record.get("place", "")


def with_records(document: Json, records: Iterable[str]) -> Json:
    """The document, with the record of each unit that got worse, taken from the lines of examples.jsonl.

    Lines that are no record are left out: without one, a unit is told in words.
    """
    compared = document.get("comparison")
    if compared is None:
        return document
    wanted = {key_of(each) for own in compared["tasks"].values() for each in own["newly_worse"]}
    found = {key: record for line in records if wanted for key, record in _record(line) if key in wanted}
    tasks = {
        name: {**own, "newly_worse": [_with(each, found.get(key_of(each))) for each in own["newly_worse"]]}
        for name, own in compared["tasks"].items()
    }
    return {**document, "comparison": {**compared, "tasks": tasks}}


def _with(unit: Json, record: Json | None) -> Json:
    return unit if record is None else {**unit, RECORD: record}


def _record(line: str) -> Iterator[tuple[Any, Mapping[str, Any]]]:
    try:
        record = json.loads(line)
        yield key_of(record), record
    except (ValueError, KeyError, TypeError):
        return


def marked(units: Sequence[Json], document: Json) -> Iterator[Block]:
    """For each of the first cases of these units its sentences; nothing of units without a record."""
    by_id = {result["id"]: result for result in cases(document)}
    by_case: dict[str, list[Json]] = {}
    for each in units:
        if RECORD in each and each["case"] in by_id:
            by_case.setdefault(each["case"], []).append(each[RECORD])
    legends = set()
    for case, records in [*by_case.items()][:_CASES]:
        result = by_id[case]
        task, order = task_of(result), {record["sentence_id"]: k for k, record in enumerate(records)}
        found = sorted(task.report.as_examples(records, result), key=lambda each: order[each["sentence_id"]])[:OF_EACH]
        for block in task.report.sentences({**result, "examples": found}, document):
            if isinstance(block, Examples):
                title = f"{scenario(result)}: newly broken {task.noun}s"
                legend = () if block.legend in legends else block.legend
                legends.add(block.legend)
                yield replace(block, title=words.sentence_case(title), open=OF_EACH, legend=legend)
