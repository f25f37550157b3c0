"""A folder lock that ends with its process."""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock, Timeout

from abalo.errors import AbaloError
from abalo.files import explain_errors

LOCK_NAME = ".abalo.lock"


class InUseError(AbaloError):
    """Another run writes to the folder."""


class FolderLock:
    """Exclusive right to write to a folder: `hold` and `release`, or ``with``.

    The operating system holds the lock, so a killed run leaves none.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = FileLock(folder / LOCK_NAME, timeout=0)

    def hold(self) -> None:
        """Creates the folder and takes the lock; raises `InUseError` if another run has it."""
        if self._lock.is_locked:
            return
        with explain_errors(self.folder / LOCK_NAME, self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            try:
                self._lock.acquire()
            except Timeout:
                raise InUseError(
                    f"{self.folder}: in use by another run; wait for it to end, or choose another folder with "
                    "--abalo-reports DIR, or --out"
                ) from None
            except NotImplementedError:  # a file system without locks
                return

    def release(self) -> None:
        """Gives the lock back; the file stays."""
        self._lock.release()

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
