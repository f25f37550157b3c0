"""A folder lock that ends with its process."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

from abalo.errors import AbaloError
from abalo.files import explain_errors

LOCK_NAME = ".abalo.lock"
"""Never removed: that could let two runs in."""

_TAKEN = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}


class InUseError(AbaloError):
    """Another run writes to the folder."""


class FolderLock:
    """Exclusive right to write to a folder: `hold` and `release`, or ``with``.

    The operating system holds the lock, so a killed run leaves none.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._handle: int | None = None

    def hold(self) -> None:
        """Creates the folder and takes the lock; raises `InUseError` if another run has it.

        Does nothing on file systems without locks.
        """
        if self._handle is not None:
            return
        path = self.folder / LOCK_NAME
        with explain_errors(path, self.folder):
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


def is_held(folder: Path) -> bool:
    """Whether a run, in this process or another, holds the lock of the folder."""
    if not (folder / LOCK_NAME).is_file():
        return False
    try:
        with FolderLock(folder):
            return False
    except InUseError:
        return True
    except AbaloError:  # a folder that cannot be written
        return False


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
