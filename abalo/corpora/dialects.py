"""Table dialects."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

_LARGEST_CELL = 2**31 - 1
"""Limit of csv on every platform."""


def dialect(line: str) -> dict[str, object]:
    """The csv rules for a first line; tabs disable quoting."""
    delimiter = "\t" if "\t" in line else max(",;", key=line.count)
    quoting = csv.QUOTE_NONE if delimiter == "\t" else csv.QUOTE_MINIMAL
    return {"delimiter": delimiter, "quoting": quoting, "strict": True}


def are_quoted(lines: Sequence[str]) -> bool:
    """Whether tab-separated cells are quoted, as pandas does."""
    quoted = [cell.strip() for line in lines if '"' in line for cell in line.split("\t") if '"' in cell]
    inner = [cell[1:-1] for cell in quoted if len(cell) > 1 and cell[0] == cell[-1] == '"']
    doubled = sum('""' in cell for cell in inner)
    return doubled > 0 and len(inner) == len(quoted) and all('"' not in cell.replace('""', "") for cell in inner)


def rows(lines: Iterable[str], **rules: Any) -> Iterator[tuple[int, list[str]]]:
    """Cells of any length per row, with the lines read so far.

    ``rules`` go to `csv.reader`; raises `csv.Error` for an unclosed quotation mark.
    """
    csv.field_size_limit(_LARGEST_CELL)
    reader = csv.reader(lines, **rules)
    return ((reader.line_num, cells) for cells in reader)


def twice(names: Sequence[str]) -> str | None:
    """The first duplicate column name."""
    return next((name for name, number in Counter(names).items() if name and number > 1), None)
