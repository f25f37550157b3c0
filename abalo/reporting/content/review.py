"""The run for reviewers: subjects, verdict and failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from abalo.core.documents.blocks import (
    Block,
    Column,
    Examples,
    Fold,
    Item,
    Measured,
    Row,
    Table,
    Text,
    heads,
    with_one_legend,
)
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.protocols.results import (
    by_probe,
    by_task,
    facts_of,
    is_floor,
    judged_number,
    metric_to_draw,
    needing_attention,
    number_to_draw,
    scenario,
    task_of,
    title_in_task,
    weight,
)
from abalo.core.protocols.task import Task
from abalo.core.records import words
from abalo.core.statistics.plan import BASELINE
from abalo.reporting.content import run
from abalo.reporting.content.blocks import ordered_blocks
from abalo.reporting.content.facts import facts_of_run, facts_of_task
from abalo.reporting.content.remarks import remarks
from abalo.reporting.documents.finding import by_advice, glance, remedy
from abalo.reporting.documents.problems import in_words
from abalo.reporting.documents.standing import against, standing

MOST = 20

IN_SHORT = 30

_SENTENCES = 3


def page(document: Document, rows: int = 400) -> list[Block]:
    """Builds a self-contained page; ``rows`` limits failed cases (at most 20) and cases per metric (at most 30)."""
    most = min(rows, MOST)
    return [
        run.run_verdict(document),
        *run.finding_of_look(document),
        *run.tally(document),
        *run.notices(document),
        *run.subjects(document),
        *(block for each in ordered_blocks() if each.leads for block in each.on_page(document)),
        *failed_sections(document, most),
        *to_look_into(document, most),
        *remarks(document),
        *_kinds(document),
        *(block for each in ordered_blocks() if not each.leads for block in each.on_page(document)),
        *_all_cases(document, min(rows, IN_SHORT)),
        *_measurement_folds(document),
    ]


def _with_verdict(document: Document, found: str) -> list[Result]:
    return [result for result in needing_attention(document) if result.verdict == found]


def failed_sections(document: Document, most: int = MOST) -> Iterator[Block]:
    """Shows each failed case with bounds, worst group, advice, sentences and command."""
    return with_one_legend(_failed_sections(document, most))


def _failed_sections(document: Document, most: int) -> Iterator[Block]:
    problems = [line.text for text in in_words(document) for line in text.lines if isinstance(line, Item)]
    failed = _with_verdict(document, "fail")[:most]
    alike = {first.id: others for first, *others in by_advice(failed)}
    for result in failed:
        lead, *sentences = glance(result, document)
        assert isinstance(lead, Text)
        told = [line for line in against(result, document) if any(_loss(line) in said for said in problems)]
        advice = remedy(result, document, alike[result.id]) if result.id in alike else ()
        own = [*told, *remedy(result, document)]
        kept = [line for line in lead.lines if line not in own]
        title = title_in_task(lead.title, task_of(result), document)
        yield from (replace(lead, lines=(*kept, *advice), title=title, case=result.id), *map(_first, sentences))
        yield Text((result.command,), role="command")


def _loss(line: Item) -> str:
    return line.text.rpartition(": ")[2]


def _first(block: Block) -> Block:
    if isinstance(block, Examples):
        return replace(block, title="", open=_SENTENCES)
    if isinstance(block, Text):
        return replace(block, title="", most=None if block.open is None else _SENTENCES)
    return block


def to_look_into(document: Document, most: int = MOST) -> Iterator[Text]:
    """Lists everything else that did not pass."""
    found = (
        *run.clean(document),
        *run.judgements_of(_with_verdict(document, "fail")[most:], "fail"),
        *run.mishaps(document),
        *run.judgements_of(_with_verdict(document, "inconclusive"), "inconclusive"),
    )
    if found:
        yield Text(found, words.TO_LOOK_INTO, "list", most=40)


def _results_to_show(results: Sequence[Result]) -> list[Result]:
    return [result for result in results if not run.is_skipped(result)]


def _kinds(document: Document) -> Iterator[Table]:
    rows: list[Row] = []
    for task, results in by_task(document):
        shown = _results_to_show(results)
        rows += [] if any(map(is_floor, shown)) else _clean(task, document)
        for probe, own in by_probe(shown):
            worst = max(own, key=weight)
            said = f"{scenario(worst)}: {judged_number(worst) or words.NOTHING}"
            rows.append(_kind(task, words.identifier_in_words(probe), [result.verdict for result in own], said))
    if rows:
        columns = (
            *heads(("Task", "Kind of test"), numeric=False),
            *heads(("Holds", "Undecided", "Fails", "Measured")),
            Column("Worst"),
        )
        yield Table(
            columns,
            tuple(rows),
            "Cases by kind" if document.comparison is None else "Cases by kind, by their bounds",
            keys=2,
            noun="kind",
        )


def _clean(task: Task, document: Document) -> Iterator[Row]:
    """The clean score, if no case shows it."""
    facts = facts_of(document, task.name)
    if facts is not None and (score := facts.baseline.more.get(task.floor)):
        said = f"Baseline: {task.metrics()[task.floor].words} {Measured.of(score)}"
        yield _kind(task, BASELINE, [facts.baseline.verdict], said)


def _kind(task: Task, kind: str, verdicts: Sequence[str | None], worst: str) -> Row:
    found = Counter(verdicts)
    counts = (f"{found[each]:,}" if found[each] else "" for each in ("pass", "inconclusive", "fail", None))
    return Row((task.title, kind, *counts, worst))


def _all_cases(document: Document, most: int) -> Iterator[Fold]:
    lines, total = [], 0
    for task, results in by_task(document):
        shown = _results_to_show(results)
        total += len(shown)
        for name in dict.fromkeys(map(metric_to_draw, shown)):
            part = [result for result in shown if metric_to_draw(result) == name]
            lines.append(Item(_in_short(part, document, most), f"{task.title}, {task.metrics()[name].words}"))
    if lines:
        yield Fold(f"{words.count(total, 'case')}, one by one", (Text(tuple(lines), role="list"),))


def _in_short(results: Sequence[Result], document: Document, most: int) -> str:
    shown = [
        f"{words.sign(standing(each, document).verdict)} {scenario(each)} {number_to_draw(each)[0].number}"
        for each in sorted(results, key=weight, reverse=True)[:most]
    ]
    more = [f"{len(results) - most:,} more in robustness.json"] if len(results) > most else []
    return " · ".join([*shown, *more])


def _measurement_folds(document: Document) -> Iterator[Fold]:
    of_tasks = [Item("; ".join(facts_of_task(task, document).values()), task.title) for task, _ in by_task(document)]
    of_run = [Item(text, label) for label, text in facts_of_run(document).items()]
    lines = tuple(item for item in (*of_tasks, *of_run) if item.text)
    if lines:
        yield Fold("Measured on", (Text(lines, role="list"),))
