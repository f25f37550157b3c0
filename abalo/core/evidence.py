"""Evidence: what a case has shown, as counts per unit, without text. Judging needs nothing else.

A unit is an example under one seed, one target in it, or one of its variants. Evidence can be written, read again,
joined and judged anew without a model.
"""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo.core.example import Example
from abalo.core.metrics import Count, Flags, Floats, Metric, check_value, counts_of
from abalo.core.outcome import Outcome
from abalo.core.sequential import LOOK
from abalo.errors import AbaloError
from abalo.files import read_bytes

FORMAT = "abalo-evidence/1"

ALIKE = ""
"""Stands for the view of a table that is the same in all views."""

DISTINCT = "distinct"
"""The note that says how many distinct examples a case had; without it, as many as have a unit."""

EXIST = "exist: "
"""Before the name of a group: the note that says how many units of the group there are, run or not."""

Strings = NDArray[np.str_]

_PRESET = 3
"""The preset of xz: a higher one takes five times as long for a fifth less."""

_XZ = b"\xfd7zXZ\x00"
"""The first bytes of a file that xz has packed."""

_SMALL = 2**30
"""Archives up to this size in bytes may have shrunk by any factor."""

_EXPANSION = 100
"""How many times larger than its file a larger archive may be."""


class MissingCountsError(AbaloError):
    """Evidence does not hold the counts of a metric, as when another version of Abalo wrote it."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The counts of one case.

    One entry per unit: ``ids`` of its example, ``golds``, digests of the example with its gold, its ``seeds``, which of
    several ``trainings`` of the model it is of, counted from 0, ``places`` that set apart the units of one example and
    seed, ``clusters`` whose units are one piece of evidence, ``digests`` of its variant (empty where nothing changed),
    whether it ``changed``, and whether it lies ``outside`` of the part that the case is about. ``held`` counts the gold
    labels that its example has of each of the ``groups`` (units × groups).

    ``tables`` holds counts (units × 1 + groups × columns), those of all groups together first, by view and by name of
    the count; the view is `ALIKE` where every view sees the same. ``notes`` are whole numbers about the case that its
    judgement may need.
    """

    groups: tuple[str, ...]
    ids: Strings
    golds: Strings
    seeds: NDArray[np.int64]
    trainings: NDArray[np.int64]
    places: Strings
    clusters: Strings
    digests: Strings
    changed: Flags
    outside: Flags
    held: NDArray[np.int64]
    tables: Mapping[str, Mapping[str, Floats]]
    notes: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def distinct(self) -> int:
        """How many clusters there are."""
        return len(np.unique(self.clusters))

    @property
    def whole(self) -> bool:
        """Whether it notes how many units there are, and all of them were run: nothing in it is left to chance."""
        exist = {name.removeprefix(EXIST): count for name, count in self.notes.items() if name.startswith(EXIST)}
        held = dict(zip(self.groups, (self.held[self.trainings == 0] > 0).sum(axis=0).tolist(), strict=True))
        return bool(exist) and all(held.get(group, 0) == count for group, count in exist.items())

    @property
    def alike(self) -> bool:
        """Whether all views see the same."""
        return set(self.tables) <= {ALIKE}

    def counts(self, metric: Metric, view: str) -> Floats:
        """The table of the metric in the view (units × 1 + groups × columns).

        Raises `MissingCountsError` for those that it does not hold.
        """
        name = name_of(metric.count)
        found = self.tables.get(ALIKE if self.alike else view, {}).get(name)
        if found is None:
            raise MissingCountsError(
                f"the evidence has no {name}, which {metric.name} is made of: another version of Abalo wrote it; run "
                f"the gate again"
            )
        return found

    def only(self, chosen: Flags | NDArray[np.intp]) -> Evidence:
        """The same for some of the units, by flags, or for units in this order, by places."""
        tables = {view: {name: table[chosen] for name, table in part.items()} for view, part in self.tables.items()}
        rows = {name: getattr(self, name)[chosen] for name in ROWS}
        return replace(self, tables=tables, **rows)


ROWS = ("ids", "golds", "seeds", "trainings", "places", "clusters", "digests", "changed", "outside", "held")
"""The arrays with an entry per unit."""


def name_of(count: Count) -> str:
    """The name under which the table of a count is kept, that of its function.

    Raises `AbaloError` for a count without a name that stays the same, such as a lambda or a partial.
    """
    name = getattr(count, "__name__", "")
    if not name.isidentifier():
        raise AbaloError(f"the count {count!r} has no name to keep its table by: write it as a function with def")
    return str(name)


