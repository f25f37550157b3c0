"""JSON lines and arrays."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import Any

from abalo.core.protocols.corpus_spec import Omitted, reader_of_record
from abalo.core.records.tally import Tally
from abalo.core.records.words import count
from abalo.corpora.files import read_text
from abalo.corpora.findings import WHOLE, Findings, show_value
from abalo.corpora.foreign import refuse_export
from abalo.corpora.spans import NOTHING_MARKED, holds_spans, names_text, record_of
from abalo.errors import AbaloError, visible

ENDINGS = (".jsonl", ".ndjson", ".json")

_LOOKED_AT = 500

_GAP = re.compile(r"[ \t\r\n]*")
_OBJECT = re.compile(r'\s*+(?:\[\s*+)?\{\s*"[^"]*"\s*:')
_ARRAY = re.compile(r"\s*\[\s*[{\[\]]")


def is_json(text: str, ending: str) -> bool:
    """Whether file ending or text indicates JSON."""
    return ending in ENDINGS or _OBJECT.match(text) is not None


def records(text: str, findings: Findings) -> Iterator[tuple[int, object]]:
    """Values with their places: line, or number in an array, from 1; exports of other tools as tasks read them.

    Reports invalid lines and continues; an array ends there.
    """
    for place, value in _kept(converted(plain_records(text, findings), findings.tally), findings):
        if record_of(value) is None:
            refuse_export(value, findings.source)
        yield place, value


def file_reader(
    convert: Callable[[Iterable[tuple[int, object]], Tally], Iterable[tuple[int, object]]], name: str
) -> Callable[[Path, Mapping[str, Any], Tally], Iterator[tuple[str, Any]]]:
    """Makes the `Reader.read` of reader ``name``, which converts all records of a JSON file."""

    def read(path: Path, _settings: Mapping[str, Any], tally: Tally) -> Iterator[tuple[str, Any]]:
        findings = Findings(str(path), lenient=False, tally=tally)
        if path.is_dir():
            raise AbaloError(f"{visible(path)}: a folder; expected a JSON file")
        values = iter(plain_records(read_text(path, findings), findings))
        first = [*islice(values, 1)]
        other = reader_of_record(first[0][1]) if first else None
        if other is not None and other.name != name:
            raise AbaloError(f"{visible(path)}: holds records of {other.name}; name that reader: {other.name}:{path}")
        for place, value in _kept(convert(chain(first, values), tally), findings):
            yield f"{findings.unit} {place}", value
        findings.raise_any()

    return read


def _kept(values: Iterable[tuple[int, object]], findings: Findings) -> Iterator[tuple[int, object]]:
    kept, left_out = 0, list[str]()
    for place, value in values:
        if isinstance(value, Omitted):
            left_out.append(value.reason)
            findings.tally.left_out("record", f"because of {value.reason}")
        else:
            kept += 1
            yield place, value
    if left_out and not kept:
        many = count(len(left_out), "record")
        findings.error(WHOLE, f"all of {many} left out, the first because of {left_out[0]}; {NOTHING_MARKED}")


def converted(values: Iterable[tuple[int, object]], tally: Tally) -> Iterable[tuple[int, object]]:
    """The values, converted by the reader that claims the first, if any."""
    values = iter(values)
    first = next(values, None)
    if first is None:
        return ()
    reader = reader_of_record(first[1])
    values = chain([first], values)
    return values if reader is None or reader.convert is None else reader.convert(values, tally)


def plain_records(text: str, findings: Findings) -> Iterator[tuple[int, object]]:
    """Values with their places, as they are."""
    listed = _texts_in(text)
    if listed is not None or _ARRAY.match(text):
        findings.raise_any()
        findings.joint = " record "
        values = _elements(text, findings) if listed is None else enumerate(listed, start=1)
    else:
        values = _lines(text, findings)
    yield from values


def _texts_in(text: str) -> list[object] | None:
    if not text.lstrip().startswith("{"):
        return None
    try:
        whole, end = _DECODER.raw_decode(text, _skip_space(text, 0))
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


def first_records(text: str) -> list[object]:
    """The first values of a possibly truncated text."""
    listed = _texts_in(text)
    findings = Findings("", lenient=True)
    values = _elements(text, findings) if _ARRAY.match(text) else _lines(text, findings)
    looked_at = islice(values, _LOOKED_AT) if listed is None else enumerate(listed[:_LOOKED_AT])
    return [value for _, value in converted(looked_at, Tally()) if not isinstance(value, Omitted)]


def first_record(text: str) -> object:
    """The first value of a possibly truncated text."""
    value = _plain_first(text)
    return value if reader_of_record(value) is None else next(iter(first_records(text)), value)


def _plain_first(text: str) -> object:
    array = _ARRAY.match(text)
    try:
        if array:
            return _DECODER.raw_decode(text, array.end() - 1)[0]
        return strict_json(next((line for line in text.split("\n") if line.strip()), ""))
    except (ValueError, RecursionError):
        return None


def _lines(text: str, findings: Findings) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = strict_json(line)
        except (ValueError, RecursionError) as error:  # also a number too long, or nesting too deep
            findings.error(number, f"not JSON: {_why_not(error)}; expected one object a line")
        else:
            yield number, value


def _elements(text: str, findings: Findings) -> Iterator[tuple[int, object]]:
    at = _skip_space(text, text.index("[") + 1)
    number = 1
    try:
        while number > 1 or text[at : at + 1] != "]":
            value, at = _DECODER.raw_decode(text, at)
            yield number, value
            at = _skip_space(text, at)
            sign = text[at : at + 1]
            if sign not in (",", "]") or not sign:
                raise json.JSONDecodeError("Expecting ',' or ']'", text, at)
            if sign == "]":
                break
            at = _skip_space(text, at + 1)
            number += 1
        if _skip_space(text, at + 1) < len(text):
            raise json.JSONDecodeError("Extra data after the array", text, _skip_space(text, at + 1))
    except (ValueError, RecursionError) as error:
        line = f" of line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        findings.error(number, f"not JSON: {_why_not(error)}{line}; expected an array of objects, or one object a line")


def _skip_space(text: str, at: int) -> int:
    gap = _GAP.match(text, at)
    assert gap is not None
    return gap.end()


class _TwiceError(ValueError): ...


def strict_json(text: str, constant: Callable[[str], object] | None = None) -> Any:
    """Parses JSON; raises ValueError if invalid or if keys repeat.

    ``constant`` converts NaN and infinities.
    """
    return json.loads(text, object_pairs_hook=_once, parse_constant=constant)


def json_written(text: str) -> Any:
    """Parses JSON from Abalo; raises ValueError for numbers that are not finite and for repeated keys."""
    return json.loads(text, object_pairs_hook=_once, parse_constant=_refuse_constant, parse_float=_finite)


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text} is beyond all numbers here")
    return number


def _refuse_constant(constant: str) -> object:
    raise ValueError(f"{constant} is no number")


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, number in Counter(key for key, _ in pairs).items() if number > 1)
        raise _TwiceError(f"the key {show_value(twice)} is there twice")
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_once)


def _why_not(error: Exception) -> str:
    if isinstance(error, _TwiceError):
        return str(error)
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at character {error.colno}"
    return "nested too deeply" if isinstance(error, RecursionError) else "a number is too long"
