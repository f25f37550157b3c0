"""JSON Lines: an object a line; also one JSON array of objects.

The values of an object in an object are columns of their own: ``{"scores": {"tone": 1}}`` has the column
``scores.tone``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from abalo.errors import AbaloError, in_words, visible
from abalo.scores.readers import Content, ScoreFileReader
from abalo.scores.rows import PlacedRow

_AT_ONCE = 10_000


def records_in(content: Content) -> Iterator[tuple[object, Mapping[str, object]]]:
    """The objects of a file with their lines, or their numbers in an array; raises `AbaloError`."""
    for place, value in _values(content):
        if not isinstance(value, dict):
            where = f"line {place}" if isinstance(place, int) else place
            raise AbaloError(f"{visible(content.path)} {where}: {value!r:.40}; expected a JSON object")
        yield place, value


def _values(content: Content) -> Iterator[tuple[object, object]]:
    if isinstance(content.first, list):
        yield from ((f"number {number}", value) for number, value in enumerate(content.first, start=1))
        return
    numbered = ((number, line) for number, line in enumerate(content.text.split("\n"), start=1) if line.strip())
    while chunk := [*islice(numbered, _AT_ONCE)]:
        found = _at_once([line for _, line in chunk])
        if found is not None:
            yield from zip((number for number, _ in chunk), found, strict=True)
            continue
        for number, line in chunk:
            try:
                yield number, _strict(line)
            except (ValueError, RecursionError) as error:
                raise AbaloError(
                    f"{visible(content.path)} line {number}: not JSON: {visible(in_words(error))}; expected one object "
                    "a line"
                ) from error


def _at_once(lines: Sequence[str]) -> list[object] | None:
    """The objects of many lines, three times as fast as one by one; None if a line is no object.

    The strict decoder reads lines with a repeated key, which would hide a score.
    """
    objects = [line.strip() for line in lines]
    if any(line[0] != "{" or line[-1] != "}" for line in objects):
        return None
    if any(line.count('"score"') > 1 or line.count('"id"') > 1 for line in objects):
        return None
    try:
        found: list[object] = json.loads(f"[{','.join(objects)}]")
    except (ValueError, RecursionError):
        return None
    return found if len(found) == len(lines) else None


def _strict(line: str) -> object:
    return json.loads(line, object_pairs_hook=_once)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"a key of {', '.join(found)} is there twice")
    return found


def _read(content: Content) -> Iterator[PlacedRow]:
    for place, values in records_in(content):
        yield place, dict(_flat(values)) if dict in map(type, values.values()) else values


def _flat(values: Mapping[str, object], before: str = "") -> Iterator[tuple[str, object]]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _reads(content: Content) -> bool:
    return content.data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")


READER = ScoreFileReader("JSON Lines", _reads, _read, order=9)
