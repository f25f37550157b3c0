"""The drops of all perturbed cases, most important first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from abalo.core import words
from abalo.core.blocks import Bar, Block, Chart, Fold, Group, Text
from abalo.core.document import Document
from abalo.core.found import Result
from abalo.core.results import cases, headline, limit_of, metric_of, probe_of, scenario, task_of, weight
from abalo.reporting.content.blocks.comparison import regressed_cases
from abalo.reporting.content.case import interval
from abalo.reporting.content.panels import Panel
from abalo.reporting.documents.standing import in_a_word
from abalo.reporting.drawing.lanes import scale_of

_OPEN = 40

_SAME = 5e-4
"""Tolerance for numbers stored with six decimals."""


def blocks(document: Document) -> Sequence[Block]:
    """Charts each task's main number and folds others."""
    shown = [each for each in cases(document) if probe_of(each).perturbs and headline(each).value is not None]
    drops = [each for each in shown if _is_headline(each)]
    if not shown:
        return ()
    found: list[Block] = [*_charts(drops, document)] if drops else []
    others: dict[str, list[Result]] = {}
    for each in shown:
        if not _is_headline(each):
            others.setdefault(metric_of(each, each.headline).words, []).append(each)
    for name, results in others.items():
        found.append(Fold(words.sentence_case(name), tuple(_charts(results, document))))
    return found


PANEL = Panel("drops", "Drops", blocks, order=-20)


def _is_headline(result: Result) -> bool:
    return bool(result.headline == task_of(result).headline and not metric_of(result, result.headline).unit)


def _charts(results: Sequence[Result], document: Document) -> Iterator[Block]:
    references, lost = _references(document), regressed_cases(document)
    several = len({each.task for each in results}) > 1
    ranked = sorted(results, key=lambda each: (each.id in lost, weight(each)), reverse=True)
    bars = [_bar(each, references, document, several=several) for each in ranked]
    metrics = {metric_of(each, each.headline).words: metric_of(each, each.headline) for each in results}
    quantity, scale = " or ".join(metrics), scale_of(bars)
    title = words.sentence_case(f"{quantity} with {interval(document)}")
    yield Chart(title, (Group("", tuple(bars[:_OPEN])),), quantity, "lanes", scale=scale, most=_OPEN)
    if len(bars) > _OPEN:
        rest = tuple(bars[_OPEN:])
        more = Chart("", (Group("", rest),), quantity, "lanes", scale=scale, most=len(rest))
        yield Fold(words.count(len(rest), "more case"), (more,))
    meant = tuple(f"{words.sentence_case(each.words)}: {each.meaning}." for each in metrics.values() if each.meaning)
    if meant:
        yield Text(meant)


def _bar(result: Result, references: Mapping[str, float], document: Document, *, several: bool) -> Bar:
    label = f"{task_of(result).title}: {scenario(result)}" if several else scenario(result)
    accepted, number = references.get(result.id), headline(result)
    return Bar(
        label,
        number,
        limit_of(result),
        in_a_word(result, document),
        weight(result),
        reference=accepted,
        case=result.id,
    )


def _references(document: Document) -> dict[str, float]:
    """A drop is clean score minus case score, if the case has the same sentences."""
    found = {}
    shown = {each.id: each for each in cases(document)}
    for own in () if document.comparison is None else document.comparison.tasks.values():
        clean = own.baseline
        for loss in own.losses:
            result = shown.get(loss.id or "")
            if result is None or loss.type is not None or clean is None:
                continue
            ends = (clean.new, loss.new, headline(result).value, clean.reference, loss.reference)
            known = [end for end in ends if end is not None]
            if len(known) == len(ends) and metric_of(result, result.headline).is_drop:
                new, changed, drop, accepted, accepted_changed = known
                if abs(new - changed - drop) < _SAME:
                    found[result.id] = accepted - accepted_changed
    return found
