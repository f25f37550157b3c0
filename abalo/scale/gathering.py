"""Merges the evidence of all chunks on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from abalo.core.statistics.evidence import ALIKE, ROWS, Evidence, narrow, read, spread
from abalo.errors import AbaloError
from abalo.scale.chunk import case_file, chunk_folder

Array = NDArray[Any]


class OnDisk(Mapping[str, Evidence]):
    """The evidence of cases; only what is in use is in memory."""

    def __init__(self, mapped: Mapping[str, Callable[[], Evidence]]) -> None:
        self._mapped = mapped

    def __getitem__(self, case: str) -> Evidence:
        return self._mapped[case]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._mapped)

    def __len__(self) -> int:
        return len(self._mapped)


def gather_evidence(
    folder: Path, case: str, place: int, chunks: Sequence[int], views: Sequence[str], room: Path
) -> Callable[[], Evidence]:
    """Maps a case's evidence into memory, as one process would collect it.

    Arrays are files in ``room``, of the smallest sufficient type.
    """
    room.mkdir(parents=True, exist_ok=True)
    layout = _Layout(views)
    for number in chunks:
        layout.add(_evidence(folder, number, place, case))
    layout.settle()
    with ExitStack() as held:
        files = {name: held.enter_context((room / f"{k}.npy").open("wb")) for k, name in enumerate(layout.shapes)}
        starts = {name: layout.begin(name, file) for name, file in files.items()}
        for number in chunks:
            part = spread(_evidence(folder, number, place, case), layout.groups, layout.views, layout.alone)
            for seed, rows in _by_seed(part):
                first = layout.take(seed, len(rows))
                for name, values in layout.arrays(part):
                    _put(files[name], starts[name], first, values[rows].astype(layout.dtypes[name], copy=False))
    return partial(_mapped, layout, room)


def _mapped(layout: _Layout, room: Path) -> Evidence:
    mapped = {
        name: np.load(room / f"{k}.npy", mmap_mode="r", allow_pickle=False) for k, name in enumerate(layout.shapes)
    }
    tables = {view: {name: mapped[f"{view}/{name}"] for name in layout.tables[view]} for view in layout.views}
    return Evidence(layout.groups, tables=tables, notes=layout.notes, **{name: mapped[name] for name in ROWS})


class _Layout:
    def __init__(self, views: Sequence[str]) -> None:
        self._all_views = tuple(views)
        self._alike = True
        self._named: dict[str, list[str]] = {}
        self._found_groups: set[str] = set()
        self._by_group: set[str] = set()
        self._types: dict[str, np.dtype[np.generic]] = {}
        self._usual: dict[str, np.dtype[np.generic]] = {}
        self._tails: dict[str, tuple[int, ...]] = {}
        self._rows: dict[int, int] = {}
        self._next: dict[int, int] = {}
        self.notes: dict[str, int] = {}
        self.groups: tuple[str, ...] = ()
        self.views: tuple[str, ...] = (ALIKE,)
        self.tables: dict[str, list[str]] = {}
        self.alone: set[str] = set()
        self.shapes: dict[str, tuple[int, ...]] = {}
        self.dtypes: dict[str, np.dtype[np.generic]] = {}

    def add(self, part: Evidence) -> None:
        self._found_groups.update(part.groups)
        for name, value in part.notes.items():
            self.notes[name] = self.notes.get(name, 0) + value
        for seed, rows in _by_seed(part):
            self._rows[seed] = self._rows.get(seed, 0) + len(rows)
        for name in ROWS:
            self._see(name, getattr(part, name))
        self._alike = self._alike and part.alike
        for view, tables in part.kept.items():
            names = self._named.setdefault(view, list(tables))
            self._named[view] = [name for name in names if name in tables]
            for name in tables:
                if tables.kept(name).shape[1] > 1:
                    self._by_group.add(name)
                self._see(f"/{name}" if view == ALIKE else f"{view}/{name}", tables.kept(name))

    def _see(self, name: str, values: Array) -> None:
        self._usual.setdefault(name, values.dtype)
        self._tails.setdefault(name, values.shape[1:])
        if values.size:
            own = narrow(values).dtype
            self._types[name] = np.result_type(self._types.get(name, own), own)

    def settle(self) -> None:
        self.groups = tuple(sorted(self._found_groups))
        self.views = (ALIKE,) if self._alike else self._all_views
        alike = self._named.get(ALIKE)
        for view in self.views:
            names = self._named[view]
            self.tables[view] = names if alike is None else [name for name in names if name in alike]
            self.alone.update(name for name in self.tables[view] if name not in self._by_group)
        length, width = sum(self._rows.values()), len(self.groups)
        for name in ROWS:
            self.shapes[name] = (length, width) if name == "held" else (length,)
            self.dtypes[name] = self._types.get(name, self._usual[name])
        for view in self.views:
            for name in self.tables[view]:
                key = f"{view}/{name}"
                own = [each for each in (key, f"/{name}") if each in self._usual]
                types = [self._types[each] for each in own if each in self._types]
                self.dtypes[key] = np.result_type(*types) if types else self._usual[own[0]]
                parts = 1 if name in self.alone else 1 + width
                self.shapes[key] = (length, parts, *self._tails[own[0]][1:])
        first = 0
        for seed, rows in self._rows.items():
            self._next[seed], first = first, first + rows

    def begin(self, name: str, file: BinaryIO) -> int:
        head = {
            "descr": np.lib.format.dtype_to_descr(self.dtypes[name]),
            "fortran_order": False,
            "shape": self.shapes[name],
        }
        np.lib.format.write_array_header_1_0(file, head)
        return file.tell()

    def take(self, seed: int, rows: int) -> int:
        first = self._next[seed]
        self._next[seed] = first + rows
        return first

    def arrays(self, part: Evidence) -> Iterator[tuple[str, Array]]:
        for name in ROWS:
            yield name, getattr(part, name)
        for view in self.views:
            for name in self.tables[view]:
                yield f"{view}/{name}", part.kept[view].kept(name)


def _by_seed(part: Evidence) -> list[tuple[int, NDArray[np.intp]]]:
    return [(seed, np.flatnonzero(part.seeds == seed)) for seed in dict.fromkeys(part.seeds.tolist())]


def _put(file: BinaryIO, start: int, first: int, values: Array) -> None:
    size = values.dtype.itemsize * int(np.prod(values.shape[1:], dtype=np.int64))
    file.seek(start + first * size)
    file.write(np.ascontiguousarray(values).tobytes())


def _evidence(folder: Path, number: int, place: int, case: str) -> Evidence:
    path = chunk_folder(folder, number) / case_file(place)
    found: Mapping[str, Evidence] = read(path)
    if case not in found:
        raise AbaloError(f"{path}: has no evidence of {case}; remove the folder of the chunk, and run it again")
    return found[case]
