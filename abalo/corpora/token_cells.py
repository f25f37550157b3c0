"""The lines of a table of tokens as cells: columns behind spaces and tabs, tabs alone, commas or semicolons."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence

from abalo.corpora import dialects
from abalo.corpora.schemes import looks_like_tag
from abalo.corpora.token_columns import Cells, names_tokens

_CELL = re.compile(r"[^ \t]+")
_SIGNS = (",", ";")
_LINES = 2000
"""How many lines tell the sign between columns."""

_MOST = 0.9


def rows_of(lines: Sequence[str]) -> list[Cells]:
    """The cells of each line; none for a line that separates sentences.

    Columns are separated by spaces and tabs; by tabs alone where most lines that have a tab have no space; by commas or
    semicolons where a first line of that form names tokens and tags, or nearly all lines end in such a sign and a tag.
    """
    sign = _sign(lines)
    if sign is not None:
        return [_between(line, sign) for line in lines]
    with_tab = [line for line in lines if "\t" in line]
    if 2 * sum(" " in line for line in with_tab) < len(with_tab):
        return [_between_tabs(line) for line in lines]
    return [_CELL.findall(line) for line in lines]


def _sign(lines: Sequence[str]) -> str | None:
    """The comma or semicolon between the columns; None for white space."""
    told = [line for line in lines[:_LINES] if line.strip()]
    if not told or any("\t" in line for line in told):
        return None
    for sign in _SIGNS:
        if names_tokens(_between(told[0], sign)):
            return sign
        rows = [cells for line in told if (cells := _between(line, sign))]
        widths = Counter(map(len, rows))
        width, share = max(widths.items(), key=lambda each: each[1], default=(0, 0))
        tagged = sum(looks_like_tag(cells[-1]) for cells in rows if len(cells) == width)
        in_columns = sum(len(_CELL.findall(line)) > 1 for line in told)
        if width > 1 and min(share, tagged) >= _MOST * len(rows) and 2 * in_columns < len(told):
            return sign
    return None


def _between(line: str, sign: str) -> Cells:
    """The cells between signs, which may be quoted; none where all are empty, or where a quotation mark stays open."""
    try:
        _, cells = next(dialects.rows([line], delimiter=sign, strict=True), (0, []))
    except csv.Error:
        cells = line.split(sign)
    cells = [cell.strip() for cell in cells]
    return cells if any(cells) else []


def _between_tabs(line: str) -> Cells:
    if "\t" in line:
        return [cell.strip(" ") for cell in line.split("\t")]
    return [line] if line.startswith("# ") and " = " in line else _CELL.findall(line)
