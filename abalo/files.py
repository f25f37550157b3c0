"""Files written whole or not at all, and read if they are regular files of a size that memory can hold."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from abalo.errors import AbaloError, visible

REMEDY = "make its folder writable or choose another place"

LARGEST = 4 * 2**30
"""The default limit on the bytes of a file that is read whole."""


def write_bytes(path: Path, data: bytes, remedy: str = REMEDY) -> None:
    """Gives ``path`` this content in a single step, making its folder; a failure leaves the old file whole.

    Raises `AbaloError`, ending in ``remedy``, where that cannot be done.
    """
    write_together(path.parent, {path.name: data}, remedy)


def write_together(folder: Path, files: Mapping[str, bytes], remedy: str = REMEDY) -> None:
    """Gives files of ``folder`` their content by name, in order; the first changes when all are on the disk.

    Raises `AbaloError`, ending in ``remedy``, where that cannot be done.
    """
    staged: dict[str, Path] = {}
    try:
        for name, data in files.items():
            with explained(folder / name, folder, remedy):
                refuse_devices(folder / name)
                folder.mkdir(parents=True, exist_ok=True)
                # In the same folder, since a file moves in one step only within its file system.
                handle, temporary = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
                staged[name] = Path(temporary)
                with os.fdopen(handle, "wb") as stream:
                    stream.write(data)
                    stream.flush()
                    os.fsync(stream.fileno())
                staged[name].chmod(0o666 & ~_umask())
        for name, written in staged.items():
            with explained(folder / name, folder, remedy):
                written.replace(folder / name)
    finally:
        for written in staged.values():
            written.unlink(missing_ok=True)


def write_text(path: Path, text: str, remedy: str = REMEDY) -> None:
    r"""The same for text, in UTF-8; a lone surrogate, which UTF-8 cannot hold, is written as ``\ud800``."""
    write_bytes(path, text.encode("utf-8", "backslashreplace"), remedy)


def check_writable(folder: Path, remedy: str = REMEDY) -> None:
    """Makes the folder and tries to write there, so that work can fail before it is done.

    Raises `AbaloError`, ending in ``remedy``, where that cannot be done.
    """
    with explained(folder, folder, remedy):
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".probe.", dir=folder)
        os.close(handle)
        Path(name).unlink()


def read_bytes(path: Path, largest: int = LARGEST) -> bytes:
    """The content of a regular file of at most ``largest`` bytes.

    Raises `AbaloError` for a pipe, a device and a larger file, and OSError or ValueError as `Path.read_bytes` does.
    """
    refuse_devices(path)
    if path.is_file() and path.stat().st_size > largest:
        raise AbaloError(f"{visible(path)}: larger than {largest:,} bytes; expected at most that many; split the file")
    return path.read_bytes()


def read_text(path: Path, encoding: str = "utf-8", errors: str = "strict") -> str:
    r"""The same for text, with ``\n`` at the end of each line."""
    with io.TextIOWrapper(io.BytesIO(read_bytes(path)), encoding, errors) as stream:
        return stream.read()


def refuse_devices(path: Path) -> None:
    """Raises `AbaloError` for what is there and is neither file nor folder: a pipe or a device may never end."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise AbaloError(f"{visible(path)}: no regular file; expected one; save it as one")


def expanded(path: str | Path) -> Path:
    """The path with the home folder in place of ``~`` or ``~user``; as it is where there is no such user."""
    return Path(os.path.expanduser(path))  # noqa: PTH111 - that of pathlib raises where there is no such user


def is_file(path: Path) -> bool:
    """Whether there is such a file; not for a name that no file can have, such as one that is too long."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _is_no_folder(path: Path) -> bool:
    """Whether there is something other than a folder; not for a name that nothing can have."""
    try:
        return path.exists() and not path.is_dir()
    except OSError:
        return False


def _umask() -> int:
    """The permission bits that new files may not have; it must be set to be read."""
    found = os.umask(0)
    os.umask(found)
    return found


@contextmanager
def explained(path: Path, folder: Path, remedy: str = REMEDY) -> Iterator[None]:
    """Turns what the system says about writing ``path`` in ``folder`` into an `AbaloError`, ending in ``remedy``."""
    if "\0" in str(path):
        raise AbaloError(f"{visible(path)}: cannot be written: a null byte in the name; {remedy}")
    try:
        yield
    except OSError as error:
        places = (folder, *folder.parents)
        blocked = next(filter(_is_no_folder, places), None)
        reason = f"{blocked} is a file, not a folder" if blocked else error.strerror or str(error)
        raise AbaloError(f"{path}: cannot be written: {reason}; {remedy}") from error
