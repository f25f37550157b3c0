"""Merges the evidence of all chunks on disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo.core.evidence import ROWS, Evidence, narrow, put_together, read
from abalo.errors import AbaloError
from abalo.scale.chunk import case_file, chunk_folder


def gather_evidence(folder: Path, case: str, place: int, chunks: Sequence[int], room: Path) -> Evidence:
    """The evidence of a case in the order of an undivided run: seed by seed, then chunk by chunk.

    Arrays are files in ``room``, of the smallest sufficient type.
    """
    parts = [_evidence(folder, number, place, case) for number in chunks]
    _, first, seeds = np.unique(np.concatenate([each.seeds for each in parts]), return_index=True, return_inverse=True)
    return _on_disk(put_together(parts, first[seeds]), room)


def _on_disk(evidence: Evidence, room: Path) -> Evidence:
    room.mkdir(parents=True, exist_ok=True)
    numbers = count()

    def mapped(values: NDArray[Any]) -> NDArray[Any]:
        path = room / f"{next(numbers)}.npy"
        np.save(path, narrow(values), allow_pickle=False)
        found: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
        return found

    tables = {view: {name: mapped(part.kept(name)) for name in part} for view, part in evidence.kept.items()}
    rows: dict[str, Any] = {name: mapped(getattr(evidence, name)) for name in ROWS}
    return replace(evidence, tables=tables, **rows)


def _evidence(folder: Path, number: int, place: int, case: str) -> Evidence:
    path = chunk_folder(folder, number) / case_file(place)
    found: Mapping[str, Evidence] = read(path)
    if case not in found:
        raise AbaloError(f"{path}: has no evidence of {case}; remove the folder of the chunk, and run it again")
    return found[case]
