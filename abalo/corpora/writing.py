"""Writes records with notes as JSON lines or tables."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from abalo.core.protocols.task import AnyCorpus, Writer
from abalo.core.records.example import Example
from abalo.core.records.json_records import Json
from abalo.corpora.encodings import is_unicode
from abalo.corpora.findings import show_value
from abalo.corpora.tables import SEPARATOR
from abalo.errors import AbaloError
from abalo.files import write_bytes

LINES = ".jsonl"

_BREAKS_TABS = ("\t", "\n", "\r")

Records = Sequence[Json]


def write_lines(records: Records, path: Path) -> None:
    """Writes records as JSON lines."""
    lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in records]
    _check_unicode(lines, path)
    write_bytes(path, "".join(lines).encode("utf-8"))


def write_table(records: Records, path: Path) -> None:
    """Writes a table without ``edits``; ``|`` joins lists.

    Raises `AbaloError` for what no reader restores: a lone surrogate, ``|`` in a list, a tab or line break in ``.tsv``.
    """
    columns = dict.fromkeys(name for record in records for name in record if name != "edits")
    for number, record in enumerate(records, start=1):
        for value in record.values():
            if isinstance(value, list) and (broken := next((each for each in value if SEPARATOR in str(each)), None)):
                raise AbaloError(
                    f"{path}: example {number} has {show_value(broken)} in a list, whose members a table has with "
                    f"{SEPARATOR!r} between; write {LINES}"
                )
    rows = [[_cell(record.get(name)) for name in columns] for record in records]
    if path.suffix.lower() == ".tsv":
        for number, row in enumerate(rows, start=1):
            for cell in row:
                if any(each in cell for each in _BREAKS_TABS):
                    raise AbaloError(
                        f"{path}: example {number} has {show_value(cell)}, with a tab or line break, which a table "
                        f"with "
                        f"tabs cannot hold; write {LINES} or .csv"
                    )
        text = "".join("\t".join(row) + "\n" for row in [list(columns), *rows])
    else:
        stream = io.StringIO(newline="")
        csv.writer(stream).writerows([list(columns), *rows])
        text = stream.getvalue()
    _check_unicode(text.split("\n"), path)
    write_bytes(path, text.encode("utf-8"))


def writers_of(record: Callable[[Example], Mapping[str, object]], *, tables: bool = True) -> Mapping[str, Writer]:
    """Writers by file ending; the ``record`` follows the notes."""

    def by(write: Callable[[Records, Path], None]) -> Writer:
        def written(_corpus: AnyCorpus, examples: Sequence[Example], path: Path, notes: Records) -> None:
            if not examples:
                raise AbaloError(f"{path}: no example to write")
            pairs = zip(examples, notes or [{}] * len(examples), strict=True)
            write([{**note, **record(example)} for example, note in pairs], path)

        return written

    lines = {LINES: by(write_lines)}
    return {**lines, ".tsv": by(write_table), ".csv": by(write_table)} if tables else lines


def _cell(value: object) -> str:
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return SEPARATOR.join(value)
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _check_unicode(lines: Sequence[str], path: Path) -> None:
    for number, line in enumerate(lines, start=1):
        if not is_unicode(line):
            raise AbaloError(f"{path}: line {number} holds half of a surrogate pair; correct it")
