"""Weights in ``.npz`` files without pickles."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import ArrayLike, NDArray

from abalo.errors import AbaloError
from abalo.files import read_bytes, write_bytes


def read_arrays(
    path: str | Path, kind: str, names: Sequence[str], remedy: str, optional: Sequence[str] = ()
) -> dict[str, NDArray[Any]]:
    """The arrays ``names``, and ``optional`` ones if present.

    Errors name the expected ``kind`` and end in ``remedy``.
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


def weights_in(
    found: Mapping[str, NDArray[Any]], labels: int, path: str | Path, remedy: str, *, by_label: bool = False
) -> tuple[dict[str, int], NDArray[np.int8], float]:
    """Places of features, weights (features × labels) and their step; files ``by_label`` are transposed."""
    names = found["features"].tobytes().decode("utf-8", "replace").split("\n")
    weights, step = found["weights"], found["step"]
    wanted = (labels, len(names)) if by_label else (len(names), labels)
    if weights.dtype != np.int8 or weights.shape != wanted:
        raise AbaloError(
            f"{path}: weights are {weights.dtype} of shape {weights.shape}; expected int8 of shape {wanted}, "
            f"{'labels by features' if by_label else 'features by labels'}; {remedy}"
        )
    if step.shape or step.dtype.kind not in "iuf" or not 0 < float(step) < np.inf:
        raise AbaloError(f"{path}: the step is {step!s:.40}; expected a number above 0; {remedy}")
    places = {name: place for place, name in enumerate(names)}
    return places, np.ascontiguousarray(weights.T) if by_label else weights, float(step)


def write_weights(path: str | Path, features: Mapping[str, int], **arrays: ArrayLike) -> None:
    """Writes features and arrays; equal ones give equal bytes."""
    names = "\n".join(sorted(features, key=lambda name: features[name]))
    stream = io.BytesIO()
    listed = np.frombuffer(names.encode(), dtype=np.uint8)
    np.savez_compressed(stream, allow_pickle=False, features=listed, **arrays)
    write_bytes(Path(path), stream.getvalue())
