"""Converts between a document and robustness.json.

In memory, each view has a result, and numbers per type are rows. The file has a result per case, only the differences
of other views, numbers per type as columns, and no examples.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from abalo.config.options import check_recorded
from abalo.core.documents.document import BaselineFacts, Document, TaskFacts
from abalo.core.documents.found import Estimated, Result
from abalo.core.protocols.probe import fields_of, probes
from abalo.core.protocols.task import tasks
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import Count, Json, JsonRecord, Name, Sha256, declared, read, read_whole
from abalo.reporting.documents.document import NOT_BOUND

SEAL = "seal"
"""Field with the digest of all others."""

OTHERS = "other_views"

TYPES = "types"

_TABLE = "per_type"

_WIDTH = 160

# Records of the file --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnFacts(JsonRecord):
    """A measured number of each group."""

    value: Sequence[float | None]
    low: Sequence[float | None]
    high: Sequence[float | None]
    n: Sequence[Count | None]
    sd: Sequence[float | None] = ()
    trainings: Sequence[Sequence[float | None] | None] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns(JsonRecord):
    """The numbers of groups."""

    more: Mapping[str, ColumnFacts | None] = field(default_factory=dict)
    types: Sequence[str] = declared(
        "Names of the rows; in other views absent if they are the same. Every other field holds one value per row, in "
        "this order.",
        default=(),
    )
    support: Sequence[Count] = declared("Number of gold labels per row.", default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherView(JsonRecord):
    """What differs in a view without bounds."""

    view: Name
    metrics: Mapping[str, Estimated | None]
    per_type: Columns


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredBaseline(BaselineFacts):
    """The clean corpus."""

    per_type: Columns = declared(  # type: ignore[assignment]
        "Metrics and `support` (gold entities) by type.", factory=Columns
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTask(TaskFacts):
    """The facts of a task."""

    baseline: StoredBaseline = declared("Metrics of the clean corpus.")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredResult(Result):
    """A case in all its views."""

    per_type: Columns = declared(  # type: ignore[assignment]
        "Metrics by group, with `support`: entity type, label, part of speech, variant or template."
    )
    other_views: Sequence[OtherView] = declared(
        "The numbers that differ in the other views. Bounds are about the view of the case only."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDocument(Document):
    """The report of a run."""

    results: Sequence[StoredResult] = declared("Results of the cases in the order of collection.")
    tasks: Mapping[str, StoredTask] = declared(
        "Model, corpus and baseline of each task of the run. Absent if the run ended before any model was measured.",
        factory=dict,
    )
    baseline: StoredBaseline | None = declared("The clean corpus, as for `model`.", default=None)
    seal: Sha256 = declared("Digest of all other fields, whatever the layout of the file.")


# Conversion -----------------------------------------------------------------------------------------------------------


def check_stored(stored: Json) -> None:
    """Raises TypeError that names misfits of a document as stored."""
    document = read_whole(StoredDocument, stored)
    if document.options:
        check_recorded(document.options)
    every = {probe.result_fields for probe in probes().values()}
    every |= {task.report.result_fields for task in tasks().values()}
    for number, result in enumerate(document.results):
        own = fields_of(result.probe, result.task)
        for kind in every:
            try:
                (read_whole if kind in own else read)(kind, result.more)
            except TypeError as error:
                raise TypeError(f"results.{number}: {error}") from None


def as_stored(document: Json) -> JsonObject:
    """Returns the document as stored; round its numbers first."""
    return {**_with_tables(document, as_table), "results": _by_case(document["results"])}


def from_stored(stored: Json) -> dict[str, object]:
    """Returns the document in memory, without its seal.

    Raises KeyError, TypeError, ValueError or AttributeError if it is damaged.
    """
    return {
        **_with_tables({name: value for name, value in stored.items() if name != SEAL}, as_rows),
        "results": [view for result in stored["results"] for view in _views(result)],
    }


def as_text(value: object) -> str:
    """Formats JSON with short values and lists of numbers on one line."""
    return "".join(_parts(value, "", open_up=bool(value))) + "\n"


def sealed(stored: Json) -> JsonObject:
    """Returns a document as stored, with its seal as the last field."""
    return {**{name: value for name, value in stored.items() if name != SEAL}, SEAL: seal_of(stored)}


def seal_of(stored: Json) -> str:
    """Returns the SHA-256 of a document's fields except its seal.

    Layout and order do not matter, nor whether a program wrote 1.0 as 1.
    """
    content = json.dumps({name: value for name, value in stored.items() if name != SEAL})
    same = json.dumps(json.loads(content, parse_float=_number), sort_keys=True)
    return hashlib.sha256(same.encode()).hexdigest()


def _number(text: str) -> float:
    return int(found) if (found := float(text)).is_integer() else found


# Views ----------------------------------------------------------------------------------------------------------------


def _by_case(results: Iterable[JsonObject]) -> list[JsonObject]:
    found: list[JsonObject] = []
    known: dict[object, tuple[JsonObject, JsonObject]] = {}
    for each in results:
        result = {name: value for name, value in each.items() if name != "examples"}
        key = result["id"]
        case, stored = known.get(key, (result, {}))
        if result["view"] == case["view"]:
            stored = {**result, _TABLE: as_table(result[_TABLE]), OTHERS: []}
            known[key] = result, stored
            found.append(stored)
        else:
            stored[OTHERS].append(_difference(result, case))
    return found


def _difference(view: JsonObject, case: JsonObject) -> JsonObject:
    expected = {**case, **NOT_BOUND}
    fields = {name: value for name, value in view.items() if name not in expected or value != expected[name]}
    metrics = {name: value for name, value in view["metrics"].items() if value != case["metrics"].get(name)}
    return {**fields, "view": view["view"], "metrics": metrics, _TABLE: _columns(view[_TABLE], case[_TABLE])}


def _columns(rows: JsonObject, before: JsonObject) -> JsonObject:
    own, others = as_table(rows), as_table(before)
    if own[TYPES] != others[TYPES]:
        return own
    return {name: column for name, column in own.items() if name not in others or column != others[name]}


def _views(result: Json) -> Iterator[dict[str, object]]:
    own = {name: value for name, value in result.items() if name != OTHERS}
    table = own[_TABLE]
    case = {**own, _TABLE: as_rows(table), "examples": []}
    yield case
    for other in result.get(OTHERS, ()):
        columns = other[_TABLE] if TYPES in other[_TABLE] else {**table, **other[_TABLE]}
        metrics = {**own["metrics"], **other["metrics"]}
        yield {**case, **NOT_BOUND, **other, "metrics": metrics, _TABLE: as_rows(columns)}


# Tables ---------------------------------------------------------------------------------------------------------------


def _with_tables(document: Mapping[str, object], changed: Callable[[JsonObject], JsonObject]) -> JsonObject:
    found = _with_table({**document}, changed)
    if found.get("tasks"):
        found["tasks"] = {name: _with_table(own, changed) for name, own in found["tasks"].items()}
    return found


def _with_table(facts: JsonObject, changed: Callable[[JsonObject], JsonObject]) -> JsonObject:
    baseline = facts.get("baseline") or {}
    return {**facts, "baseline": {**baseline, _TABLE: changed(baseline[_TABLE])}} if _TABLE in baseline else facts


def as_table(rows: Mapping[str, Mapping[str, object]]) -> JsonObject:
    """Converts numbers per type to columns in the order of ``types``.

    A measured number has lists for ``value``, ``low``, ``high`` and ``n``; None if no type has it.
    """
    names = dict.fromkeys(name for row in rows.values() for name in row)
    return {TYPES: list(rows), **{name: _column([row.get(name) for row in rows.values()]) for name in names}}


def _column(cells: list[Any]) -> object:
    known = [cell for cell in cells if cell is not None]
    if known and not isinstance(known[0], Mapping):
        return cells
    parts = dict.fromkeys(part for cell in known for part in cell)
    return {part: [None if cell is None else cell.get(part) for cell in cells] for part in parts} or None


def as_rows(table: Json) -> JsonObject:
    """Converts columns to numbers by type, None if missing."""
    columns = {name: column for name, column in table.items() if name != TYPES}
    for name, column in columns.items():
        for part in column.values() if isinstance(column, Mapping) else [column or table[TYPES]]:
            if len(part) != len(table[TYPES]):
                raise TypeError(f"{name} has {len(part)} values; expected {len(table[TYPES])}, one for each of types")
    return {kind: {name: _cell(column, k) for name, column in columns.items()} for k, kind in enumerate(table[TYPES])}


def _cell(column: Any, k: int) -> object:
    if column is None or isinstance(column, list):
        return None if column is None else column[k]
    return None if column["value"][k] is None else {part: values[k] for part, values in column.items()}


# Text -----------------------------------------------------------------------------------------------------------------


def _parts(value: Any, indent: str, *, open_up: bool = False) -> Iterator[str]:
    flat = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if not open_up and (len(flat) + len(indent) <= _WIDTH or not _is_nested(value)):
        yield flat
        return
    inner = indent + " "
    brackets = "{}" if isinstance(value, Mapping) else "[]"
    pairs = value.items() if isinstance(value, Mapping) else ((None, each) for each in value)
    lead = brackets[0]
    for key, each in pairs:
        named = "" if key is None else f"{json.dumps(key, ensure_ascii=False)}: "
        yield f"{lead}\n{inner}{named}"
        yield from _parts(each, inner)
        lead = ","
    yield f"\n{indent}{brackets[1]}"


def _is_nested(value: object) -> bool:
    return isinstance(value, Mapping) or (
        isinstance(value, list) and any(isinstance(each, list | dict) for each in value)
    )
