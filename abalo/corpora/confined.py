"""Reads files from strangers within strict limits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from abalo.corpora.files import suggest_path
from abalo.errors import AbaloError, visible

LARGEST = 16 * 2**20
"""In bytes."""


def read_confined(
    path: str | Path, endings: Sequence[str], *, root: str | Path | None = None, largest: int = LARGEST
) -> bytes:
    """Reads a regular file of at most ``largest`` bytes.

    Its name, also behind a link, must end in one of ``endings``, in any case. The resolved path must lie in ``root``,
    if given.
    """
    place = _follow(path, None if root is None else _folder(root))
    try:
        if not place.exists():
            raise AbaloError(f"{visible(path)}: no such file{suggest_path(place) if root is None else ''}")
        _check_endings(path, place, endings)
        if place.is_dir():
            raise AbaloError(
                f"{visible(path)}: a folder; expected a file; give one of those in it that end in "
                f"{_list_endings(endings)}"
            )
        if not place.is_file():
            raise AbaloError(f"{visible(path)}: no regular file; expected one; save it as one")
        with place.open("rb") as stream:
            data = stream.read(largest + 1)
    except OSError as error:
        raise AbaloError(f"{visible(path)}: cannot be read: {error.strerror or error}") from error
    if len(data) > largest:
        raise AbaloError(f"{visible(path)}: larger than {largest:,} bytes; expected at most that many; split the file")
    return data


def _folder(root: str | Path) -> Path:
    try:
        folder = Path(root).resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise AbaloError(f"{visible(root)}: cannot be the folder that files must lie in: {visible(error)}") from error
    if not folder.is_dir():
        raise AbaloError(f"{visible(root)}: no folder; expected the one that files must lie in")
    return folder


def _follow(path: str | Path, folder: Path | None) -> Path:
    try:
        place = (Path(path) if folder is None else folder / path).resolve()
    except (OSError, RuntimeError, ValueError) as error:  # a link to itself, a null byte
        raise AbaloError(f"{visible(path)}: leads nowhere: {visible(error)}; give the path of a file") from error
    if folder is not None and not place.is_relative_to(folder):
        raise AbaloError(f"{visible(path)}: leads out of {visible(folder)}; expected a file inside; copy it there")
    return place


def _check_endings(path: str | Path, place: Path, endings: Sequence[str]) -> None:
    for name in (Path(path).name, place.name):
        if not name.lower().endswith(tuple(endings)):
            found = Path(name).suffix or "no ending"
            raise AbaloError(
                f"{visible(path)}: ends in {visible(found)}; expected {_list_endings(endings)}; "
                "save it as JSON lines, one question a line"
            )


def _list_endings(endings: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(endings[:-1]), endings[-1])))
