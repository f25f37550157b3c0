"""Report blocks of slices: how much worse the model is on a part of the corpus than on the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from abalo.bundled import USUAL_LANGUAGE
from abalo.core import words
from abalo.core.blocks import Bars, Block, Cell, Column, Measured, Row, Table, Text, meanings
from abalo.core.results import Json, bounds, headline, limit_of, measured, metric_of, scenario, task_of, verdict, weight
from abalo.core.settings import LANGUAGE
from abalo.core.task import Task
from abalo.slices.slice import slices

OF = "of"
"""The parameter that names the slice."""


def title(result: Json) -> str:
    """A case in words, without its settings."""
    known = slices().get(result["slice"]["of"])
    return f"Slice: {words.spoken(result['slice']['of']) if known is None else words.inline(known.heading)}"


def settings(result: Json) -> Sequence[str]:
    """The settings of a case but for the name of the slice and the usual language, in words."""
    usual: dict[str, Any] = {OF: result["params"].get(OF), LANGUAGE: USUAL_LANGUAGE}
    return words.parameters(words.unusual(result["params"], usual))


def extent(result: Json, task: Task) -> str:
    """The floor, and how many examples are in the slice and outside."""
    inside = words.count(result["distinct"], f"distinct {task.noun}")
    floor = f"{metric_of(result, task.floor).words} {measured(result, task.floor)}"
    return f"{floor}  of {inside} against {result['slice']['rest']['distinct']:,}"


def remedy(result: Json, task: Task) -> str:
    """Training data of the slice."""
    return f"Train on more {task.noun}s like those of the slice: {result['slice']['text']}."


def summary(results: Sequence[Json], document: Json) -> Sequence[Block]:
    """A row per slice, its gap drawn on one scale with interval and bound."""
    if not results:
        return ()
    task, floor = task_of(results[0]), words.sentence_case(metric_of(results[0], task_of(results[0]).floor).words)
    gap = f"{floor} of the rest minus {floor} of the slice: positive where the model is worse on the slice"
    columns = (
        Column("Slice"),
        Column("Part of the corpus"),
        Column(words.sentence_case(f"{task.noun}s"), "distinct ones in the slice, of all", numeric=True),
        Column(floor, numeric=True, wide=True),
        Column(f"{floor} of the rest", numeric=True, wide=True),
        Column("Gap", gap, numeric=True, wide=True),
        Column("", figure=True),
        Column("Bound"),
        Column("Verdict on bound"),
    )
    rows = tuple(Row(_cells(result), weight(result)) for result in results)
    title = "Slices: parts of the corpus by themselves"
    return [Table(columns, rows, title, meanings(columns), dense=True, noun="slice")]


def detail(result: Json, document: Json) -> Sequence[Block]:
    """How much is in the slice, and how much is not."""
    rest, noun = result["slice"]["rest"], task_of(result).noun
    sides = (result, rest)
    inside, outside = (f"{words.count(each['sentences'], noun)} ({each['distinct']:,} distinct)" for each in sides)
    said = words.sentence_case(result["slice"]["text"])
    return [Text((f"{said}. {inside} in the slice, {outside} outside.",), "The slice")]


def _cells(result: Json) -> tuple[Cell, ...]:
    part, floor = result["slice"], task_of(result).floor
    gap, limit = headline(result), limit_of(result)
    hint = f"gap {gap}" + ("" if limit is None else f", bound {words.limit(limit)}")
    return (
        scenario(result),
        part["text"],
        f"{result['distinct']:,}/{result['distinct'] + part['rest']['distinct']:,}",
        measured(result, floor),
        Measured.of(part["rest"].get(floor)),
        gap,
        Bars((gap,), hint, limit),
        bounds(result),
        verdict(result),
    )
