"""Splits token tables into cells."""

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

_MOST = 0.9


def rows_of(lines: Sequence[str]) -> list[Cells]:
    """The cells of each line; empty between sentences.

    Tabs separate if most lines with a tab lack spaces; commas or semicolons if the header or nearly all lines use them.
    """
    sign = _sign(lines)
    if sign is not None:
        return [_between(line, sign) for line in lines]
    with_tab = [line for line in lines if "\t" in line]
    if 2 * sum(" " in line for line in with_tab) < len(with_tab):
        return [_between_tabs(line) for line in lines]
    return [_CELL.findall(line) for line in lines]


def _sign(lines: Sequence[str]) -> str | None:
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
