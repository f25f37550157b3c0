"""A lock on a folder that ends with the process that holds it, however that ends."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

from abalo.errors import AbaloError
from abalo.files import explained

LOCK_NAME = ".abalo.lock"
"""The file that is locked. It stays: whoever removed it could let two runs in at once."""

_TAKEN = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}


class InUseError(AbaloError):
    """Another run writes to the folder now."""


class FolderLock:
    """The right to write to a folder, which one run has at a time; held from `hold` to `release`, or as ``with``.

    The operating system keeps it, and not that a file is there, so that a run that was killed leaves none behind.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._handle: int | None = None

    def hold(self) -> None:
        """Makes the folder and takes the lock; nothing where it is held already, or the file system has no locks.

        Raises `InUseError` where another run holds it, and `AbaloError` where the folder cannot be written.
        """
        if self._handle is not None:
            return
        path = self.folder / LOCK_NAME
        with explained(path, self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _lock(handle)
        except OSError as error:
            os.close(handle)
            if error.errno in _TAKEN:
                raise InUseError(
                    f"{self.folder}: in use by another run; wait for it to end, or choose another folder with "
                    "--abalo-reports DIR, or --out"
                ) from None
            return
        self._handle = handle

    def release(self) -> None:
        """Gives the lock back; nothing where it is not held."""
        if self._handle is not None:
            handle, self._handle = self._handle, None
            try:
                _unlock(handle)
            finally:
                os.close(handle)

    def __enter__(self) -> FolderLock:
        self.hold()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

    def _unlock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)
