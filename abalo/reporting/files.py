"""The report folder: files appear whole or not at all."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from abalo.errors import AbaloError
from abalo.reporting.markdown import markdown
from abalo.reporting.selection import Json

JSON_NAME = "robustness.json"
MARKDOWN_NAME = "robustness.md"

DECIMALS = 6
"""Places that numbers keep in robustness.json: finer than any interval of a few hundred sentences."""


_ELSEWHERE = "make the folder writable or choose another with --abalo-reports DIR"


def write_json(document: Json, folder: Path) -> Path:
    """The path of robustness.json, written in UTF-8 with its keys in the document's order.

    Floats are rounded to `DECIMALS` places; NaN and infinities become null; a lone surrogate, which UTF-8 cannot hold,
    becomes its JSON escape. Raises `AbaloError` where the folder cannot be written.
    """
    path = folder / JSON_NAME
    write_text(json.dumps(_plain(document), ensure_ascii=False, allow_nan=False, indent=1) + "\n", path, _ELSEWHERE)
    return path


def write_markdown(document: Json, folder: Path) -> Path:
    """The path of robustness.md; raises `AbaloError` where the folder cannot be written."""
    path = folder / MARKDOWN_NAME
    write_text(markdown(document), path, _ELSEWHERE)
    return path


def check_writable(folder: Path) -> None:
    """Make the folder and try to write there, so that a run fails before its work, not after.

    Raises `AbaloError` where that cannot be done.
    """
    probe = _temporary(folder / JSON_NAME)
    with _explained(folder, _ELSEWHERE):
        folder.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()


def write_text(text: str, path: Path, remedy: str = "make its folder writable or choose another place") -> None:
    """Give ``path`` this content in a single step, in UTF-8, making its folder; a failure leaves the old file whole.

    Raises `AbaloError`, ending in ``remedy``, where that cannot be done.
    """
    temporary = _temporary(path)
    with _explained(path, remedy):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with temporary.open("wb") as stream:
                # The escape of a lone surrogate is the same in Python as in JSON: \ud800.
                stream.write(text.encode("utf-8", "backslashreplace"))
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def _temporary(path: Path) -> Path:
    """A name in the same folder, since a file moves in one step only within its file system."""
    return path.with_name(f".{path.name}.{os.getpid()}")


@contextmanager
def _explained(path: Path, remedy: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        folders = path.parents if path.suffix else (path, *path.parents)
        blocked = next((place for place in folders if place.exists() and not place.is_dir()), None)
        reason = f"{blocked} is a file, not a folder" if blocked else error.strerror or str(error)
        raise AbaloError(f"{path}: cannot be written: {reason}; {remedy}") from error


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DECIMALS) + 0.0 if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
