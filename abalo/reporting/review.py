"""The run for those who review a change: what was judged, the verdict, what failed, the rest counted.

All numbers are in the page, in LaTeX and in robustness.json.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from abalo.core import words
from abalo.core.blocks import Block, Column, Examples, Fold, Item, Row, Table, Text, heads
from abalo.core.results import (
    Json,
    by_probe,
    by_task,
    headline,
    is_floor,
    needing_attention,
    outcome,
    scenario,
    weight,
)
from abalo.reporting import run
from abalo.reporting.blocks import ordered
from abalo.reporting.facts import facts_of_run, facts_of_task
from abalo.reporting.finding import glance
from abalo.reporting.remarks import remarks
from abalo.reporting.standing import standing

MOST = 20
"""How many failed cases are told with their sentences."""

_IN_SHORT = 30
"""How many cases a line names."""

_SENTENCES = 3
"""How many sentences are shown of a failed case."""


def page(document: Json, rows: int = 400) -> list[Block]:
    """The run for a page that stands by itself, each failed case with a section of its own.

    Of failed cases, and of cases with the same metric, at most so many ``rows`` are told.
    """
    most = min(rows, MOST)
    return [
        run.run_verdict(document),
        *run.tally(document),
        *run.notices(document),
        *run.subjects(document),
        *(block for each in ordered() if each.leads for block in each.on_page(document)),
        *failed(document, most),
        *to_look_into(document, most),
        *remarks(document),
        *_kinds(document),
        *(block for each in ordered() if not each.leads for block in each.on_page(document)),
        *_all_cases(document, min(rows, _IN_SHORT)),
        *_measured_on(document),
    ]


def _with_verdict(document: Json, found: str) -> list[Json]:
    return [result for result in needing_attention(document) if result["verdict"] == found]


def failed(document: Json, most: int = MOST) -> Iterator[Block]:
    """A section for each failed case: its bounds, the worst group, what to do, three sentences and the command."""
    for result in _with_verdict(document, "fail")[:most]:
        lead, *sentences = glance(result, document)
        yield from (replace(lead, case=result["id"]), *map(_first, sentences))
        yield Text((result["command"],), role="command")


def _first(block: Block) -> Block:
    """A block with its first sentences alone, and without the title that stands above them elsewhere."""
    if isinstance(block, Examples):
        return replace(block, title="", open=_SENTENCES)
    if isinstance(block, Text):
        return replace(block, title="", most=None if block.open is None else _SENTENCES)
    return block


def to_look_into(document: Json, most: int = MOST) -> Iterator[Text]:
    """A line for whatever else has no pass."""
    found = (
        *run.clean(document),
        *run.judged_so(_with_verdict(document, "fail")[most:], "fail"),
        *run.mishaps(document),
        *run.judged_so(_with_verdict(document, "inconclusive"), "inconclusive"),
    )
    if found:
        yield Text(found, "To look into", "list", most=40)


def _shown(results: Sequence[Json]) -> list[Json]:
    """The results without a baseline that holds, which stands at the top of the page."""
    return [result for result in results if not is_floor(result) or result["verdict"] != "pass"]


def _kinds(document: Json) -> Iterator[Table]:
    """A row for each kind of case of each task: how many there are in each state, and the worst."""
    rows = []
    for task, results in by_task(document):
        for probe, own in by_probe(_shown(results)):
            found = Counter(result["verdict"] for result in own)
            worst = max(own, key=weight)
            counts = (f"{found[each]:,}" if found[each] else "" for each in ("pass", "inconclusive", "fail", None))
            rows.append(Row((task.title, words.spoken(probe), *counts, f"{scenario(worst)}: {outcome(worst)}")))
    if rows:
        columns = (
            *heads(("Task", "Kind of case"), numeric=False),
            *heads(("Holds", "Inconclusive", "Fails", "Measured")),
            Column("Worst"),
        )
        yield Table(
            columns,
            tuple(rows),
            "Cases by kind" if document.get("comparison") is None else "Cases by kind, by their bounds",
            keys=2,
            noun="kind",
        )


def _all_cases(document: Json, most: int) -> Iterator[Fold]:
    """Every case with its verdict and its number, a line for each metric of each task."""
    lines, total = [], 0
    for task, results in by_task(document):
        shown = _shown(results)
        total += len(shown)
        for name in dict.fromkeys(result["headline"] for result in shown):
            part = [result for result in shown if result["headline"] == name]
            lines.append(Item(_in_short(part, document, most), f"{task.title}, {task.metrics()[name].words}"))
    if lines:
        yield Fold(f"{words.count(total, 'case')}, one by one", (Text(tuple(lines), role="list"),))


def _in_short(results: Sequence[Json], document: Json, most: int) -> str:
    shown = [
        f"{words.sign(standing(each, document).verdict)} {scenario(each)} {headline(each).number}"
        for each in results[:most]
    ]
    more = [f"{len(results) - most:,} more in robustness.json"] if len(results) > most else []
    return " · ".join([*shown, *more])


def _measured_on(document: Json) -> Iterator[Fold]:
    """A line for each task, and one for the run."""
    of_tasks = [Item("; ".join(facts_of_task(task, document).values()), task.title) for task, _ in by_task(document)]
    of_run = [Item(text, label) for label, text in facts_of_run(document).items()]
    lines = tuple(item for item in (*of_tasks, *of_run) if item.text)
    if lines:
        yield Fold("Measured on", (Text(lines, role="list"),))
