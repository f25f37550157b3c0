"""Prints on streams of any encoding: what a stream lacks is written in plain characters, or escaped."""

from __future__ import annotations

import codecs
import sys
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import TextIOWrapper

PLAIN, ESCAPED = "abalo.plain", "abalo.escaped"
"""Error handlers: our own signs in ASCII and the rest escaped, or all escaped as JSON does."""

_OF_FORMATS = {"json": ESCAPED, "html": "xmlcharrefreplace"}

_PLAIN: Mapping[str, str] = {
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "→": "->",
    "⇒": "=>",
    "↑": "^",
    "−": "-",
    "–": "-",
    "—": "-",
    "‐": "-",
    "‑": "-",
    "‒": "-",
    "·": "-",
    "±": "+-",
    "×": "x",
    "÷": "/",
    "‰": "/1000",
    "✓": "+",
    "✗": "x",
    "«": "<<",
    "»": ">>",
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
    "„": '"',
    "…": "...",
    "§": "section ",
    "°": " degrees",
    "€": "EUR",
    "£": "GBP",
    "␣": "_",
    "▲": "^",
    "▽": "v",
    **{bar: str(number) for number, bar in enumerate("▁▂▃▄▅▆▇█", start=1)},
}


def _escaped(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def _plain(char: str) -> str:
    if char in _PLAIN:
        return _PLAIN[char]
    simple = unicodedata.normalize("NFKC", char)
    return simple if simple.isascii() else _escaped(char)


def _handler(of: object, error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError) or not callable(of):
        raise error
    return "".join(map(of, error.object[error.start : error.end])), error.end


codecs.register_error(PLAIN, lambda error: _handler(_plain, error))
codecs.register_error(ESCAPED, lambda error: _handler(_escaped, error))


@contextmanager
def on_any_encoding(form: str = "text") -> Iterator[None]:
    """Inside, printing never fails for a character that a standard stream lacks; JSON and HTML keep their meaning."""
    errors = _OF_FORMATS.get(form, PLAIN)
    streams = [each for each in (sys.stdout, sys.stderr) if isinstance(each, TextIOWrapper)]
    before = [each.errors for each in streams]
    try:
        for each in streams:
            each.reconfigure(errors=errors)
        yield
    finally:
        for each, own in zip(streams, before, strict=True):
            if not each.closed:
                each.reconfigure(errors=own or "strict")
