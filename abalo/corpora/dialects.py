"""How a table is written: its separator, its quotation marks, and the names of its columns."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

_LARGEST_CELL = 2**31 - 1
"""The largest limit on the characters of a cell that csv accepts on every platform."""


def dialect(line: str) -> dict[str, Any]:
    """How csv reads a table that begins with this line: with tabs, a quotation mark is a sign like any other."""
    delimiter = "\t" if "\t" in line else max(",;", key=line.count)
    quoting = csv.QUOTE_NONE if delimiter == "\t" else csv.QUOTE_MINIMAL
    return {"delimiter": delimiter, "quoting": quoting, "strict": True}


def are_quoted(lines: Sequence[str]) -> bool:
    """Whether cells between tabs are quoted as in CSV, as pandas and spreadsheets write those with quotation marks.

    All cells with a quotation mark are then quoted, and one has a doubled mark inside.
    """
    quoted = [cell.strip() for line in lines if '"' in line for cell in line.split("\t") if '"' in cell]
    inner = [cell[1:-1] for cell in quoted if len(cell) > 1 and cell[0] == cell[-1] == '"']
    doubled = sum('""' in cell for cell in inner)
    return doubled > 0 and len(inner) == len(quoted) and all('"' not in cell.replace('""', "") for cell in inner)


def rows(lines: Iterable[str], **rules: Any) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row, with the number of lines read up to its end; cells may have any length.

    ``rules`` are those of `csv.reader`. Raises `csv.Error` if a quotation mark is never closed.
    """
    csv.field_size_limit(_LARGEST_CELL)
    reader = csv.reader(lines, **rules)
    return ((reader.line_num, cells) for cells in reader)


def twice(names: Sequence[str]) -> str | None:
    """The first name that a header gives to two columns; None if there is none. Columns without a name do not count."""
    return next((name for k, name in enumerate(names) if name and name in names[:k]), None)
