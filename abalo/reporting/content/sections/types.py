"""A heat map of what each case costs each group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from typing import Literal

from abalo.comparison.blocks.comparison import regressed_cases
from abalo.core.documents.blocks import Block, ColourKey, Column, Fold, Measured, Row, Shaded, Table
from abalo.core.documents.document import Document
from abalo.core.documents.found import GroupFacts, Result
from abalo.core.protocols.results import by_task, groups_of, is_of_few, metric_of, probe_of, scenario, weight
from abalo.core.protocols.task import Task
from abalo.core.records import words
from abalo.reporting.content.sections import Section

_OPEN = 25

_MOST = 24

_NAME = 28

_LEAST_REACH = 0.1
"""Smallest number drawn in full colour, to keep noise pale."""


def blocks(document: Document) -> Sequence[Block]:
    """Draws a heat map for each headline number; regressed cases come first."""
    found: list[Block] = []
    lost = regressed_cases(document)
    tasks = by_task(document)
    for task, results in tasks:
        by_metric: dict[str, list[Result]] = {}
        for result in results:
            probe = probe_of(result)
            known = any(row.more.get(result.headline) for row in result.per_type.values())
            if known and probe.perturbs and probe.scored and not probe.apart:
                by_metric.setdefault(result.headline, []).append(result)
        for own in by_metric.values():
            found += _map(task, own, lost, several=len(tasks) > 1)
    return found


def _heading(document: Document) -> str:
    nouns = {task.group_noun for task, _ in by_task(document)}
    return f"By {nouns.pop()}" if len(nouns) == 1 else "By group"


SECTION = Section("types", _heading, blocks, order=-10)


def _map(task: Task, results: Sequence[Result], lost: Set[str], *, several: bool) -> Iterator[Block]:
    metric = metric_of(results[0], results[0].headline)
    groups = sorted(
        (
            group
            for group in groups_of(result.per_type for result in results)
            if any(_number(result, group).value is not None for result in results)
        ),
        key=lambda group: -max(_support(result, group) for result in results),
    )[:_MOST]
    shown = sorted(results, key=lambda each: (each.id in lost, not is_of_few(each), weight(each)), reverse=True)
    numbers = {id(each): [_number(each, group) for group in groups] for each in shown}
    counted = [each for each in shown if not is_of_few(each)] or shown
    values = [abs(number.value or 0.0) for each in counted for number in numbers[id(each)]]
    reach = max([_LEAST_REACH, *values])
    rows = [
        Row((scenario(each), *_shade_cells(each, groups, numbers[id(each)], reach)), weight(each), each.id)
        for each in shown
    ]
    names = {group: task.report.group_names.get(group, group) for group in groups}
    heads = (Column(words.shorten(name, _NAME), name, numeric=True) for name in names.values())
    sign = -1 if metric.more_is_better else 1
    ends: tuple[tuple[Literal["loss", "gain"], float], ...] = (("loss", sign * reach), ("gain", -sign * reach))
    legend = (
        *(
            ColourKey(key, f"{metric.words}, from 0 to {words.number(end, 2)}")
            for key, end in ends
            if metric.low <= end <= metric.high
        ),
        ColourKey("bold", "the interval excludes 0"),
    )
    title = f"{words.sentence_case(metric.words)} by {task.group_noun}"
    title = f"{task.title}: {title}" if several else title
    table = Table(
        (Column("Case"), *heads), tuple(rows[:_OPEN]), title, dense=True, figure=True, noun="case", legend=legend
    )
    yield table
    if len(rows) > _OPEN:
        rest = replace(table, rows=tuple(rows[_OPEN:]), title="", legend=())
        yield Fold(words.count(len(rest.rows), "more case"), (rest,))


def _support(result: Result, group: str) -> float:
    return float(result.per_type.get(group, GroupFacts()).support)


def _number(result: Result, group: str) -> Measured:
    name = result.headline
    return Measured.of(result.per_type.get(group, GroupFacts()).more.get(name), metric_of(result, name).unit)


def _shade_cells(result: Result, groups: Sequence[str], numbers: Sequence[Measured], reach: float) -> Iterator[Shaded]:
    metric, name = metric_of(result, result.headline), scenario(result)
    for group, found in zip(groups, numbers, strict=True):
        clear = found.low is not None and found.high is not None and (found.low > 0 or found.high < 0)
        worse = None if found.value is None else -found.value if metric.more_is_better else found.value
        shade = None if worse is None else max(-1.0, min(1.0, worse / reach))
        said = f"{metric.words} {found}" if found.value is not None else "no number"
        yield Shaded(words.number(found.value, 2), shade, clear, f"{name}, {group}: {said}")
