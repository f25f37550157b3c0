"""CSV for spreadsheets, with accents and without formulas."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from abalo.corpora import dialects
from abalo.corpora.findings import show_value
from abalo.errors import AbaloError
from abalo.files import read_bytes

_FORMULA = r"""(?<![^;\t\r\n]){apostrophe}(?=[\s'"]*[=+\-@＝＋－＠\t\r])"""
"""Also after separators and line breaks within a cell."""

_UNGUARDED = re.compile(_FORMULA.format(apostrophe=""))
_GUARDED = re.compile(_FORMULA.format(apostrophe="'"))
_SEPARATORS = (",", ";", "\t")
"""Abalo writes commas; spreadsheets may save the others."""


@dataclass(frozen=True, slots=True)
class CsvRow:
    """A row's cells, and its first line in the file, from 1."""

    line: int
    cells: tuple[str, ...]


def guard(text: str) -> str:
    """Adds an apostrophe before text that a spreadsheet could run as a formula.

    Formulas begin with ``= + - @``, a full-width form of these, a tab or a carriage return.
    """
    return _UNGUARDED.sub("'", text)


def unguard(cell: str) -> str:
    """Undoes `guard`."""
    return _GUARDED.sub("", cell)


def to_csv(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Formats a table with guarded cells; non-ASCII tables begin with a byte order mark."""
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows([columns, *(map(guard, row) for row in rows)])
    text = stream.getvalue()
    return text if text.isascii() else f"\ufeff{text}"


def read_csv(path: Path, columns: Sequence[str]) -> list[CsvRow]:
    """Reads these columns with guards undone, without empty rows.

    Raises `AbaloError` if the file is not a UTF-8 table or has a column twice.
    """
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except OSError as error:
        raise AbaloError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise AbaloError(f"{path}: byte {error.start + 1} is not UTF-8; save the file as CSV in UTF-8") from error
    header, count = text.partition("\n")[0].replace('"', ""), len(columns)
    separator = next((mark for mark in _SEPARATORS if header.startswith(mark.join(columns))), None)
    if separator is None:
        raise AbaloError(f"{path}:1: {show_value(header)}; expected the columns {', '.join(columns)}")
    rows, line = list[CsvRow](), 1
    try:
        for ended, cells in dialects.rows(io.StringIO(text, newline=""), delimiter=separator, strict=True):
            if not rows and (name := dialects.twice([*map(str.strip, cells)])):
                raise AbaloError(f"{path}:{line}: the column {show_value(name)} is there twice; remove one of the two")
            if any(map(str.strip, cells)):
                rows.append(CsvRow(line, tuple(map(unguard, [*cells, *[""] * count][:count]))))
            line = ended + 1
    except csv.Error as error:
        raise AbaloError(f"{path}:{line}: not CSV: {error}; save the file as CSV in UTF-8") from error
    return rows[1:]
