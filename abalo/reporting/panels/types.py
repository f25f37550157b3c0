"""A heat map of cases and types: what each case costs each group, such as an entity type or a label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from abalo.core import words
from abalo.core.blocks import Block, Column, Fold, Key, Measured, Row, Shaded, Table
from abalo.core.results import Json, by_task, groups_of, metric_of, probe_of, scenario, weight
from abalo.core.task import Task
from abalo.reporting.blocks.comparison import regressed_cases
from abalo.reporting.panels import Panel

_OPEN = 25
"""How many rows stand before the others are folded."""

_MOST = 24
"""How many types have a column: those with most gold labels."""

_NAME = 18
"""How many characters of a type head its column."""

_LEAST_REACH = 0.1
"""The smallest number that is drawn in full colour: below it, noise would look like a fire."""


def blocks(document: Json) -> Sequence[Block]:
    """A map for each task and headline number that groups have, the cases that matter most on top.

    Those that lost against the reference stand above all others, whatever their bounds say.
    """
    found: list[Block] = []
    lost = regressed_cases(document)
    tasks = by_task(document)
    for task, results in tasks:
        by_metric: dict[str, list[Json]] = {}
        for result in results:
            probe = probe_of(result)
            known = any(row.get(result["headline"]) for row in result["per_type"].values())
            if known and probe.perturbs and probe.scored and not probe.apart:
                by_metric.setdefault(result["headline"], []).append(result)
        for own in by_metric.values():
            found += _map(task, own, lost, several=len(tasks) > 1)
    return found


PANEL = Panel("types", "By type", blocks, order=-10)


def _map(task: Task, results: Sequence[Json], lost: Set[str], *, several: bool) -> Iterator[Block]:
    metric = metric_of(results[0], results[0]["headline"])
    groups = sorted(groups_of(results), key=lambda group: -max(_support(result, group) for result in results))[:_MOST]
    shown = sorted(results, key=lambda each: (each["id"] in lost, weight(each)), reverse=True)
    numbers = {id(each): [_number(each, group) for group in groups] for each in shown}
    values = [abs(number.value or 0.0) for row in numbers.values() for number in row]
    reach = max([_LEAST_REACH, *values])
    rows = [
        Row((scenario(each), *_shaded(each, groups, numbers[id(each)], reach)), weight(each), each["id"])
        for each in shown
    ]
    heads = (Column(words.shortened(group, _NAME), group, numeric=True) for group in groups)
    sign = -1 if metric.more_is_better else 1
    end = words.number(sign * reach, 2)
    legend = (
        Key("loss", f"{metric.words}, from 0 to {end}"),
        Key("gain", f"the same, from 0 to {words.number(-sign * reach, 2)}"),
        Key("bold", "the interval leaves out 0"),
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


def _support(result: Json, group: str) -> float:
    return float(result["per_type"].get(group, {}).get("support", 0))


def _number(result: Json, group: str) -> Measured:
    name = result["headline"]
    return Measured.of(result["per_type"].get(group, {}).get(name), metric_of(result, name).unit)


def _shaded(result: Json, groups: Sequence[str], numbers: Sequence[Measured], reach: float) -> Iterator[Shaded]:
    metric, name = metric_of(result, result["headline"]), scenario(result)
    for group, found in zip(groups, numbers, strict=True):
        clear = found.low is not None and found.high is not None and (found.low > 0 or found.high < 0)
        worse = None if found.value is None else -found.value if metric.more_is_better else found.value
        shade = None if worse is None else max(-1.0, min(1.0, worse / reach))
        said = f"{metric.words} {found}" if found.value is not None else "no number"
        yield Shaded(words.number(found.value, 2), shade, clear, f"{name}, {group}: {said}")
