"""Mean, standard deviation and single numbers of several trainings [tables of Dirkson et al., Breaking BERT, 2021,
section 5].
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abalo.core.documents.blocks import Block, Cell, Column, Row, Table, Text
from abalo.core.documents.document import Document
from abalo.core.documents.found import Estimated, Result, certain
from abalo.core.protocols.results import cases, facts_of, is_floor, metric_of, scenario, weight
from abalo.core.protocols.task import tasks
from abalo.core.records import words
from abalo.errors import visible
from abalo.reporting.content.blocks import ReportBlock

_FIRST = 1e9


def summary(document: Document) -> Sequence[Block]:
    """Compares the trainings of each task."""
    return [_table(task, document) for task in _several(document)]


def detail(result: Result, document: Document) -> Sequence[Block]:
    """Names the training behind the examples."""
    known = _names(result.task, document)
    if result.training is None or not known:
        return ()
    return [
        Text((f"Examples and single searches are from {known[result.training]}, the worst training in this case.",))
    ]


def brief(document: Document) -> Sequence[Block]:
    """Lists the trainings and their spread on the clean corpus."""
    return [Text((_describe_trainings(task, document),), role="list") for task in _several(document)]


BLOCK = ReportBlock("trainings", summary, detail, brief, order=-20)


def _several(document: Document) -> Iterator[str]:
    return (task for task in document.tasks if _names(task, document))


def _names(task: str, document: Document) -> list[str]:
    facts = facts_of(document, task)
    names = [] if facts is None else [visible(each.name) for each in facts.model.trainings]
    return [f"{k} ({words.name(name)})" for k, name in enumerate(names, 1)]


def _describe_trainings(task: str, document: Document) -> str:
    metric, names = tasks()[task].metrics()[tasks()[task].floor], _names(task, document)
    floor = certain(document.tasks[task].baseline.more[metric.name])
    spread = f"{words.number(floor.value)} ± {words.number(floor.sd)}"
    return f"{task}: {len(names)} trainings, {metric.words} {spread}: {'; '.join(names)}"


def _table(task: str, document: Document) -> Table:
    names, floor = _names(task, document), tasks()[task].floor
    rows = []
    clean = document.tasks[task].baseline.more.get(floor)
    shown = [result for result in cases(document) if result.task == task]
    if clean and not any(map(is_floor, shown)):
        rows.append(Row(("Baseline", tasks()[task].metrics()[floor].words, *_cells(clean, names)), _FIRST))
    for result in shown:
        metric = floor if is_floor(result) else result.headline
        own = result.metrics.get(metric)
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
        f"Bounds apply to the mean. Trainings: {'; '.join(names)}.",
        (
            "All other intervals are about the sentences: they show how much other sentences would change the "
            "numbers of these trainings."
        ),
    )
    return Table(columns, tuple(rows), f"{tasks()[task].title}: {len(names)} trainings", notes, noun="case")


def _cells(estimate: Estimated, names: Sequence[str]) -> tuple[Cell, ...]:
    values = estimate.trainings or [None] * len(names)
    return tuple(map(_cell, (estimate.value, estimate.sd, *values)))


def _cell(value: float | None) -> str:
    return words.NOTHING if value is None else words.number(value)
