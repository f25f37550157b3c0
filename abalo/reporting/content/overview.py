"""All cases of a run in charts and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from abalo.core.documents.blocks import (
    Bar,
    Cell,
    Chart,
    Column,
    Group,
    Measured,
    Row,
    Table,
    VerdictMark,
    define_terms,
    heads,
)
from abalo.core.documents.document import Document
from abalo.core.documents.found import GroupFacts, Result
from abalo.core.protocols.results import (
    bounds,
    by_case,
    by_task,
    changed_examples,
    facts_of,
    groups_of,
    is_floor,
    is_of_few,
    judged_number,
    measured_number,
    metric_to_draw,
    number_to_draw,
    of_corpus,
    probe_of,
    scenario,
    task_of,
    title_in_task,
    verdict,
    views_differ,
    weight,
)
from abalo.core.protocols.task import Task
from abalo.core.records import words
from abalo.reporting.content.case import interval
from abalo.reporting.documents.standing import in_a_word

_FIRST = 1e9


def charts(document: Document) -> Iterator[Chart]:
    """Draws a chart for each headline metric of a task."""
    for task, results in by_task(document):
        perturbed = [result for result in results if probe_of(result).perturbs]
        for name in dict.fromkeys(map(metric_to_draw, perturbed)):
            shown = [result for result in perturbed if metric_to_draw(result) == name]
            if all(number_to_draw(result)[0].value is None for result in shown):
                continue
            metric = task.metrics()[name]
            title = title_in_task(f"{words.sentence_case(metric.words)} with {interval(document)}", task, document)
            notes = (f"{words.sentence_case(metric.meaning)}.",) if metric.meaning else ()
            share = (metric.low, metric.high) if (metric.low, metric.high) == (0.0, 1.0) else None
            yield Chart(
                title,
                (Group("", tuple(_bar(result, document) for result in shown)),),
                metric.words,
                scale=share,
                notes=notes,
            )


def _bar(result: Result, document: Document) -> Bar:
    number, limit = number_to_draw(result)
    return Bar(scenario(result), number, limit, in_a_word(result, document), weight(result), few=is_of_few(result))


def scenarios(task: Task, results: Sequence[Result], document: Document) -> Iterator[Table]:
    """Lists the cases, except cases with their own table."""
    shown = [result for result in results if not probe_of(result).report.tabled]
    if len(shown) < len(results) and all(map(is_floor, shown)):
        return
    rows = [Row(_scenario(result), _FIRST if is_floor(result) else weight(result)) for result in shown]
    facts, title = facts_of(document, task.name), task.metrics()[task.floor].words
    if facts is not None and not any(map(is_floor, shown)):
        known, nothing, unjudged = (
            Measured.of(facts.baseline.more.get(task.floor)),
            words.NOTHING,
            VerdictMark(None, "measured"),
        )
        rows.insert(0, Row(("Baseline", known, f"{title} {known}", nothing, nothing, unjudged), _FIRST))
    if rows:
        columns = (
            Column("Scenario"),
            Column(words.sentence_case(title), numeric=True),
            *heads((f"Measured [{interval(document)}]", "Bound"), numeric=False),
            *heads(("Changed",)),
            Column(words.VERDICT_ON_BOUND),
        )
        yield Table(columns, tuple(rows), title_in_task("Scenarios", task, document), dense=True, noun="scenario")


def _scenario(result: Result) -> tuple[Cell, ...]:
    probe = probe_of(result)
    floor: Cell = measured_number(result, task_of(result).floor) if probe.scored else words.NOTHING
    found = judged_number(result) or words.NOTHING
    return scenario(result), floor, found, bounds(result), changed_examples(result), verdict(result)


def views_side_by_side(task: Task, _results: Sequence[Result], document: Document) -> Iterator[Table]:
    """Compares cases with different views."""
    groups = [
        group
        for group in by_case(document)
        if group[0].task == task.name and len(group) > 1 and probe_of(group[0]).scored and views_differ(group)
    ]
    if not groups:
        return
    rows = []
    for group in groups:
        by_view = {each.view: each for each in group}
        rows.append(Row((scenario(group[0]), *(_in_view(by_view.get(view)) for view in task.views)), weight(group[0])))
    title = f"{task.metrics()[task.floor].words} by view, where the views differ"
    columns = (Column("Scenario"), *heads(task.views))
    yield Table(
        columns,
        tuple(rows),
        title_in_task(title, task, document),
        define_terms(task.report.view_meanings),
        noun="scenario",
    )


def _in_view(result: Result | None) -> str:
    if result is None:
        return words.NOTHING
    value = measured_number(result, task_of(result).floor).number
    return f"{value} (bound)" if result.bound is not None else value


def groups_side_by_side(task: Task, results: Sequence[Result], document: Document) -> Iterator[Table]:
    """Shows a column per group: the floor, or the headline number."""
    by_metric: dict[str, list[tuple[str, Mapping[str, GroupFacts], float]]] = {}
    facts = facts_of(document, task.name)
    if facts is not None:
        by_metric[task.floor] = [("Baseline", facts.baseline.per_type, _FIRST)]
    for result in of_corpus(results):
        if not is_floor(result):
            name = task.floor if probe_of(result).scored else result.headline
            by_metric.setdefault(name, []).append((scenario(result), result.per_type, weight(result)))
    for name, shown in by_metric.items():
        groups = groups_of(rows for _, rows, _ in shown)
        found = [
            (
                title,
                [Measured.of(rows.get(group, GroupFacts()).more.get(name)) for group in groups],
                heavy,
            )
            for title, rows, heavy in shown
        ]
        if not any(number.value is not None for _, numbers, _ in found for number in numbers):
            continue
        support = {group: max(rows.get(group, GroupFacts()).support for _, rows, _ in shown) for group in groups}
        columns = (Column("Scenario"), *(Column(group, numeric=True, weight=support[group]) for group in groups))
        cells = tuple(Row((title, *numbers), heavy) for title, numbers, heavy in found)
        title = f"{words.sentence_case(task.metrics()[name].words)} per {task.group_noun}"
        title = title_in_task(title, task, document)
        yield Table(columns, cells, title, dense=True, noun="scenario", column_noun=task.group_noun)
