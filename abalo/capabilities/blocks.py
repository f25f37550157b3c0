"""Report blocks of capabilities: the matrix, a row per capability, and what broke."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from abalo.capabilities.capability import KINDS
from abalo.core import words
from abalo.core.blocks import (
    Block,
    Cell,
    Column,
    Example,
    Examples,
    Fold,
    Item,
    Marked,
    Measured,
    Noted,
    Row,
    Table,
    Text,
    meanings,
)
from abalo.core.passing import CAPABILITY
from abalo.core.results import Json, bounds, headline, verdict, weight
from abalo.core.task import Task

_SHOWN = 3
"""How many broken fillings are shown of a capability."""


def title(result: Json) -> str:
    """The name of the capability."""
    return words.name(result[CAPABILITY]["name"])


def extent(result: Json, task: Task) -> str:
    """How many fillings were run, of how many."""
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


def summary(results: Sequence[Json], document: Json) -> Sequence[Block]:
    """The matrix, then every test with its verdict, then what broke."""
    if not results:
        return ()
    broken = [block for result in results for block in examples(result)]
    folded = [Fold("Fillings that broke", tuple(broken))] if broken else []
    return [_matrix(results), _tests(results), *folded]


def overview(results: Sequence[Json]) -> list[dict[str, Any]]:
    """The matrix as JSON values: of each capability and kind how many tests there are, and the worst failure rate."""
    return [
        {
            "capability": row,
            "kind": kind,
            "tests": len(own),
            "failed": sum(result["verdict"] == "fail" for result in own),
            "worst": {"id": worst["id"], **dict(zip(("value", "low", "high"), failure_rate(worst).ends, strict=True))},
        }
        for row, kinds in _by_row(results).items()
        for kind, own in kinds.items()
        for worst in (_worst(own),)
    ]


def findings(result: Json) -> Sequence[Block]:
    """What broke, wherever the result is named."""
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
    """What the capability is, then a row per template."""
    said = result[CAPABILITY]
    lines = [Item(said["kind"], "Kind"), Item(f"of {_run(result)}", "Run")]
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


def _matrix(results: Sequence[Json]) -> Table:
    by_row = _by_row(results)
    columns = (
        Column("Capability"),
        *(
            Column(words.sentence_case(kind), "failure rate of the worst test", numeric=True, wide=True)
            for kind in KINDS
        ),
    )
    rows = tuple(
        Row((words.name(row), *(_cell(kinds.get(kind, ())) for kind in KINDS)), max(map(weight, _of(kinds))))
        for row, kinds in by_row.items()
    )
    note = (
        "Failure rate of the worst test in each cell, with its interval, and how many tests failed of how many; a rate "
        "without an interval is of all fillings that there are."
    )
    return Table(columns, rows, "Capabilities", (note,), noun="capability")


def _cell(own: Sequence[Json]) -> Cell:
    if not own:
        return words.NOTHING
    failed = sum(result["verdict"] == "fail" for result in own)
    note = f"{failed} of {words.count(len(own), 'test')} failed"
    return Noted(_plain(failure_rate(_worst(own)), census=_worst(own)[CAPABILITY]["census"]), note)


def _plain(rate: Measured, *, census: bool) -> str:
    return rate.number if census else str(rate)


def _tests(results: Sequence[Json]) -> Table:
    columns = (
        Column("Capability"),
        Column("Test"),
        Column("Kind"),
        Column("Fillings", "that were run, of all that there are", numeric=True),
        Column("Failure rate", numeric=True, wide=True),
        Column("Bound"),
        Column("Verdict"),
    )
    rows = tuple(
        Row(
            (
                words.name(result[CAPABILITY]["capability"]),
                title(result),
                result[CAPABILITY]["kind"],
                f"{result[CAPABILITY]['run']:,}/{result[CAPABILITY]['exist']:,}",
                failure_rate(result),
                bounds(result),
                verdict(result),
            ),
            weight(result),
        )
        for result in sorted(results, key=_row_of)
    )
    return Table(columns, rows, "Tests of capabilities", meanings(columns), keys=2, noun="test")


def _row_of(result: Json) -> str:
    found: str = result[CAPABILITY]["capability"]
    return found


def _by_row(results: Sequence[Json]) -> dict[str, dict[str, list[Json]]]:
    """The results by row of the matrix, in alphabetical order, and by kind."""
    found: dict[str, dict[str, list[Json]]] = {}
    for result in sorted(results, key=_row_of):
        found.setdefault(_row_of(result), {}).setdefault(result[CAPABILITY]["kind"], []).append(result)
    return found


def _of(kinds: Mapping[str, Sequence[Json]]) -> Iterator[Json]:
    return (result for own in kinds.values() for result in own)


def _worst(own: Sequence[Json]) -> Json:
    return max(own, key=lambda result: failure_rate(result).value or 0.0)


def _run(result: Json) -> str:
    said = result[CAPABILITY]
    if said["census"]:
        return f"all {words.count(said['run'], 'filling')}"
    return f"{said['run']:,} of {words.count(said['exist'], 'filling')}"


def _broken(result: Json) -> str:
    said = result[CAPABILITY]
    return f"{said['failed']:,} of {words.count(said['run'], 'filling')} broke"


def _example(number: int, failure: Mapping[str, Any]) -> Example:
    sentences = tuple(Marked(each["which"], (each["text"],)) for each in failure["shown"])
    return Example(Item(f"{failure['fault']} ({failure['template']})", f"{number}."), sentences)
