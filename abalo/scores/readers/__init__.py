"""Readers of score files, one module each with ``READER``."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeGuard

from abalo.discovery import discover
from abalo.errors import AbaloError, visible
from abalo.files import LARGEST, read_bytes
from abalo.scores.rows import RUN, WEIGHT, PlacedRow, ScoreColumns, ScoreFile, collect

_MAGIC = b"\x1f\x8b"

_SAMPLES = "samples_"

SCORE_FILES = ("*.jsonl", "*.jsonl.gz", "*.csv", "*.eval", "*.json")
"""Files of a folder that may hold scores."""


@dataclass(frozen=True, slots=True)
class Content:
    """A file of scores: its path, its bytes, unpacked if it was packed by gzip, and its first value if it is JSON."""

    path: Path
    data: bytes
    first: Any = None

    @property
    def text(self) -> str:
        """The content as text, in UTF-8; raises `AbaloError`."""
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise AbaloError(
                f"{visible(self.path)}: not UTF-8 at byte {error.start}; expected text in UTF-8; save it as UTF-8"
            ) from error


@dataclass(frozen=True, slots=True)
class ScoreFileReader:
    """Reads the score files of one kind.

    Attributes:
        name: What wrote the file, such as ``Inspect``.
        reads: Whether it reads this content; the first reader by ``order`` that does is taken.
        read: The rows. Values of other columns can be named as clusters or slices.
        order: Lower is asked first.
    """

    name: str
    reads: Callable[[Content], bool]
    read: Callable[[Content], Iterable[PlacedRow]]
    order: int = 0


@cache
def score_readers() -> tuple[ScoreFileReader, ...]:
    """All readers in the order in which they are asked."""
    found = [reader for _, reader in discover(__name__, "READER")]
    return tuple(sorted(found, key=lambda reader: (reader.order, reader.name)))


def read_scores(path: Path, columns: ScoreColumns) -> ScoreFile:
    """Reads a file of scores, or all score files of a folder, or of the one folder in it that has any.

    In a folder, each file is a part such as a task, and its name without time stamps comes before the name of the
    metric; likewise that of ``samples_*.jsonl`` alone.

    Raises:
        AbaloError: A file that is missing, damaged, too large, of no known kind, or without scores.
    """
    if path.is_dir():
        return _read_folder(path, columns)
    content, reader = _opened(path)
    rows = reader.read(content)
    if path.name.startswith(_SAMPLES):
        rows = ((place, _of_part(part_of(path), values)) for place, values in rows)
    return collect(str(path), reader.name, rows, columns)


def has_logs(folder: Path) -> bool:
    """Whether a folder, or one in it, holds logs of a harness, by their names."""
    patterns = ("samples_*.jsonl", "*.eval", "*/samples_*.jsonl", "*/*.eval")
    return any(path.is_file() for pattern in patterns for path in folder.glob(pattern))


def _files_in(folder: Path) -> list[Path]:
    """The score files of a folder; of lm-eval, no results beside its samples."""
    paths = sorted({path for pattern in SCORE_FILES for path in folder.glob(pattern) if path.is_file()})
    return [path for path in paths if path.name.startswith(_SAMPLES)] or paths


def _read_folder(folder: Path, columns: ScoreColumns) -> ScoreFile:
    samples = _files_in(folder)
    if not samples:
        inner = sorted(path for path in folder.iterdir() if path.is_dir() and _files_in(path))
        if len(inner) == 1:
            return _read_folder(inner[0], columns)
        hint = f"; name one of its folders: {', '.join(visible(path.name) for path in inner)}" if inner else ""
        raise AbaloError(f"{visible(folder)}: holds no file of scores; expected {', '.join(SCORE_FILES)}{hint}")
    found: dict[str, list[PlacedRow]] = {}
    readers: dict[str, None] = {}
    for path in samples:
        content, reader = _opened(path)
        readers[reader.name] = None
        part = part_of(path)
        if part in found:
            raise AbaloError(
                f"{visible(path)}: a second file of {visible(part)!r} in this folder; expected one; keep the one that "
                "is to be judged"
            )
        found[part] = [*_named(part, path, reader.read(content))]
    rows = (record for records in found.values() for record in records)
    return collect(str(folder), ", ".join(readers), rows, columns)


def part_of(path: Path) -> str:
    """The part that a file of a folder holds: its name without ``samples_``, time stamp and endings."""
    stem = path.name.partition(".")[0].removeprefix(_SAMPLES)
    name, _, stamp = stem.rpartition("_")
    return name if name and stamp[:4].isdigit() and "T" in stamp else stem


def _named(part: str, path: Path, records: Iterable[PlacedRow]) -> Iterator[PlacedRow]:
    for place, values in records:
        where = f"{path.name} line {place}" if isinstance(place, int) else f"{path.name} {place}"
        yield where, _of_part(part, values)


def _of_part(part: str, values: Mapping[str, object]) -> Mapping[str, object]:
    return {**values, "metric": f"{part}/{values.get('metric') or 'score'}"}


def _opened(path: Path) -> tuple[Content, ScoreFileReader]:
    try:
        data = read_bytes(path)
    except FileNotFoundError:
        raise AbaloError(f"{visible(path)}: no such file; expected a file of scores") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise AbaloError(f"{visible(path)}: cannot be read: {visible(reason)}; expected a file of scores") from error
    content = Content(path, _unpacked(data, path))
    content = Content(path, content.data, _first_value(content.data))
    reader = next((each for each in score_readers() if each.reads(content)), None)
    if reader is None:
        kinds = ", ".join(each.name for each in score_readers())
        raise AbaloError(
            f"{visible(path)}: no file of scores that is known; expected {kinds}; write JSON Lines with id and score"
        )
    return content, reader


def _unpacked(data: bytes, path: Path) -> bytes:
    if not data.startswith(_MAGIC):
        return data
    try:
        with gzip.open(path) as stream:
            found = stream.read(LARGEST + 1)
    except (EOFError, OSError, zlib.error) as error:
        raise AbaloError(f"{visible(path)}: the gzip in it is damaged ({visible(error)}); fetch it again") from error
    if len(found) > LARGEST:
        raise AbaloError(f"{visible(path)}: larger than {LARGEST:,} bytes when unpacked; expected at most that many")
    return found


def _first_value(data: bytes) -> Any:
    """The first JSON value of a file: its first line, or all of it; None if it has none."""
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start[:1] not in (b"{", b"["):
        return None
    line = start.split(b"\n", 1)[0]
    for part in (line, start):
        try:
            return json.loads(part)
        except (ValueError, RecursionError):
            continue
    return None


def fields_of(value: object) -> Mapping[str, Any]:
    """The fields of an example in a log, which can be named as columns; none if it is no JSON object.

    Fields ``weight`` and ``run`` are left out: they belong to the text of others, and no score is weighted by them.
    """
    return {name: each for name, each in value.items() if name not in (WEIGHT, RUN)} if is_record(value) else {}


def is_record(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether a value is a JSON object."""
    return isinstance(value, Mapping)
