"""JSON as corpora hold it: an object on each line, or one array of objects."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from abalo.corpora.findings import Findings, shown
from abalo.corpora.foreign import refuse_export
from abalo.corpora.spans import holds_spans, names_text, record_of

ENDINGS = (".jsonl", ".ndjson", ".json")
"""The endings of files that hold JSON; whether lines or an array, their first signs tell."""

_LOOKED_AT = 500
"""Values that tell what a text holds."""

_GAP = re.compile(r"[ \t\r\n]*")
_OBJECT = re.compile(r'\s*\[?\s*\{\s*"[^"]*"\s*:')
_ARRAY = re.compile(r"\s*\[\s*[{\[\]]")


def is_json(text: str, ending: str) -> bool:
    """Whether a text is to be read as JSON: its file has such an ending, or it begins as an object with a key does."""
    return ending in ENDINGS or _OBJECT.match(text) is not None


def records(text: str, findings: Findings) -> Iterator[tuple[int, Any]]:
    """The values of a text with the place of each: its line, or its number in an array, from 1.

    Lines of white space are skipped. Where a line is not JSON, ``findings`` are told and the next one follows; an array
    ends there. Raises AbaloError for what an annotation tool has exported and that is not read, and for an array in a
    text that already has problems, since their places are lines.
    """
    listed = _listed_in(text)
    if listed is not None or _ARRAY.match(text):
        findings.raise_any()
        findings.joint = " record "
        values = _elements(text, findings) if listed is None else enumerate(listed, start=1)
    else:
        values = _lines(text, findings)
    for place, value in values:
        if record_of(value) is None:
            refuse_export(value, findings.source)
        yield place, value


def _listed_in(text: str) -> list[Any] | None:
    """The list of texts with spans that one object holds, as some tools and Rasa write it; None for any other text."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        whole, end = _DECODER.raw_decode(text, _skipped(text, 0))
    except (ValueError, RecursionError):
        return None
    if not isinstance(whole, dict) or text[end:].strip():
        return None
    if record_of(whole) is not None:
        return None
    inner = [each for value in whole.values() if isinstance(value, dict) for each in value.values()]
    return next(
        (
            [each for each in value if each is not None]
            for value in [*whole.values(), *inner]
            if isinstance(value, list) and any(holds_spans(each) and names_text(each) for each in value)
        ),
        None,
    )


def first_records(text: str) -> list[Any]:
    """The first values of a text that may be cut off after them, as many as can be read."""
    listed = _listed_in(text)
    findings = Findings("", lenient=True)
    values = _elements(text, findings) if _ARRAY.match(text) else _lines(text, findings)
    return list(islice((value for _, value in values), _LOOKED_AT)) if listed is None else listed[:_LOOKED_AT]


def first_record(text: str) -> Any:
    """The first value of a text that may be cut off after it; None where it has none."""
    array = _ARRAY.match(text)
    try:
        if array:
            return _DECODER.raw_decode(text, array.end() - 1)[0]
        return strict_json(next((line for line in text.split("\n") if line.strip()), ""))
    except (ValueError, RecursionError):
        return None


def _lines(text: str, findings: Findings) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = strict_json(line)
        except (ValueError, RecursionError) as error:  # also a number too long, or nesting too deep
            findings.error(number, f"not JSON: {_why_not(error)}; expected one object a line")
        else:
            yield number, value


def _elements(text: str, findings: Findings) -> Iterator[tuple[int, Any]]:
    """The elements of an array up to the first that is not JSON."""
    at = _skipped(text, text.index("[") + 1)
    number = 1
    try:
        while number > 1 or text[at : at + 1] != "]":
            value, at = _DECODER.raw_decode(text, at)
            yield number, value
            at = _skipped(text, at)
            sign = text[at : at + 1]
            if sign not in (",", "]") or not sign:
                raise json.JSONDecodeError("Expecting ',' or ']'", text, at)
            if sign == "]":
                break
            at = _skipped(text, at + 1)
            number += 1
        if _skipped(text, at + 1) < len(text):
            raise json.JSONDecodeError("Extra data after the array", text, _skipped(text, at + 1))
    except (ValueError, RecursionError) as error:
        line = f" of line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        findings.error(number, f"not JSON: {_why_not(error)}{line}; expected an array of objects, or one object a line")


def _skipped(text: str, at: int) -> int:
    """The place of the next sign that is no white space of JSON."""
    gap = _GAP.match(text, at)
    assert gap is not None
    return gap.end()


class _TwiceError(ValueError):
    """A key that an object has twice, of which one value would be lost."""


def strict_json(text: str, constant: Callable[[str], Any] | None = None) -> Any:
    """The value that a text holds; raises ValueError for invalid JSON, and for an object with a key twice.

    ``constant`` reads NaN and the infinities, which are no JSON; without it they are numbers.
    """
    return json.loads(text, object_pairs_hook=_once, parse_constant=constant)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for k, key in enumerate(keys) if key in keys[:k])
        raise _TwiceError(f"the key {shown(twice)} is there twice")
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_once)


def _why_not(error: Exception) -> str:
    if isinstance(error, _TwiceError):
        return str(error)
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at character {error.colno}"
    return "nested too deeply" if isinstance(error, RecursionError) else "a number is too long"
