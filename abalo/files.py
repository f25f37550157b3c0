"""Atomic writes, and reads limited to regular files."""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from abalo.errors import AbaloError, visible

REMEDY = "make its folder writable or choose another place"

LARGEST = 4 * 2**30
"""In bytes."""

UNFINISHED = ".abalo-unfinished"
"""The suffix of a file before its last byte is on disk, which no file of a user has."""


def write_bytes(path: Path, data: bytes, remedy: str = REMEDY) -> None:
    """Writes a file atomically and creates its folder.

    Raises `AbaloError`, ending in ``remedy``, on failure.
    """
    write_together(path.parent, {path.name: data}, remedy)


def write_together(folder: Path, files: Mapping[str, bytes | Iterable[bytes]], remedy: str = REMEDY) -> None:
    """Writes files in order, each whole or piece by piece, once all are on disk; removes what killed processes left."""
    staged: dict[str, Path] = {}
    with ExitStack() as ended:
        for name, data in files.items():
            with explain_errors(folder / name, folder, remedy):
                refuse_devices(folder / name)
                if (folder / name).is_dir():
                    raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
                folder.mkdir(parents=True, exist_ok=True)
                if not staged:
                    _remove_unfinished(folder)
                handle, staged[name] = _stage(folder, name, ended)
                with os.fdopen(handle, "wb") as stream:
                    stream.writelines([data] if isinstance(data, bytes) else data)
                    stream.flush()
                    os.fsync(stream.fileno())
                staged[name].chmod(0o666 & ~_umask())
        for name, written in staged.items():
            with explain_errors(folder / name, folder, remedy):
                written.replace(folder / name)


def _stage(folder: Path, name: str, until: ExitStack) -> tuple[int, Path]:
    """Makes and locks a file, which moves in one step only within its folder's file system."""
    while True:
        handle, temporary = tempfile.mkstemp(prefix=f".{name}.", suffix=UNFINISHED, dir=folder)
        _hold(handle, until, wait=True)
        if os.fstat(handle).st_nlink:
            until.callback(Path(temporary).unlink, missing_ok=True)
            return handle, Path(temporary)
        os.close(handle)  # before it was locked, another process took it for one that a killed process left


def _remove_unfinished(folder: Path) -> None:
    """Removes unfinished files of killed processes; a living process locks its own."""
    for path in folder.glob(f".*{UNFINISHED}"):
        with suppress(OSError, AbaloError), ExitStack() as ended, open_regular(path) as stream:
            if _hold(stream.fileno(), ended):
                path.unlink()


def write_text(path: Path, text: str, remedy: str = REMEDY) -> None:
    r"""Like `write_bytes`, in UTF-8; a lone surrogate becomes ``\ud800``."""
    write_bytes(path, text.encode("utf-8", "backslashreplace"), remedy)


def check_writable(folder: Path, remedy: str = REMEDY) -> None:
    """Creates the folder and tries to write there."""
    with explain_errors(folder, folder, remedy):
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".probe.", suffix=UNFINISHED, dir=folder)
        os.close(handle)
        Path(name).unlink(missing_ok=True)


def read_bytes(path: Path, largest: int = LARGEST) -> bytes:
    """Reads a regular file of at most ``largest`` bytes.

    Raises `AbaloError` for other files, OSError and ValueError as `Path.read_bytes`.
    """
    refuse_devices(path)
    if path.is_file() and path.stat().st_size > largest:
        raise AbaloError(f"{visible(path)}: larger than {largest:,} bytes; expected at most that many; split the file")
    return path.read_bytes()


def read_text(path: Path, encoding: str = "utf-8", errors: str = "strict") -> str:
    r"""Like `read_bytes`, for text with ``\n`` line ends."""
    with io.TextIOWrapper(io.BytesIO(read_bytes(path)), encoding, errors) as stream:
        return stream.read()


def refuse_devices(path: Path) -> None:
    """Raises `AbaloError` for pipes and devices, which may never end."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise AbaloError(f"{visible(path)}: no regular file; expected one; save it as one")


def open_regular(path: Path, flags: int = os.O_RDONLY, *, follow: bool = False) -> BinaryIO:
    """Opens a regular file, unbuffered and without waiting; only the user can read a new file.

    Raises OSError for pipes, devices and folders, and for links unless ``follow``.
    """
    with suppress(FileNotFoundError):
        mode = (path.stat() if follow else path.lstat()).st_mode
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "a link" if stat.S_ISLNK(mode) else "no regular file", str(path))
    further = ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY", *(() if follow else ("O_NOFOLLOW",)))
    for name in further:
        flags |= getattr(os, name, 0)
    handle = os.open(path, flags, 0o600)
    if not stat.S_ISREG(os.fstat(handle).st_mode):  # it was exchanged in between
        os.close(handle)
        raise OSError(errno.EINVAL, "no regular file", str(path))
    return os.fdopen(handle, "ab" if flags & os.O_APPEND else "rb", buffering=0)


def expand_home(path: str | Path) -> Path:
    """Expands ``~`` and ``~user``; unknown users stay."""
    return Path(os.path.expanduser(path))  # noqa: PTH111 - that of pathlib raises where there is no such user


def is_file(path: Path) -> bool:
    """Whether the file exists; False for impossible names."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _is_no_folder(path: Path) -> bool:
    try:
        return path.exists() and not path.is_dir()
    except OSError:
        return False


def _umask() -> int:
    found = os.umask(0)
    os.umask(found)
    return found


@contextmanager
def explain_errors(path: Path, folder: Path, remedy: str = REMEDY) -> Iterator[None]:
    """Turns OS errors into an `AbaloError` that ends in ``remedy``."""
    if "\0" in str(path):
        raise AbaloError(f"{visible(path)}: cannot be written: a null byte in the name; {remedy}")
    try:
        yield
    except OSError as error:
        places = (folder, *folder.parents)
        blocked = next(filter(_is_no_folder, places), None)
        reason = f"{blocked} is a file, not a folder" if blocked else error.strerror or str(error)
        raise AbaloError(f"{path}: cannot be written: {reason}; {remedy}") from error


if sys.platform == "win32":

    def _hold(_handle: int, _until: ExitStack, /, **_: bool) -> bool:
        return False

else:
    import fcntl

    def _hold(handle: int, until: ExitStack, /, *, wait: bool = False) -> bool:
        """Locks a file, at most until the process ends; returns False if another process holds it."""
        copy = os.dup(handle)
        until.callback(os.close, copy)
        try:
            fcntl.flock(copy, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:  # also of file systems without locks
            return False
        return True
