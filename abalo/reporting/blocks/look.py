"""A look: a run in which nothing is judged or compared. What costs most, and the commands that come next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from abalo.core import words
from abalo.core.blocks import Block, Column, Examples, Row, Table, Text
from abalo.core.results import (
    Json,
    by_task,
    changed,
    headline,
    metric_of,
    probe_of,
    scenario,
    task_of,
    titled,
    weight,
)
from abalo.errors import visible
from abalo.reporting.blocks import ReportBlock
from abalo.reporting.conclusion import concluded
from abalo.reporting.finding import worst_group
from abalo.reporting.foresight import FORESEEN

_SHOWN = 5
"""The costliest cases that are shown with a sentence each."""


def is_look(document: Json) -> bool:
    """Whether the run has measured and judged nothing."""
    return bool(document["complete"]) and concluded(document).verdict == "measured"


def ranked(results: Sequence[Json]) -> list[Json]:
    """The results that show a cost, the costliest first; ties stay in order."""
    costing = [each for each in results if _costs(each)]
    return sorted(costing, key=_sure_cost, reverse=True)


def _sure_cost(result: Json) -> tuple[float, float]:
    """The cost by the better end of its interval, so that a number of three texts leads no list; then the cost."""
    metric, found = metric_of(result, result["headline"]), headline(result)
    near = found.high if metric.more_is_better else found.low
    reach = max(abs(metric.low), abs(metric.high))
    cost = weight(result) if near is None else (metric.high - near if metric.more_is_better else near) / reach
    return cost, weight(result)


def _costs(result: Json) -> bool:
    found = headline(result)
    if not (probe_of(result).perturbs or probe_of(result).searches) or found.value is None:
        return False
    return found.value > 0 if not metric_of(result, result["headline"]).more_is_better else found.value < 1


def costliest(document: Json) -> list[str]:
    """The ids of the cases that are shown with a sentence, of each task the first `_SHOWN`."""
    return [result["id"] for _, results in by_task(document) for result in ranked(results)[:_SHOWN]]


def summary(document: Json) -> Sequence[Block]:
    """For each task the cases by what they cost, a sentence of each of the first; then what comes next."""
    if not is_look(document):
        return []
    found: list[Block] = []
    for task, results in by_task(document):
        order = ranked(results)
        if order:
            rows = tuple(
                Row((scenario(each), headline(each), changed(each), worst_group(each)), case=each["id"])
                for each in order
            )
            columns = (
                Column("Case"),
                Column("Cost", "the headline number of the case with its interval", numeric=True, wide=True),
                Column("Changed", numeric=True),
                Column("Worst"),
            )
            found.append(Table(columns, rows, titled("What costs most", task, document), noun="case", most=20))
            found += [block for each in order[:_SHOWN] for block in sentence(each, document)]
    return [*found, *what_next(document)]


def sentence(result: Json, document: Json) -> list[Block]:
    """One sentence that a case broke, under the name of the case; none where no text may be told."""
    blocks = probe_of(result).report.findings(result) or task_of(result).report.sentences(result, document)
    shown = [block for block in blocks if isinstance(block, Examples) and block.examples]
    return [replace(each, examples=each.examples[:1], title=scenario(result), legend=()) for each in shown[:1]]


def what_next(document: Json) -> list[Block]:
    """The loss that a comparison with a look would see, and the next commands; nothing after any other run."""
    if not is_look(document):
        return []
    said = []
    for task, _ in by_task(document):
        seen = ((document.get("tasks") or {}).get(task.name) or {}).get(FORESEEN)
        if seen is not None and seen["reason"]:
            said.append(f"{task.title}: a comparison with this run would decide nothing: {seen['reason']}.")
        elif seen is not None:
            score = task.metrics()[seen["metric"]].words
            said.append(
                f"{task.title}: a loss of about {words.number(seen['loss'])} {score} would be seen against this run."
            )
    commands = [visible(each) for each in document.get("next", ())]
    found: list[Block] = [Text(tuple(said), "What next")] if said or commands else []
    return [*found, *(Text((each,), role="command") for each in commands)]


BLOCK = ReportBlock("look", summary, leads=True)
