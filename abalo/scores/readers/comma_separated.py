"""CSV and TSV with a line of column names."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from abalo.errors import AbaloError, visible
from abalo.scores.readers import Content, ScoreFileReader
from abalo.scores.rows import PlacedRow

_ENDINGS = (".csv", ".tsv", ".csv.gz", ".tsv.gz")

_LONGEST = 2**24
"""Characters of a cell."""


def _reads(content: Content) -> bool:
    return content.path.name.lower().endswith(_ENDINGS)


def _read(content: Content) -> Iterator[PlacedRow]:
    text = content.text
    head = text.partition("\n")[0]
    delimiter = max("\t;,", key=head.count)
    csv.field_size_limit(_LONGEST)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        names = [name.strip() for name in next(rows, [])]
        _check(content, names)
        for row in rows:
            if not row:
                continue
            if len(row) != len(names):
                raise AbaloError(
                    f"{visible(content.path)} line {rows.line_num}: {len(row)} cells; expected {len(names)}, one for "
                    "each column name in the first line"
                )
            yield rows.line_num, dict(zip(names, row, strict=True))
    except csv.Error as error:
        raise AbaloError(
            f"{visible(content.path)} line {rows.line_num}: not CSV: {visible(error)}; expected cells in quotes or "
            "without"
        ) from error


def _check(content: Content, names: list[str]) -> None:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None or not any(names):
        wrong = "no column names" if twice is None else f"the column {visible(twice)!r} is there twice"
        raise AbaloError(f"{visible(content.path)} line 1: {wrong}; expected names such as id,score")


READER = ScoreFileReader("CSV", _reads, _read, order=8)
