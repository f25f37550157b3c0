"""Chunks: consecutive records of a file."""

from __future__ import annotations

import csv
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal, get_args

from abalo.core.protocols.corpus_spec import asked_reader
from abalo.corpora import dialects
from abalo.corpora.conll import DOCUMENT_START
from abalo.corpora.dialects import dialect
from abalo.corpora.encodings import encoding_of, text_of
from abalo.corpora.findings import Findings, is_lenient, show_value
from abalo.corpora.json_text import is_json, records
from abalo.corpora.unpacking import format_ending, is_packed
from abalo.corpora.xml_text import ENDING as XML
from abalo.errors import AbaloError, visible
from abalo.files import is_file, refuse_devices

FileKind = Literal["blocks", "lines", "table", "rows"]
"""Blocks between empty lines, JSON lines, table, Parquet."""

_IN_WORDS: dict[FileKind, str] = {
    "blocks": "a CoNLL file",
    "lines": "JSON lines",
    "table": "a table with tabs or commas",
    "rows": "Parquet",
}

_SNIFFED = 2**16
_PARQUET = b"PAR1"

End = tuple[int, int]
"""Bytes and lines up to a record's end; for Parquet, rows."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes, or Parquet rows, ``start`` to ``stop`` (exclusive), after ``before`` lines or rows."""

    path: Path
    kind: FileKind
    start: int
    stop: int
    before: int

    def findings(self, source: str) -> Findings:
        """An empty `Findings` with places in the whole file."""
        return Findings(source, is_lenient(source), before=self.before - self._head().count(b"\n"))

    def text(self, findings: Findings) -> str:
        """The text; tables start with the file's first line."""
        try:
            with self.path.open("rb") as file:
                file.seek(self.start)
                data = self._head() + file.read(self.stop - self.start)
        except OSError as error:
            raise AbaloError(f"{self.path}: cannot be read: {error.strerror or error}; put it back") from error
        return text_of(data, findings)

    def records(self, findings: Findings, columns: Sequence[str] | None = None) -> Iterator[tuple[int, object]]:
        """JSON values or Parquet rows, with places from 1."""
        return (
            enumerate(self._rows(columns), start=1) if self.kind == "rows" else records(self.text(findings), findings)
        )

    def _rows(self, names: Sequence[str] | None) -> Iterator[dict[str, object]]:
        table = _parquet(self.path)
        there = table.schema_arrow.names
        if name := dialects.twice(there):
            raise AbaloError(f"{self.path}: the column {show_value(name)} is there twice; expected it once; rename one")
        columns = there if names is None else [name for name in names if name in there]
        first = 0
        for group in range(table.num_row_groups):
            rows = table.metadata.row_group(group).num_rows
            if first < self.stop and self.start < first + rows:
                found = table.read_row_group(group, columns=columns)
                begin, end = max(0, self.start - first), min(rows, self.stop - first)
                yield from found.slice(begin, end - begin).to_pylist()
            first += rows

    def _head(self) -> bytes:
        if self.kind != "table" or not self.start:
            return b""
        head = b""
        with self.path.open("rb") as file:
            for line in file:
                head += line
                if line.strip():
                    break
        return head


def kind_of(path: Path, spec: str, kinds: Sequence[FileKind]) -> FileKind:
    """How to cut a file; raises `AbaloError` if none of ``kinds`` fits."""
    expected = f"expected {_any_of(kinds)}, not packed, in UTF-8"
    if (found_by := asked_reader(str(path))) is not None:
        name = found_by[0].name
        raise AbaloError(f"{spec}: is read by the reader {name}, so it cannot be read in parts; {expected}")
    try:
        refuse_devices(path)
        with path.open("rb") as file:
            begin = file.read(_SNIFFED)
    except (OSError, ValueError) as error:  # a null byte in the name
        why = getattr(error, "strerror", None) or error
        raise AbaloError(f"{visible(spec)}: cannot be read: {why}; {expected}") from error
    if path.name.lower().endswith(XML) or begin.removeprefix(BOM_UTF8).lstrip().startswith((b"<?xml", b"<tmx")):
        raise AbaloError(f"{spec}: is XML, which cannot be read in parts; write it as {_any_of(kinds)}")
    if is_packed(begin):
        raise AbaloError(f"{spec}: is packed, so it cannot be read in parts; unpack it first (gunzip)")
    found = _sniff_kind(begin, path, spec, "table" if "table" in kinds else "blocks")
    if found not in kinds:
        raise AbaloError(f"{spec}: is {_IN_WORDS[found]}; {expected}; write it as one of these")
    return found


def _any_of(kinds: Sequence[FileKind]) -> str:
    return " or ".join(_IN_WORDS[kind] for kind in kinds)


def is_parquet(path: Path) -> bool:
    """Whether a file is Parquet; False if unreadable."""
    if not is_file(path):
        return False
    try:
        with path.open("rb") as file:
            return file.read(len(_PARQUET)) == _PARQUET
    except OSError:
        return False


def _sniff_kind(begin: bytes, path: Path, spec: str, otherwise: FileKind) -> FileKind:
    if begin.startswith(_PARQUET):
        return "rows"
    if encoding_of(begin) != "utf-8-sig":
        raise AbaloError(f"{spec}: is not in UTF-8, so it cannot be read in parts; save it as UTF-8")
    text = begin.decode("utf-8", "replace").removeprefix("\ufeff")
    if not is_json(text, format_ending(path.name)):
        return otherwise
    if text.lstrip().startswith("["):
        raise AbaloError(f"{spec}: is an array, which cannot be read in parts; write an object on each line")
    if text.lstrip().partition("\n")[0].strip() == "{":
        raise AbaloError(f"{spec}: is one object, which cannot be read in parts; write an object on each line")
    return "lines"


def as_kind(name: str) -> FileKind:
    """The kind with this name."""
    return next(kind for kind in get_args(FileKind) if kind == name)


def ends(path: Path, kind: FileKind) -> Iterator[End]:
    """Each record's end; comment blocks and headers count."""
    if kind == "rows":
        return ((row, row) for row in range(1, _parquet(path).metadata.num_rows + 1))
    return _of_tables(path) if kind == "table" else _of_lines(path, kind)


def _of_lines(path: Path, kind: FileKind) -> Iterator[End]:
    place = line = 0
    inside = False
    with path.open("rb") as file:
        for text in file:
            place, line = place + len(text), line + 1
            blank = not text.strip() or (kind == "blocks" and text.startswith(DOCUMENT_START.encode()))
            if not blank if kind == "lines" else blank and inside:
                yield place, line
            inside = not blank
    if inside and kind == "blocks":
        yield place, line


def _of_tables(path: Path) -> Iterator[End]:
    place = line = 0

    def lines(file: BinaryIO) -> Iterator[str]:
        nonlocal place, line
        for text in file:
            place, line = place + len(text), line + 1
            yield text.decode("utf-8", "replace")

    with path.open("rb") as file:
        first = next((text for text in file if text.strip()), b"").decode("utf-8", "replace")
        file.seek(0)
        try:
            for _, cells in dialects.rows(lines(file), **dialect(first)):
                if any(cell.strip() for cell in cells):
                    yield place, line
        except csv.Error:
            for _ in lines(file):
                pass
            yield place, line


def _parquet(path: Path) -> Any:
    try:
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise AbaloError(f"{path}: Parquet needs pyarrow: pip install 'abalo[parquet]'") from None
    try:
        return ParquetFile(path)
    except (OSError, ValueError) as error:
        raise AbaloError(f"{path}: no Parquet file that can be read: {error}") from error
