"""The drops of all perturbed cases, most important first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from abalo.comparison.blocks.comparison import regressed_cases
from abalo.comparison.document.loss_tests import reference_in_words
from abalo.core.documents.blocks import Bar, Block, Chart, Fold, Group, Text
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result, certain
from abalo.core.protocols.results import (
    cases,
    is_of_few,
    metric_of,
    metric_to_draw,
    number_to_draw,
    probe_of,
    scenario,
    task_of,
    title_in_task,
    weight,
    worst_drawn_first,
)
from abalo.core.protocols.task import tasks
from abalo.core.records import words
from abalo.core.statistics.verdicts import FEWEST_HOLDING
from abalo.reporting.content.case import interval
from abalo.reporting.content.sections import Section
from abalo.reporting.documents.standing import in_a_word
from abalo.reporting.drawing.figures import scale_of

_OPEN = 40

_REGRESSED = "Regressed: against {}, after the change. A drop compares with the clean score of this run."


def blocks(document: Document) -> Sequence[Block]:
    """Charts each task's numbers on one scale each; the main ones open, others folded."""
    shown = [each for each in cases(document) if probe_of(each).perturbs and number_to_draw(each)[0].value is not None]
    by_scale: dict[tuple[str, str], list[Result]] = {}
    for each in sorted(shown, key=lambda each: not _is_main(each)):
        by_scale.setdefault((each.task, metric_to_draw(each)), []).append(each)
    found: list[Block] = []
    main = any(map(_is_main, shown))
    for (task, name), results in by_scale.items():
        metric = tasks()[task].metrics()[name]
        title = title_in_task(f"{words.sentence_case(metric.words)} {metric.unit}".rstrip(), tasks()[task], document)
        charts = _charts(results, name, title, document)
        opened = _is_main(results[0]) or not main or any(each.verdict == "fail" for each in results)
        found += charts if opened else [Fold(title, tuple(charts))]
    return found


SECTION = Section("drops", "Drops", blocks, order=-20)


def _is_main(result: Result) -> bool:
    task, name = task_of(result), metric_to_draw(result)
    main = (task.headline, task.headline.removesuffix("_changed"))
    return name in main and not metric_of(result, name).unit


def _charts(results: Sequence[Result], name: str, title: str, document: Document) -> Iterator[Block]:
    references, lost = _references(document), regressed_cases(document)
    metric = metric_of(results[0], name)
    ranked = sorted(results, key=lambda each: (each.id not in lost, is_of_few(each), *worst_drawn_first(each)))
    bars = [_bar(each, references, document) for each in ranked]
    if all(bar.verdict is None or bar.verdict.verdict is None for bar in bars):
        bars = [replace(bar, verdict=None) for bar in bars]
    low, high = scale_of(bars)
    scale = max(low, metric.low), min(high, metric.high)
    first = (Group("", tuple(bars[:_OPEN])),)
    yield Chart(f"{title} with {interval(document)}", first, metric.words, "lanes", scale=scale, most=_OPEN)
    if len(bars) > _OPEN:
        rest = tuple(bars[_OPEN:])
        more = Chart("", (Group("", rest),), metric.words, "lanes", scale=scale, most=len(rest))
        yield Fold(words.count(len(rest), "more case"), (more,))
    if any(end is not None and not scale[0] <= end <= scale[1] for bar in bars for end in bar.number.ends):
        yield Text(
            (f"Arrow: the interval is wider than the chart. The case changes fewer than {FEWEST_HOLDING} examples.",)
        )
    if metric.is_drop and any(each.id in lost for each in results):
        yield Text((_REGRESSED.format(reference_in_words(certain(document.comparison))),))
    if metric.meaning:
        yield Text((f"{words.sentence_case(metric.words)}: {metric.meaning}.",))


def _bar(result: Result, references: Mapping[str, float], document: Document) -> Bar:
    number, limit = number_to_draw(result)
    accepted = references.get(result.id) if metric_to_draw(result) == result.headline else None
    return Bar(
        scenario(result),
        number,
        limit,
        in_a_word(result, document),
        weight(result),
        reference=accepted,
        case=result.id,
        few=is_of_few(result),
    )


def _references(document: Document) -> dict[str, float]:
    compared = () if document.comparison is None else document.comparison.tasks.values()
    losses = (loss for own in compared for loss in own.losses)
    return {loss.id: loss.headline for loss in losses if loss.id is not None and loss.headline is not None}