def check_counts(metrics: Iterable[Metric]) -> None:
    """Raises `AbaloError` where two metrics count by different functions of one name, which would share a table."""
    first: dict[str, Metric] = {}
    for metric in metrics:
        name = name_of(metric.count)
        other = first.setdefault(name, metric)
        if other.count != metric.count:
            raise AbaloError(
                f"the metrics {other.name} and {metric.name} count by two functions that are both called {name}, the "
                f"name of their table in the evidence: rename one of the functions, {_place(other.count)} or "
                f"{_place(metric.count)}"
            )


def _place(count: Count) -> str:
    return f"{getattr(count, '__module__', '?')}.{getattr(count, '__qualname__', name_of(count))}"


def collect(
    outcomes: Sequence[Outcome],
    groups: Sequence[str],
    held: NDArray[np.int64],
    metrics: Iterable[Metric],
    views: Sequence[str],
    *,
    alike: bool,
    notes: Mapping[str, int] | None = None,
) -> Evidence:
    """The evidence in outcomes; ``held`` counts the gold labels of each outcome's example (outcomes × groups).

    With ``alike``, for outcomes that all ``views`` see alike, each count is made once. Raises `AbaloError` for metrics
    whose counts cannot be told apart.
    """
    metrics = tuple(metrics)
    check_counts(metrics)
    counted: dict[str, dict[str, Floats]] = {ALIKE: {}} if alike else {view: {} for view in views}
    for metric in metrics:
        fit = [view for view in views if metric.meant_in(view)]
        for view in fit[:1] if alike else fit:
            part, name = counted[ALIKE if alike else view], name_of(metric.count)
            if name not in part:
                part[name] = counts_of(metric, outcomes, view, groups)
            check_value(metric, part[name])
    return Evidence(
        tuple(groups),
        _strings(outcome.example.id for outcome in outcomes),
        _golds(outcomes),
        np.array([outcome.seed for outcome in outcomes], dtype=np.int64),
        np.zeros(len(outcomes), dtype=np.int64),
        _strings(outcome.place for outcome in outcomes),
        _strings(outcome.example.cluster for outcome in outcomes),
        _strings(map(_digest, outcomes)),
        np.array([outcome.changed for outcome in outcomes], dtype=bool),
        np.array([outcome.outside for outcome in outcomes], dtype=bool),
        held,
        counted,
        dict(notes or {}),
    )


def _strings(values: Iterable[str]) -> Strings:
    return np.array(list(values), dtype=np.str_)


def _golds(outcomes: Sequence[Outcome]) -> Strings:
    """Digests of the clean examples of outcomes with their gold; each example is read once."""
    examples = {id(outcome.example): outcome.example for outcome in outcomes}
    digests = {key: _gold(example) for key, example in examples.items()}
    return _strings(digests[id(outcome.example)] for outcome in outcomes)


def _gold(example: Example) -> str:
    return _hashed((sorted(example.fields.items()), example.gold))


def _digest(outcome: Outcome) -> str:
    """Digest of the text of a variant; empty where nothing changed."""
    if outcome.variant is None:
        return ""
    return _hashed({name: (each.tokens, each.spaces) for name, each in sorted(outcome.variant.example.fields.items())})


def _hashed(value: object) -> str:
    """BLAKE2b digest of a value of plain types, 16 hexadecimal digits."""
    return hashlib.blake2b(ascii(value).encode(), digest_size=8).hexdigest()


# Several trainings ---------------------------------------------------------------------------------------------------


def joined(trainings: Sequence[Evidence]) -> Evidence:
    """The evidence of one case from several trainings of a model, in their order, as one.

    Notes are summed; those of how many examples there are and were seen, which all trainings share, are the largest.
    """
    rows = np.repeat(np.arange(len(trainings)), [len(each) for each in trainings])
    return replace(_stacked(trainings), trainings=rows)


def put_together(parts: Sequence[Evidence], numbers: Sequence[int]) -> Evidence:
    """The evidence of one case from several parts of its units; ``numbers`` are the places of all of them in the whole.

    Notes are as for `joined`.
    """
    return _stacked(parts).only(np.argsort(numbers))


