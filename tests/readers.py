"""Files for readers of corpora: samples of every form, mutated, and bytes; and a limit of CPU seconds."""

import gzip
import json
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from abalo.corpora.unpacking import ENDING
from docs.making.corpora import FORMS

SECONDS = 2.0
"""Of CPU at most, for 100 kB."""

LOOP = 0.008
"""CPU seconds of the loop of `_slowness` where the limits were set."""

LARGEST = 100_000

SAMPLES = [
    (name, content if isinstance(content, bytes) else content.encode(), form.task)
    for form in FORMS
    for name, content in form.files.items()
]
"""A name, what stands there, and the task that recognises it."""

_NAMES = sorted({f"dev.{name.rpartition('.')[2]}" for name, _, _ in SAMPLES})

_PIECES = [
    *map(bytes, ([0], [0xFF], [0xC3], [0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xA1, 0xB0], [0x1F, 0x8B])),
    *(
        each.encode()
        for each in (
            *"\t\n\r \"'()[]{}<>|,;:-_#/=\\0O1&",
            *("\r\n", "\n\n", "é", "א", "我", "𐍈", "e\u0301", "\u2028", "\u00a0", "\u200b", "²", "\x1c", "-1", "null"),
            *("NaN", "1e999", "true", '""', "[]", "{}", "[[", "\\ud800", "9" * 5000, "B-X", "I-X", "*", "1.1", "1-2"),
            *("Entity=(e1", "Entity=e1)", "(e1-x(", "(1", "1)", "# newdoc id =", "#begin document (a); part 1", "<e1>"),
            *("</e1>", "<!ENTITY x 'y'>", "<seg>", "</seg>", "<target/>", "a.a.", "a@", "www.", "__label__", "\ufeff"),
            *('"from": ', '"answers": ', '"text": ', '"label": ', '"pos": [', "SpaceAfter=No|", "-DOCSTART- O"),
        )
    ),
]
_VALUES: list[Any] = [
    None,
    True,
    0,
    -1,
    10**30,
    1.5,
    float("nan"),
    "",
    " ",
    "\ud800",
    "O",
    [],
    {},
    [[]],
    [None],
    {"a": 1},
]


def _slices(draw: DrawFn, data: bytes) -> tuple[int, int]:
    start = draw(st.integers(0, len(data)))
    return start, draw(st.integers(start, min(len(data), start + 200)))


def _nodes(value: Any) -> Iterator[tuple[Any, Any]]:
    left = [value]
    while left:
        each = left.pop()
        for key in each if isinstance(each, dict) else range(len(each)) if isinstance(each, list) else ():
            yield each, key
            left.append(each[key])


def _with_another_value(draw: DrawFn, data: bytes) -> bytes:
    """The JSON with a value exchanged for an odd one, or for another of its own."""
    lines = data.split(b"\n")
    at = draw(st.integers(0, len(lines) - 1))
    try:
        value = json.loads(lines[at])
    except (ValueError, RecursionError):
        return data
    places = [*_nodes(value)]
    if not places:
        return data
    holder, key = draw(st.sampled_from(places))
    other, own = draw(st.sampled_from(places))
    new = draw(
        st.sampled_from([*_VALUES, other[own], {**holder, "text": 1} if isinstance(holder, dict) else holder[:1]])
    )
    if isinstance(holder, dict) and draw(st.booleans()) and draw(st.booleans()):
        del holder[key]
    else:
        holder[key] = json.loads(json.dumps(new))
    lines[at] = json.dumps(value, ensure_ascii=draw(st.booleans())).encode("utf-8", "replace")
    return b"\n".join(lines)


def _mutated(draw: DrawFn, data: bytes) -> bytes:
    kind = draw(st.integers(0, 7))
    start, stop = _slices(draw, data)
    if kind == 0:
        return data[:start] + data[stop:]
    if kind == 1:
        return data[:start] + draw(st.sampled_from(_PIECES)) + data[start:]
    if kind == 2:
        return data[:start] + draw(st.sampled_from(_PIECES)) + data[stop:]
    if kind == 3:
        times = draw(st.sampled_from([2, 3, 20, 1000, LARGEST]))
        times = min(times, max(1, (LARGEST - len(data)) // max(1, stop - start)))
        return data[:start] + data[start:stop] * times + data[stop:]
    if kind == 4:
        _, other, _ = draw(st.sampled_from(SAMPLES))
        first, last = _slices(draw, other)
        return data[:start] + other[first:last] + data[stop:]
    if kind == 5:
        first, last = _slices(draw, data)
        return data[:start] + data[first:last] + data[start:]
    return _with_another_value(draw, data)


@st.composite
def _mutations(draw: DrawFn, task: str) -> tuple[str, bytes]:
    own = [each for each in SAMPLES if each[2] == task]
    name, data, _ = draw(st.sampled_from(own or SAMPLES) | st.sampled_from(SAMPLES))
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 3, 6]))):
        data = _mutated(draw, data)[:LARGEST]
    if draw(st.integers(0, 9)) == 0:
        name = draw(st.sampled_from(_NAMES))
    if draw(st.integers(0, 29)) == 0:
        return name + ENDING, gzip.compress(data)
    return name, data


def files(task: str) -> SearchStrategy[tuple[str, bytes]]:
    """Names and contents: mostly samples, mutated, first those of the task; and bytes."""
    anything = st.tuples(st.sampled_from(_NAMES), st.binary(max_size=300))
    return st.one_of(_mutations(task), _mutations(task), _mutations(task), anything)


@cache
def _slowness() -> float:
    """How many times as long a loop takes here, in CPU seconds, as where the limits were set; at least 1."""

    def loop() -> float:
        started = time.process_time()
        for _ in range(500_000):
            pass
        return time.process_time() - started

    return max(1.0, min(loop() for _ in range(3)) / LOOP)


@contextmanager
def cpu_limit(seconds: float = SECONDS) -> Iterator[None]:
    """Ends what takes more CPU seconds, on a slow machine so many times more, by an AssertionError."""

    def late(*_: object) -> None:
        raise AssertionError(f"more than {seconds} CPU seconds")

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds * _slowness())
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
