"""All cases of a run in charts and tables: a row per case, tables by view and by group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abalo.core import words
from abalo.core.blocks import Bar, Cell, Chart, Column, Group, Measured, Row, Table, Verdict, defined, heads
from abalo.core.results import (
    Json,
    bounds,
    by_case,
    by_task,
    changed,
    facts_of,
    groups_of,
    headline,
    is_floor,
    limit_of,
    measured,
    of_corpus,
    outcome,
    probe_of,
    scenario,
    task_of,
    titled,
    verdict,
    views_differ,
    weight,
)
from abalo.core.task import Task
from abalo.reporting.case import interval
from abalo.reporting.standing import in_a_word

_FIRST = 1e9
"""The weight of a row that is never cut."""


def charts(document: Json) -> Iterator[Chart]:
    """A chart for each headline metric of a task: no axis fits several."""
    for task, results in by_task(document):
        perturbed = [result for result in results if probe_of(result).perturbs]
        for name in dict.fromkeys(result["headline"] for result in perturbed):
            shown = [result for result in perturbed if result["headline"] == name]
            if all(headline(result).value is None for result in shown):
                continue
            metric = task.metrics()[name]
            title = titled(f"{words.sentence_case(metric.words)} with {interval(document)}", task, document)
            notes = (f"{words.sentence_case(metric.meaning)}.",) if metric.meaning else ()
            share = (metric.low, metric.high) if (metric.low, metric.high) == (0.0, 1.0) else None
            yield Chart(
                title,
                (Group("", tuple(_bar(result, document) for result in shown)),),
                metric.words,
                scale=share,
                notes=notes,
            )


def _bar(result: Json, document: Json) -> Bar:
    return Bar(scenario(result), headline(result), limit_of(result), in_a_word(result, document), weight(result))


def scenarios(task: Task, results: Sequence[Json], document: Json) -> Iterator[Table]:
    """A row per case, but for those that have a table of their own; none where only the baseline is left."""
    shown = [result for result in results if not probe_of(result).report.tabled]
    if len(shown) < len(results) and all(map(is_floor, shown)):
        return
    rows = [Row(_scenario(result), _FIRST if is_floor(result) else weight(result)) for result in shown]
    floor, title = facts_of(document, task.name).get("baseline"), task.metrics()[task.floor].words
    if floor and not any(map(is_floor, shown)):
        known, nothing, unjudged = Measured.of(floor[task.floor]), words.NOTHING, Verdict(None, "measured")
        rows.insert(0, Row(("Baseline", known, f"{title} {known}", nothing, nothing, unjudged), _FIRST))
    if rows:
        columns = (
            Column("Scenario"),
            Column(words.sentence_case(title), numeric=True),
            *heads((f"Measured [{interval(document)}]", "Bound"), numeric=False),
            *heads(("Changed",)),
            Column("Verdict on bound"),
        )
        yield Table(columns, tuple(rows), titled("Scenarios", task, document), dense=True, noun="scenario")


def _scenario(result: Json) -> tuple[Cell, ...]:
    probe = probe_of(result)
    floor: Cell = measured(result, task_of(result).floor) if probe.scored else words.NOTHING
    return scenario(result), floor, outcome(result), bounds(result), changed(result), verdict(result)


def views_side_by_side(task: Task, _results: Sequence[Json], document: Json) -> Iterator[Table]:
    """The views side by side for the cases where they differ."""
    groups = [
        group
        for group in by_case(document)
        if group[0]["task"] == task.name and len(group) > 1 and probe_of(group[0]).scored and views_differ(group)
    ]
    if not groups:
        return
    rows = []
    for group in groups:
        by_view = {each["view"]: each for each in group}
        rows.append(Row((scenario(group[0]), *(_in_view(by_view.get(view)) for view in task.views)), weight(group[0])))
    title = f"{task.metrics()[task.floor].words} by view, where the views differ"
    columns = (Column("Scenario"), *heads(task.views))
    yield Table(
        columns, tuple(rows), titled(title, task, document), defined(task.report.view_meanings), noun="scenario"
    )


def _in_view(result: Json | None) -> str:
    if result is None:
        return words.NOTHING
    value = measured(result, task_of(result).floor).number
    return f"{value} (bound)" if result["bound"] is not None else value


def groups_side_by_side(task: Task, results: Sequence[Json], document: Json) -> Iterator[Table]:
    """A column per group, such as an entity type: the floor of each case, or its headline number if it has no floor."""
    by_metric: dict[str, list[tuple[str, Json, float]]] = {}
    baseline = facts_of(document, task.name).get("baseline")
    if baseline:
        by_metric[task.floor] = [("Baseline", baseline, _FIRST)]
    for result in of_corpus(results):
        if not is_floor(result):
            name = task.floor if probe_of(result).scored else result["headline"]
            by_metric.setdefault(name, []).append((scenario(result), result, weight(result)))
    for name, shown in by_metric.items():
        groups = groups_of(result for _, result, _ in shown)
        found = [
            (title, [Measured.of((result.get("per_type", {}).get(group) or {}).get(name)) for group in groups], heavy)
            for title, result, heavy in shown
        ]
        if not any(number.value is not None for _, numbers, _ in found for number in numbers):
            continue
        support = {group: max(_support(result, group) for _, result, _ in shown) for group in groups}
        columns = (Column("Scenario"), *(Column(group, numeric=True, weight=support[group]) for group in groups))
        rows = tuple(Row((title, *numbers), heavy) for title, numbers, heavy in found)
        title = f"{words.sentence_case(task.metrics()[name].words)} per {task.group_noun}"
        title = titled(title, task, document)
        yield Table(columns, rows, title, dense=True, noun="scenario", column_noun=task.group_noun)


def _support(result: Json, group: str) -> float:
    return float((result.get("per_type", {}).get(group) or {}).get("support", 0))