def _stacked(every: Sequence[Evidence]) -> Evidence:
    """The units of all, one after the other."""
    groups = tuple(sorted({group for each in every for group in each.groups}))
    views = next((tuple(each.tables) for each in every if not each.alike), (ALIKE,))
    parts = [spread(each, groups, views) for each in every]
    rows = {name: np.concatenate([getattr(each, name) for each in parts]) for name in ROWS}
    tables = {
        view: {
            name: np.concatenate([each.tables[view][name] for each in parts])
            for name in parts[0].tables[view]
            if all(name in each.tables[view] for each in parts)  # what all views see alike has every count in each
        }
        for view in views
    }
    notes = {
        name: max(values) if name.startswith((DISTINCT, EXIST, LOOK)) else sum(values)
        for name in parts[0].notes
        for values in ([each.notes.get(name, 0) for each in parts],)
    }
    return Evidence(groups, tables=tables, notes=notes, **rows)


def spread(evidence: Evidence, groups: Sequence[str], views: Sequence[str]) -> Evidence:
    """The same with a place for each of the groups, and a table for each of the views.

    Evidence that all views see alike has the same tables, its own, for each of them.
    """
    places = [groups.index(group) for group in evidence.groups]

    def wider(table: Floats) -> Floats:
        wide = np.zeros((len(table), 1 + len(groups), *table.shape[2:]))
        wide[:, [0, *(1 + place for place in places)]] = table
        return wide

    held = np.zeros((len(evidence), len(groups)), dtype=np.int64)
    held[:, places] = evidence.held
    own = {view: evidence.tables[ALIKE if evidence.alike else view] for view in views}
    tables = {view: {name: wider(table) for name, table in part.items()} for view, part in own.items()}
    return replace(evidence, groups=tuple(groups), held=held, tables=tables)


# Files ----------------------------------------------------------------------------------------------------------------


def to_bytes(cases: Mapping[str, Evidence]) -> bytes:
    """The evidence of cases by id as a NumPy archive without pickles, the same bytes for the same evidence."""
    stream = io.BytesIO()
    np.savez_compressed(stream, allow_pickle=False, **dict(_arrays(cases)))
    return stream.getvalue()


def to_packed(cases: Mapping[str, Evidence]) -> bytes:
    """The same archive with the cases in order of their ids, stored and then packed by xz as a whole.

    Since cases share ids, clusters and gold labels, the result has less than half the size of `to_bytes`.
    """
    stream = io.BytesIO()
    np.savez(stream, allow_pickle=False, **dict(_arrays(dict(sorted(cases.items())))))
    return lzma.compress(stream.getvalue(), preset=_PRESET)


