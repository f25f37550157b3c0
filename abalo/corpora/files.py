"""Reads text files that users name."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from abalo.core.protocols.corpus_spec import Reader, asked_reader
from abalo.core.records.tally import Tally
from abalo.corpora.encodings import text_of
from abalo.corpora.findings import Findings, show_value
from abalo.corpora.foreign import refuse_binary, refuse_brat, refuse_text
from abalo.corpora.unpacking import unpack
from abalo.errors import AbaloError, visible
from abalo.files import is_file, read_bytes
from perturbations.suggestions import did_you_mean


def read_text(path: Path, findings: Findings) -> str:
    """The text of a file, unpacked, without byte order mark; what a reader makes of it, as JSON lines.

    Reports invalid UTF-8 by line; U+FFFD replaces it.
    """
    if (read := records_by_reader(str(path), findings.tally)) is not None:
        lines = []
        findings.joint = " record "
        for place, line in read:
            findings.places.append(place)
            lines.append(line)
        return "".join(lines)
    data = unpack(_read_bytes(path), path)
    refuse_binary(data, path)
    text = text_of(data, findings)
    refuse_brat(path)
    refuse_text(text, path)
    return text


def records_by_reader(source: str, tally: Tally) -> Iterator[tuple[str, str]] | None:
    """The records that the reader of a source makes, as lines of JSON with their places.

    Raises `AbaloError` also for what is no record, and if the reader fails.
    """
    found = asked_reader(source)
    return None if found is None else _records(source, *found, tally)


def _records(
    source: str, reader: Reader, path: str, settings: Mapping[str, Any], tally: Tally
) -> Iterator[tuple[str, str]]:
    if not _exists(Path(path)):
        near = did_you_mean(Path(path).name, _files_in(Path(path).parent))
        raise AbaloError(f"{visible(source)}: no such file or folder; expected {reader.meaning}{near}")
    place = None
    try:
        for place, record in reader.read(Path(path), settings, tally):
            yield place, _line(record, place)
    except AbaloError as error:
        told = str(error)
        raise AbaloError(told if told.startswith(path) else f"{visible(source)}, {told}") from error
    except Exception as error:
        told = f"{type(error).__name__}: {visible(error)}"
        raise AbaloError(f"{visible(source)}: the reader {reader.name!r} failed: {told}; correct it") from error
    if place is None:
        raise AbaloError(f"{visible(source)}: nothing that the reader {reader.name!r} reads; expected {reader.meaning}")


def _line(record: object, place: str) -> str:
    if not isinstance(record, Mapping):
        raise AbaloError(f"{place}: {show_value(record)}; expected a dictionary")
    return json.dumps(record) + "\n"


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # no permission, no path
        return False


def is_there(source: str) -> bool:
    """Whether the file of a source, or what its reader reads, exists."""
    found = asked_reader(source)
    return is_file(Path(source)) if found is None else _exists(Path(found[1]))


def _read_bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise AbaloError(_is_a_folder(path))
        return read_bytes(path)
    except FileNotFoundError:
        raise AbaloError(f"{path}: no such file{suggest_path(path)}") from None
    except (OSError, ValueError) as error:  # a null byte in the name
        raise AbaloError(f"{visible(path)}: cannot be read: {getattr(error, 'strerror', None) or error}") from error


def _is_a_folder(path: Path) -> str:
    names = _files_in(path)
    holding = f"; it holds {', '.join(names[:5])}{', …' if len(names) > 5 else ''}" if names else ""
    return (
        f"{path}: a folder; expected a CoNLL or JSON file{holding}; "
        f"give one of its files, or hub:{path}:<split> for a data set"
    )


def suggest_path(path: Path) -> str:
    """The end of an error about a missing file."""
    if not path.parent.is_dir():
        return f"; there is no folder {path.parent} either"
    near = did_you_mean(path.name, _files_in(path.parent))
    return near or "; expected a CoNLL or JSON file, bundled:<name> or hub:<dataset>:<split>"


def _files_in(folder: Path) -> list[str]:
    try:
        return sorted(child.name for child in folder.iterdir() if child.is_file())
    except OSError:
        return []
