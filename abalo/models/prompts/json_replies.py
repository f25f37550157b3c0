"""Step 3 of reading replies: JSON, even among other words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

LONGEST = 200_000
"""Longest reply behind its thoughts, in characters."""

_WORK = 10 * LONGEST
"""Characters decoded in vain before the search ends."""

_START = re.compile(r'\{\s*"')


class _Twice:
    """Different values of one key."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        found[key] = value if found.get(key, value) == value else _Twice()
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def json_values(text: str, key: str, *, listed: bool = False, whole: bool = False) -> list[object]:
    """The values of ``key`` in the JSON objects of a text, in order; empty if there are none.

    ``listed`` also takes a list of entries at the beginning. ``whole`` takes only a text that is one JSON value.
    """
    text = text.strip()
    if len(text) > LONGEST:
        return []
    if text.startswith("[") and listed:
        value, stop = _decoded(text, 0)
        if isinstance(value, list) and (not whole or stop == len(text)) and all(map(_is_entry, value)):
            return [value, *_objects(text, key, stop)]
    if whole:
        value, stop = _decoded(text, 0) if text.startswith("{") else (None, 0)
        return [value[key]] if isinstance(value, dict) and stop == len(text) and key in value else []
    return [*_objects(text, key, 0)]


def json_object(text: str) -> dict[str, object] | None:
    """The object that a text is, else None."""
    text = text.strip()
    value, stop = _decoded(text, 0) if text.startswith("{") and len(text) <= LONGEST else (None, 0)
    return value if isinstance(value, dict) and stop == len(text) else None


def one_of(values: list[object]) -> object:
    """The value if all are equal, else None."""
    return values[0] if values and all(each == values[0] for each in values) else None


def as_text(value: object) -> str | None:
    """A JSON string, number or truth value as text, else None."""
    if isinstance(value, str):
        return value
    return json.dumps(value) if isinstance(value, bool | int | float) else None


def _objects(text: str, key: str, at: int) -> Iterator[object]:
    work = 0
    while (start := _START.search(text, at)) is not None and work < _WORK:
        value, stop = _decoded(text, start.start())
        if isinstance(value, dict) and key in value:
            yield value[key]
            at = stop
        else:
            work += stop - start.start()
            at = start.start() + 1


def _decoded(text: str, at: int) -> tuple[object, int]:
    """The JSON value at a place and its end; None and the end of what was decoded if broken."""
    try:
        return _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        return None, max(error.pos, at + 1)
    except (ValueError, RecursionError):
        return None, min(len(text), at + LONGEST // 10)


def _is_entry(value: object) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and len(value) == 2)