def write_large(path: Path, cases: Mapping[str, Evidence]) -> None:
    """Writes the same archive array by array, so that no more than one of them has to be in memory."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, values in _arrays(cases):
            entry = zipfile.ZipInfo(f"{name}.npy")
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=True) as file:
                np.lib.format.write_array(file, np.asanyarray(values), allow_pickle=False)


def sha256_of(cases: Mapping[str, Evidence]) -> str:
    """SHA-256 digest of the evidence of cases, in whatever order, however the file that it went through was packed."""
    found = hashlib.sha256()
    for name, values in _arrays(dict(sorted(cases.items()))):
        found.update(f"{name} {values.dtype.str} {values.shape} ".encode())
        found.update(np.ascontiguousarray(values).tobytes())
    return found.hexdigest()


def _arrays(cases: Mapping[str, Evidence]) -> Iterator[tuple[str, NDArray[Any]]]:
    """The arrays of an archive by name, the last one its index."""
    index: list[dict[str, Any]] = []
    for number, (case, evidence) in enumerate(cases.items()):
        rows = {name: f"{number}/{name}" for name in ROWS if name != "trainings" or evidence.trainings.any()}
        for name, key in rows.items():
            yield key, narrow(getattr(evidence, name))
        tables = {
            view: {name: f"{number}/{view or 'all'}/{name}" for name in part} for view, part in evidence.tables.items()
        }
        for view, part in tables.items():
            for name, key in part.items():
                yield key, narrow(evidence.tables[view][name])
        index.append(
            {
                "case": case,
                "groups": evidence.groups,
                "rows": rows,
                "tables": tables,
                "notes": dict(evidence.notes),
            }
        )
    header = json.dumps({"format": FORMAT, "cases": index}).encode()
    yield "index", np.frombuffer(header, dtype=np.uint8)


def from_bytes(data: bytes, name: str = "evidence") -> dict[str, Evidence]:
    """The evidence that `to_bytes` or `to_packed` wrote, by case.

    Raises `AbaloError`, beginning with ``name``, for anything else.
    """
    try:
        archive = _unpacked(data) if data.startswith(_XZ) else data
        _check_unpacked(archive, _largest(data))
        with np.load(io.BytesIO(archive), allow_pickle=False) as stored:
            index = _index(stored)
            _check_distinct("case", [each["case"] for each in index])
            return {each["case"]: _evidence(each, stored) for each in index}
    except Exception as error:  # zip, NumPy and JSON each have many ways to say that a file is broken
        raise AbaloError(f"{name}: not the evidence of a run: {error}; run the gate again") from error


def _largest(packed: bytes) -> int:
    """The most bytes that an archive may have when unpacked."""
    return max(_SMALL, _EXPANSION * len(packed))


def _check_unpacked(archive: bytes, most: int) -> None:
    """Raises ValueError for a zip archive whose files have more bytes together."""
    with zipfile.ZipFile(io.BytesIO(archive)) as parts:
        size = sum(part.file_size for part in parts.infolist())
    if size > most:
        raise ValueError(f"it has {size:,} bytes when unpacked; expected at most {most:,}")


def _unpacked(data: bytes) -> bytes:
    """The content of xz; raises ValueError if it is too large or cut short."""
    unpacking = lzma.LZMADecompressor()
    found = unpacking.decompress(data, _largest(data))
    if not unpacking.eof:
        raise ValueError(f"it is cut short, or has more than {_largest(data):,} bytes when unpacked")
    return found


def read(path: Path) -> dict[str, Evidence]:
    """The evidence in a file, by case; raises `AbaloError` where it cannot be read or holds what nothing can count."""
    try:
        data = read_bytes(path)
    except OSError as error:
        raise AbaloError(f"{path}: cannot be read: {error.strerror or error}; run the gate again") from error
    cases = from_bytes(data, str(path))
    for case, evidence in cases.items():
        tables = [table for part in evidence.tables.values() for table in part.values()]
        numbers = all(np.isfinite(table).all() for table in tables)
        rows = evidence.held, evidence.seeds, evidence.trainings
        if not numbers or any((each < 0).any() for each in rows) or (evidence.trainings > len(evidence)).any():
            raise AbaloError(f"{path}: is damaged: the counts of case {case} are no counts; run the gate again")
    return cases


def _check_distinct(what: str, names: Sequence[str]) -> None:
    """Raises ValueError where a name is there twice."""
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise ValueError(f"it has the {what} {twice!r} twice")


def _index(stored: Mapping[str, NDArray[Any]]) -> Sequence[Mapping[str, Any]]:
    """The cases of an archive, each with the names of its arrays."""
    header = json.loads(stored["index"].tobytes())
    if header["format"] != FORMAT:
        raise ValueError(f"its format is {header['format']!r}; expected {FORMAT!r}")
    cases: Sequence[Mapping[str, Any]] = header["cases"]
    return cases


def _evidence(each: Mapping[str, Any], stored: Mapping[str, NDArray[Any]]) -> Evidence:
    rows = {name: stored[key] for name, key in each["rows"].items() if name in ROWS}
    units, groups = len(rows["ids"]), len(each["groups"])
    rows.setdefault("trainings", np.zeros(units, dtype=np.int64))
    if any(row.shape != ((units, groups) if name == "held" else (units,)) for name, row in rows.items()):
        raise ValueError(f"the arrays of case {each['case']!r} do not fit each other")
    _check_distinct("group", each["groups"])
    tables = {
        view: {name: stored[key].astype(np.float64) for name, key in part.items()}
        for view, part in each["tables"].items()
    }
    found = [table for part in tables.values() for table in part.values()]
    if any(table.ndim != 3 or table.shape[:2] != (units, 1 + groups) for table in found):
        raise ValueError(f"the tables of case {each['case']!r} do not fit its units and groups")
    return Evidence(
        tuple(each["groups"]),
        rows["ids"],
        rows["golds"],
        rows["seeds"].astype(np.int64),
        rows["trainings"].astype(np.int64),
        rows["places"],
        rows["clusters"],
        rows["digests"],
        rows["changed"].astype(bool),
        rows["outside"].astype(bool),
        rows["held"].astype(np.int64),
        tables,
        {str(name): int(value) for name, value in each["notes"].items()},
    )


def narrow(values: NDArray[Any]) -> NDArray[Any]:
    """The same numbers in the smallest type that holds them exactly; whatever is no number as it is."""
    if values.dtype.kind not in "fiu" or not values.size:
        return values
    for small in (np.uint8, np.uint16, np.int32):
        bounds = np.iinfo(small)
        if values.min() >= bounds.min and values.max() <= bounds.max and (values == np.trunc(values)).all():
            return values.astype(small, copy=False)
    return values
