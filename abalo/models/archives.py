"""Weights in ``.npz`` files, read without pickles."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from abalo.errors import AbaloError
from abalo.files import read_bytes


def read_arrays(
    path: str | Path, kind: str, names: Sequence[str], remedy: str, optional: Sequence[str] = ()
) -> dict[str, NDArray[Any]]:
    """The arrays of a file by name; ``kind`` says in words what it should hold, ``names`` are those that it must have.

    It can have the ``optional`` ones, too.

    Raises `AbaloError`, which ends in the ``remedy``, where there is no such file or it holds anything else.
    """
    try:
        with np.load(io.BytesIO(read_bytes(Path(path))), allow_pickle=False) as arrays:
            found = {name: arrays[name] for name in arrays.files}
    except FileNotFoundError:
        raise AbaloError(f"{path}: no such file; expected {kind}; {remedy}") from None
    except (OSError, ValueError, BadZipFile, EOFError, AttributeError, MemoryError) as error:
        raise AbaloError(f"{path}: cannot be read as {kind}: {error}; expected an .npz file; {remedy}") from error
    if sorted(set(found) - set(optional)) != sorted(names):
        held = ", ".join(sorted(found)) or "no arrays"
        raise AbaloError(f"{path}: holds {held}; expected {', '.join(sorted(names))}; {remedy}")
    return found
