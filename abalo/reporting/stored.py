"""The form of a document in robustness.json, and the document that is in it.

In memory a document has a result for each view of a case, numbers per type as rows, and examples. The file keeps every
number, but once: a result for each case, further views by what differs in them, numbers per type as columns. Examples
stand in examples.jsonl alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from abalo.core.example import Json
from abalo.reporting.document import NOT_BOUND

OTHERS = "other_views"
"""The field of a case with its further views."""

TYPES = "types"
"""The column of a table that names its rows."""

_TABLE = "per_type"

_WIDTH = 160
"""Values that take more characters get a line for each of their parts."""


def as_stored(document: Mapping[str, Any]) -> Json:
    """The document as the file has it; numbers must be rounded already, so that equal ones are seen as such."""
    return {**_with_tables(document, as_table), "results": _by_case(document["results"])}


def from_stored(stored: Mapping[str, Any]) -> dict[str, Any]:
    """The document in memory, without examples.

    Raises KeyError, TypeError, ValueError or AttributeError for a document that is damaged.
    """
    return {
        **_with_tables(stored, as_rows),
        "results": [view for result in stored["results"] for view in _views(result)],
    }


def as_text(value: Any) -> str:
    """JSON with a line for each field and each part of what is long, one for what is short or a list of numbers."""
    return "".join(_parts(value, "", open_up=bool(value))) + "\n"


# Views ----------------------------------------------------------------------------------------------------------------


def _by_case(results: Iterable[Json]) -> list[Json]:
    """One result for each case: that of its own view, the first, with what differs in the others."""
    found: list[Json] = []
    known: dict[tuple[Any, Any], tuple[Json, Json]] = {}
    for each in results:
        result = {name: value for name, value in each.items() if name != "examples"}
        key = result["id"], result.get("span_source")
        case, stored = known.get(key, (result, {}))
        if result["view"] == case["view"]:
            stored = {**result, _TABLE: as_table(result[_TABLE]), OTHERS: []}
            known[key] = result, stored
            found.append(stored)
        else:
            stored[OTHERS].append(_difference(result, case))
    return found


def _difference(view: Json, case: Json) -> Json:
    """The fields of a view that are not as in that of the case; of metrics and columns those that are not."""
    expected = {**case, **NOT_BOUND}
    fields = {name: value for name, value in view.items() if name not in expected or value != expected[name]}
    metrics = {name: value for name, value in view["metrics"].items() if value != case["metrics"].get(name)}
    return {**fields, "view": view["view"], "metrics": metrics, _TABLE: _columns(view[_TABLE], case[_TABLE])}


def _columns(rows: Json, before: Json) -> Json:
    """The columns of a table that differ from those of the other; the whole table where the types are others."""
    own, others = as_table(rows), as_table(before)
    if own[TYPES] != others[TYPES]:
        return own
    return {name: column for name, column in own.items() if name not in others or column != others[name]}


def _views(result: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The results of a case, one for each view."""
    own = {name: value for name, value in result.items() if name != OTHERS}
    table = own[_TABLE]
    case = {**own, _TABLE: as_rows(table), "examples": []}
    yield case
    for other in result.get(OTHERS, ()):
        columns = other[_TABLE] if TYPES in other[_TABLE] else {**table, **other[_TABLE]}
        metrics = {**own["metrics"], **other["metrics"]}
        yield {**case, **NOT_BOUND, **other, "metrics": metrics, _TABLE: as_rows(columns)}


# Tables ---------------------------------------------------------------------------------------------------------------


def _with_tables(document: Mapping[str, Any], changed: Callable[[Json], Json]) -> Json:
    """The document with the numbers per type of its baselines in the other form."""
    found = _with_table({**document}, changed)
    if found.get("tasks"):
        found["tasks"] = {name: _with_table(own, changed) for name, own in found["tasks"].items()}
    return found


def _with_table(facts: Json, changed: Callable[[Json], Json]) -> Json:
    """The facts of a task with the numbers per type of its baseline in the other form, where it has some."""
    baseline = facts.get("baseline") or {}
    return {**facts, "baseline": {**baseline, _TABLE: changed(baseline[_TABLE])}} if _TABLE in baseline else facts


def as_table(rows: Mapping[str, Mapping[str, Any]]) -> Json:
    """Numbers per type as columns: ``types``, then each number, in the order of ``types``.

    A measured number has a list for each of ``value``, ``low``, ``high`` and ``n``; one that no type has is None.
    """
    names = dict.fromkeys(name for row in rows.values() for name in row)
    return {TYPES: list(rows), **{name: _column([row.get(name) for row in rows.values()]) for name in names}}


def _column(cells: list[Any]) -> Any:
    known = [cell for cell in cells if cell is not None]
    if known and not isinstance(known[0], Mapping):
        return cells
    parts = dict.fromkeys(part for cell in known for part in cell)
    return {part: [None if cell is None else cell.get(part) for cell in cells] for part in parts} or None


def as_rows(table: Mapping[str, Any]) -> Json:
    """A table as numbers per type: by type a number, measured or not, under each name; None where it has none."""
    columns = {name: column for name, column in table.items() if name != TYPES}
    return {kind: {name: _cell(column, k) for name, column in columns.items()} for k, kind in enumerate(table[TYPES])}


def _cell(column: Any, k: int) -> Any:
    if column is None or isinstance(column, list):
        return None if column is None else column[k]
    return None if column["value"][k] is None else {part: values[k] for part, values in column.items()}


# Text -----------------------------------------------------------------------------------------------------------------


def _parts(value: Any, indent: str, *, open_up: bool = False) -> Iterator[str]:
    """The text of a value in parts, on one line where it is short, unless it is to be opened up."""
    flat = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if not open_up and (len(flat) + len(indent) <= _WIDTH or not _nested(value)):
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


def _nested(value: Any) -> bool:
    """Whether it holds anything else than single values, or is an object."""
    return isinstance(value, Mapping) or (
        isinstance(value, list) and any(isinstance(each, list | dict) for each in value)
    )
