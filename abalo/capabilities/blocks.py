"""A capability in reports: what it is, how often it breaks, and what broke."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from abalo.core import words
from abalo.core.blocks import (
    Block,
    Column,
    Example,
    Examples,
    Item,
    Marked,
    Measured,
    Row,
    Table,
    Text,
    meanings,
)
from abalo.core.numbers import number_of
from abalo.core.passing import CAPABILITY
from abalo.core.results import Json, headline
from abalo.core.task import Task

_SHOWN = 3
"""How many broken fillings are shown of a capability."""


def title(result: Json) -> str:
    """The name of the capability."""
    return words.name(result[CAPABILITY]["name"])


def extent(result: Json, task: Task) -> str:
    """The fillings that the pass rate is about: those drawn, or all."""
    return f"of {_run(result)}"


def remedy(result: Json, task: Task) -> str:
    """Examples like those of the templates."""
    return "Read the fillings that broke: where a template is wrong, correct it; else train on examples like these."


def failure_rate(result: Json) -> Measured:
    """The share of fillings that break, with the interval of the pass rate turned round."""
    passed = headline(result)
    if passed.value is None:
        return passed
    low, high = (None if end is None else 1 - end for end in (passed.high, passed.low))
    return Measured(1 - passed.value, low, high)


def overview(results: Iterable[Json]) -> list[dict[str, Any]]:
    """The matrix as JSON values: of each capability and kind how many tests there are, and the worst failure rate.

    ``results`` are all of a document, of each case the one in the bound view first.
    """
    own: dict[str, Json] = {}
    for result in results:
        if result.get(CAPABILITY):
            own.setdefault(result["id"], result)
    tasks = dict.fromkeys(result["task"] for result in own.values())
    return [
        {"task": task, "capability": row, "kind": kind, **_cell(tests)}
        for task in tasks
        for row, kinds in by_row([result for result in own.values() if result["task"] == task]).items()
        for kind, tests in kinds.items()
    ]


def _cell(tests: Sequence[Json]) -> dict[str, Any]:
    worse = worst(tests)
    rate = {name: number_of(end) for name, end in zip(("value", "low", "high"), failure_rate(worse).ends, strict=True)}
    failed = sum(result["verdict"] == "fail" for result in tests)
    return {"tests": len(tests), "failed": failed, "worst": {"id": worse["id"], "failure_rate": rate}}


def findings(result: Json) -> Sequence[Block]:
    """The fillings that broke, wherever the result is named."""
    return examples(result)


def examples(result: Json) -> list[Block]:
    """Three fillings that broke; a line where the document tells of none though some did."""
    found = result[CAPABILITY]["failures"]
    name = f"{title(result)}: {_broken(result)}"
    if not found:
        return []
    shown = tuple(_example(number, each) for number, each in enumerate(found[:_SHOWN], start=1))
    return [Examples(shown, name, open=_SHOWN)]


def detail(result: Json, document: Json) -> Sequence[Block]:
    """The capability in words, then a row per template."""
    said = result[CAPABILITY]
    lines = [Item(said["kind"], "Kind"), Item(_run(result), "Run"), Item(_which_rate(said), "Pass rate")]
    if said["change"]:
        lines.append(Item(f"{{{said['change']}}} changes; expected: {said['expect'] or 'nothing changes'}", "Change"))
    if said["undecided"]:
        lines.append(Item(f"{words.count(said['undecided'], 'filling')} that the model says nothing about", "Left out"))
    rows = tuple(
        Row((each["template"], f"{each['run']:,}/{each['exist']:,}", str(each["failed"]), _rate(result, each)))
        for each in said["templates"]
    )
    columns = (
        Column("Template"),
        Column("Run", "fillings that were run, of all that there are", numeric=True),
        Column("Broke", numeric=True),
        Column("Failure rate", numeric=True, wide=True),
    )
    return [Text(tuple(lines), "The capability", role="facts"), Table(columns, rows, "Templates", meanings(columns))]


def _rate(result: Json, template: Mapping[str, Any]) -> Measured:
    found = Measured.of((result["per_type"].get(template["name"]) or {}).get(result["headline"]))
    if found.value is None or found.low is None or found.high is None:
        return Measured()
    return Measured(1 - found.value, 1 - found.high, 1 - found.low)


def row_of(result: Json) -> str:
    """The row of the matrix that a result stands in."""
    found: str = result[CAPABILITY]["capability"]
    return found


def by_row(results: Iterable[Json]) -> dict[str, dict[str, list[Json]]]:
    """The results by row of the matrix, in alphabetical order, and by kind."""
    found: dict[str, dict[str, list[Json]]] = {}
    for result in sorted(results, key=row_of):
        found.setdefault(row_of(result), {}).setdefault(result[CAPABILITY]["kind"], []).append(result)
    return found


def worst(tests: Sequence[Json]) -> Json:
    """The result with the highest failure rate."""
    return max(tests, key=lambda result: failure_rate(result).value or 0.0)


def _run(result: Json) -> str:
    said = result[CAPABILITY]
    if said["census"]:
        return f"all {words.count(said['run'], 'filling')}"
    return f"{words.count(said['run'], 'filling')} drawn from {said['exist']:,}"


def _which_rate(said: Mapping[str, Any]) -> str:
    """The fillings that the pass rate is of, in words."""
    if said["census"]:
        return "of all fillings, since all were run"
    return "of the fillings drawn: each template has the weight of those drawn, not of all that it has"


def _broken(result: Json) -> str:
    said = result[CAPABILITY]
    return f"{said['failed']:,} of {words.count(said['run'], 'filling')} broke"


def _example(number: int, failure: Mapping[str, Any]) -> Example:
    sentences = tuple(Marked(each["which"], (each["text"],)) for each in failure["shown"])
    return Example(Item(f"{failure['fault']} ({failure['template']})", f"{number}."), sentences)
