"""Report blocks of slices."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.bundled import USUAL_LANGUAGE
from abalo.core.documents.blocks import Bars, Block, Cell, Column, Measured, Row, Table, Text, meanings
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.protocols.results import (
    bounds,
    headline,
    limit_of,
    measured_number,
    metric_of,
    scenario,
    task_of,
    verdict,
    weight,
)
from abalo.core.protocols.task import Task
from abalo.core.records import words
from abalo.core.records.settings import LANGUAGE
from abalo.slices.facts import facts_of
from abalo.slices.slice import slices

OF = "of"


_TOLD_ELSEWHERE = (OF, "training")


def title(result: Result) -> str:
    """The case in words, with the heading's settings."""
    name = facts_of(result).of
    known = slices().get(name)
    if known is None:
        return f"Slice: {words.identifier_in_words(name)}"
    return f"Slice: {words.inline(known.heading).format_map(known.usual() | dict(result.params))}"


def settings(result: Result) -> Sequence[str]:
    """Unusual settings that the heading omits, in words."""
    known = slices().get(facts_of(result).of)
    usual: dict[str, object] = {} if known is None else known.usual()
    told = words.unusual(result.params, usual | {LANGUAGE: USUAL_LANGUAGE})
    named = () if known is None else known.named
    return words.parameters({key: value for key, value in told.items() if key not in (*_TOLD_ELSEWHERE, *named)})


def extent(result: Result, task: Task) -> str:
    """The score, and the sizes of slice and rest."""
    inside = words.count(result.distinct, f"distinct {task.noun}")
    floor = f"{metric_of(result, task.floor).words} {measured_number(result, task.floor)}"
    return f"{floor}  of {inside} against {facts_of(result).rest.distinct:,}"


def remedy(result: Result, task: Task) -> str:
    """The advice to train on similar examples."""
    return f"Train on more {task.noun}s like those of the slice: {facts_of(result).text}."


def summary(results: Sequence[Result], document: Document) -> Sequence[Block]:
    """A table with one row per slice."""
    if not results:
        return ()
    task, floor = task_of(results[0]), words.sentence_case(metric_of(results[0], task_of(results[0]).floor).words)
    gap = f"{metric_of(results[0], results[0].headline).meaning}; positive if the model is worse on the slice"
    judged = any(result.judgements for result in results)
    columns = (
        Column("Slice"),
        Column("Part of the corpus"),
        Column(words.sentence_case(f"{task.noun}s"), f"distinct {task.noun}s in the slice, of all", numeric=True),
        Column(floor, numeric=True, wide=True),
        Column(f"{floor} of the rest", numeric=True, wide=True),
        Column("Gap", gap, numeric=True, wide=True),
        Column("", figure=True),
        *([Column("Bound"), Column(words.VERDICT_ON_BOUND)] if judged else []),
    )
    ranked = sorted(results, key=weight, reverse=True)
    rows = tuple(Row(_cells(result)[: len(columns)], weight(result)) for result in ranked)
    title = "Slices: parts of the corpus"
    return [Table(columns, rows, title, meanings(columns), dense=True, noun="slice", cards=True)]


def detail(result: Result, document: Document) -> Sequence[Block]:
    """The sizes of slice and rest."""
    rest, noun = facts_of(result).rest, task_of(result).noun
    sides = (result, rest)
    inside, outside = (f"{words.count(each.sentences, noun)} ({each.distinct:,} distinct)" for each in sides)
    said = words.sentence_case(facts_of(result).text)
    return [Text((f"{said}. {inside} in the slice, {outside} outside.",), "The slice")]


def _cells(result: Result) -> tuple[Cell, ...]:
    part, floor = facts_of(result), task_of(result).floor
    gap, limit = headline(result), limit_of(result)
    hint = f"gap {gap}" + ("" if limit is None else f", bound {words.limit(limit)}")
    return (
        scenario(result),
        part.text,
        f"{result.distinct:,}/{result.distinct + part.rest.distinct:,}",
        measured_number(result, floor),
        Measured.of(part.rest.more.get(floor)),
        gap,
        Bars((gap,), hint, limit),
        bounds(result),
        verdict(result),
    )
