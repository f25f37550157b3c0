"""CSV as spreadsheet programs take it: accents are read, nothing in a cell is run."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from abalo.corpora import dialects
from abalo.corpora.findings import shown
from abalo.errors import AbaloError
from abalo.files import read_bytes

_FORMULA = r"""(?<![^;\t\r\n]){apostrophe}(?=[\s'"]*[=+\-@＝＋－＠\t\r])"""
"""Where a cell may begin with a formula: also after a semicolon, tab or line break, for a program that splits there."""

_UNGUARDED = re.compile(_FORMULA.format(apostrophe=""))
_GUARDED = re.compile(_FORMULA.format(apostrophe="'"))
_SEPARATORS = (",", ";", "\t")
"""The comma is ours; spreadsheet programs save with the others where the comma is the decimal sign."""


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a row that begins on this line of the file, counted from 1."""

    line: int
    cells: tuple[str, ...]


def guarded(text: str) -> str:
    """The text as a cell that no spreadsheet program runs as a formula; `unguarded` gives any text back.

    An apostrophe is put before what begins with ``= + - @``, one of their full-width forms, a tab or a carriage return,
    also after white space, apostrophes and quotation marks.
    """
    return _UNGUARDED.sub("'", text)


def unguarded(cell: str) -> str:
    """The text that `guarded` made the cell of."""
    return _GUARDED.sub("", cell)


def to_csv(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The table with guarded cells; in ASCII, or after the byte order mark by which spreadsheet programs know UTF-8."""
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows([columns, *(map(guarded, row) for row in rows)])
    text = stream.getvalue()
    return text if text.isascii() else f"\ufeff{text}"


def read_csv(path: Path, columns: Sequence[str]) -> list[Row]:
    """The rows under these columns, their guards undone; without empty rows and what stands in further columns.

    Raises `AbaloError` where the file is no such table, in UTF-8, with commas, semicolons or tabs between cells, and
    where it has a column twice.
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
        raise AbaloError(f"{path}:1: {shown(header)}; expected the columns {', '.join(columns)}")
    rows, line = list[Row](), 1
    try:
        for ended, cells in dialects.rows(io.StringIO(text, newline=""), delimiter=separator, strict=True):
            if not rows and (name := dialects.twice([*map(str.strip, cells)])):
                raise AbaloError(f"{path}:{line}: the column {shown(name)} is there twice; remove one of the two")
            if any(map(str.strip, cells)):
                rows.append(Row(line, tuple(map(unguarded, [*cells, *[""] * count][:count]))))
            line = ended + 1
    except csv.Error as error:
        raise AbaloError(f"{path}:{line}: not CSV: {error}; save the file as CSV in UTF-8") from error
    return rows[1:]
