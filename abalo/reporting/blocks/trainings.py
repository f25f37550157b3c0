"""Several trainings of one model: for each case the mean, the standard deviation, and the number of each training.

[the tables of Dirkson et al., Breaking BERT, 2021, section 5, whose cells are means and deviations over trainings]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abalo.core import words
from abalo.core.blocks import Block, Cell, Column, Row, Table, Text
from abalo.core.results import Json, cases, facts_of, is_floor, metric_of, scenario, weight
from abalo.core.task import tasks
from abalo.errors import visible
from abalo.reporting.blocks import ReportBlock

_FIRST = 1e9
"""The weight of a row that is never cut."""


def summary(document: Json) -> Sequence[Block]:
    """A table for each task of which several trainings were judged."""
    return [_table(task, document) for task in _several(document)]


def detail(result: Json, document: Json) -> Sequence[Block]:
    """The training that the examples are of."""
    known = _names(result["task"], document)
    if result.get("training") is None or not known:
        return ()
    return [Text((f"Examples and single searches are those of {known[result['training']]}, which fares worst here.",))]


def brief(document: Json) -> Sequence[Block]:
    """The trainings, and how far apart they are on the clean corpus."""
    return [Text((_said(task, document),), role="list") for task in _several(document)]


BLOCK = ReportBlock("trainings", summary, detail, brief, order=-20)


def _several(document: Json) -> Iterator[str]:
    """The tasks of which several trainings were judged."""
    return (task for task in document.get("tasks") or {} if _names(task, document))


def _names(task: str, document: Json) -> list[str]:
    """The trainings by their place, as short as tells them apart; empty for a single model."""
    found = (facts_of(document, task).get("model") or {}).get("trainings", ())
    names = [visible(each["name"]) for each in found]
    return [f"{k} ({words.name(name)})" for k, name in enumerate(names, 1)]


def _said(task: str, document: Json) -> str:
    metric, names = tasks()[task].metrics()[tasks()[task].floor], _names(task, document)
    floor = facts_of(document, task)["baseline"][metric.name]
    spread = f"{words.number(floor['value'])} ± {words.number(floor['sd'])}"
    return f"{task}: {len(names)} trainings, {metric.words} {spread}: {'; '.join(names)}"


def _table(task: str, document: Json) -> Table:
    names, floor = _names(task, document), tasks()[task].floor
    rows = []
    clean = facts_of(document, task)["baseline"].get(floor)
    shown = [result for result in cases(document) if result["task"] == task]
    if clean and not any(map(is_floor, shown)):
        rows.append(Row(("Baseline", tasks()[task].metrics()[floor].words, *_cells(clean, names)), _FIRST))
    for result in shown:
        metric = floor if is_floor(result) else result["headline"]
        own = result["metrics"].get(metric)
        label = metric_of(result, metric).words
        cells = _cells(own, names) if own else (words.NOTHING,) * (2 + len(names))
        rows.append(Row((scenario(result), label, *cells), _FIRST if is_floor(result) else weight(result)))
    columns = (
        Column("Case"),
        Column("Number"),
        Column("Mean", numeric=True),
        Column("sd", numeric=True, meaning="standard deviation over the trainings"),
        *(Column(f"Training {k}", numeric=True) for k in range(1, len(names) + 1)),
    )
    notes = (
        f"Bounds are about the mean. Trainings: {'; '.join(names)}.",
        "Intervals elsewhere are about sentences: what other sentences would give for the same trainings.",
    )
    return Table(columns, tuple(rows), f"{tasks()[task].title}: {len(names)} trainings", notes, noun="case")


def _cells(estimate: Json, names: Sequence[str]) -> tuple[Cell, ...]:
    """Mean, standard deviation, and the number of each training."""
    values = estimate.get("trainings") or [None] * len(names)
    return tuple(map(_cell, (estimate["value"], estimate.get("sd"), *values)))


def _cell(value: float | None) -> str:
    return words.NOTHING if value is None else words.number(value)
