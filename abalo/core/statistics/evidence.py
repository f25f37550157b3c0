"""Evidence: counts per unit of a case, without text, sufficient for judging.

A unit is an example under one seed, a target in it, or a variant.
"""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import zipfile
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from abalo.core.records.example import Example
from abalo.core.records.json_records import JsonRecord, as_json
from abalo.core.records.json_records import read as read_record
from abalo.core.records.outcome import Outcome
from abalo.core.statistics.metrics import Count, Flags, Floats, Metric, check_value, counts_of
from abalo.core.statistics.sequential import LOOK
from abalo.errors import AbaloError
from abalo.files import read_bytes

FORMAT = "abalo-evidence/1"

ALIKE = ""

DISTINCT = "distinct"

LEFT_OUT = "calls left out"

REPEATS = "repeats"

EXIST = "exist: "

PANEL = "panel"

Strings = NDArray[np.str_]

_UNKNOWN: Strings = np.array([], dtype=np.str_)

_ANSWER = 5
"""Bytes: two different answers look alike once in 10 to the power of 12."""

_PRESET = 3

_XZ = b"\xfd7zXZ\x00"

_SMALL = 2**30

_EXPANSION = 100


class Tables(Mapping[str, Floats]):
    """Counts by name, kept in a small exact type and read as floats; ``chosen`` selects units."""

    def __init__(self, tables: Mapping[str, NDArray[Any]], chosen: NDArray[np.intp] | None = None) -> None:
        self._kept = {name: each if each.dtype.kind in "iu" else narrow(each) for name, each in tables.items()}
        self._chosen = chosen

    def kept(self, name: str) -> NDArray[Any]:
        """Returns a table (units × 1 + groups × columns) in its stored type, such as uint8."""
        return self._kept[name] if self._chosen is None else self._kept[name][self._chosen]

    def only(self, chosen: NDArray[np.intp]) -> Tables:
        """Selects units by place; reading a table copies the counts of the selected units."""
        return Tables(self._kept, chosen if self._chosen is None else self._chosen[chosen])

    def __getitem__(self, name: str) -> Floats:
        return self.kept(name).astype(np.float64)

    def __contains__(self, name: object) -> bool:
        return name in self._kept

    def __iter__(self) -> Iterator[str]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)


class MissingCountsError(AbaloError):
    """Evidence lacks a metric's counts."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The counts of one case, with one entry per unit.

    * ``golds`` and ``digests``: of the example with its gold, and of the variant; "" if unchanged.
    * ``places``: distinguish units of one example and seed.
    * ``clusters``: units of one cluster are a single piece of evidence.
    * ``outside``: outside the judged part.
    * ``held``: gold labels (units × groups).
    * ``tables``: counts (units × 1 + groups × columns, overall first) by view and name; of what is only measured
      overall, units × 1 × columns.
    * ``notes``: whole numbers for judging.
    * ``answers``: digests of what the model answered, without scores; "" if an older version counted.
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
    answers: Strings = field(default_factory=lambda: _UNKNOWN)

    def __post_init__(self) -> None:
        kept = {view: part if isinstance(part, Tables) else Tables(part) for view, part in self.tables.items()}
        object.__setattr__(self, "tables", kept)
        if len(self.answers) != len(self.ids) and not len(self.answers):
            object.__setattr__(self, "answers", np.full(len(self.ids), "", dtype=np.str_))

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def distinct(self) -> int:
        """The number of clusters."""
        return len(np.unique(self.clusters))

    @property
    def whole(self) -> bool:
        """Whether every unit was run."""
        exist = {name.removeprefix(EXIST): count for name, count in self.notes.items() if name.startswith(EXIST)}
        held = dict(zip(self.groups, (self.held[self.trainings == 0] > 0).sum(axis=0).tolist(), strict=True))
        return bool(exist) and all(held.get(group, 0) == count for group, count in exist.items())

    @property
    def alike(self) -> bool:
        """Whether all views see the same."""
        return set(self.tables) <= {ALIKE}

    def counts(self, metric: Metric, view: str) -> Floats:
        """Returns a table (units × 1 + groups × columns); raises `MissingCountsError`."""
        return self.stored_counts(metric, view).astype(np.float64, copy=False)

    def stored_counts(self, metric: Metric, view: str, *, overall: bool = False) -> NDArray[Any]:
        """Returns what `counts` does, or its ``overall`` part, in the stored type, such as uint8."""
        name = name_of(metric.count)
        part = self.kept.get(ALIKE if self.alike else view, Tables({}))
        if name not in part:
            raise MissingCountsError(
                f"the evidence has no {name}, which {metric.name} is made of: another version of Abalo wrote it; run "
                f"the gate again"
            )
        found = part.kept(name)
        groups = 1 if overall else 1 + len(self.groups)
        if found.shape[1] >= groups:
            return found[:, :groups]
        counted = np.zeros((len(found), groups, found.shape[2]), found.dtype)
        counted[:, : found.shape[1]] = found
        return counted

    @property
    def kept(self) -> Mapping[str, Tables]:
        """The tables by view; `Tables.kept` reads a stored type."""
        return {view: part for view, part in self.tables.items() if isinstance(part, Tables)}

    def only(self, chosen: Flags | NDArray[np.intp]) -> Evidence:
        """The evidence of some units, by flags or places."""
        places = np.arange(len(self))[chosen]
        tables = {view: part.only(places) for view, part in self.kept.items()}
        rows = {name: getattr(self, name)[chosen] for name in ROWS}
        return replace(self, tables=tables, **rows)


ROWS = ("ids", "golds", "seeds", "trainings", "places", "clusters", "digests", "changed", "outside", "held", "answers")

_NUMBERS = {"seeds": np.int64, "trainings": np.int64, "changed": np.bool_, "outside": np.bool_, "held": np.int64}


def name_of(count: Count) -> str:
    """The count's name; raises `AbaloError` for lambdas and partials."""
    name = getattr(count, "__name__", "")
    if not name.isidentifier():
        raise AbaloError(f"the count {count!r} has no name to keep its table by: write it as a function with def")
    return str(name)


def check_counts(metrics: Iterable[Metric]) -> None:
    """Raises `AbaloError` if different counts share a name."""
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
    answer: Callable[[Any], Sequence[Any]] | None = None,
) -> Evidence:
    """The evidence in outcomes; ``held`` counts gold labels (outcomes × groups).

    ``answer`` gives what a prediction says, without scores.
    """
    metrics = tuple(metrics)
    check_counts(metrics)
    by_group = {name_of(metric.count) for metric in metrics if metric.per_group}
    counted: dict[str, dict[str, NDArray[Any]]] = {ALIKE: {}} if alike else {view: {} for view in views}
    for metric in metrics:
        fit = [view for view in views if metric.meant_in(view)]
        for view in fit[:1] if alike else fit:
            part, name = counted[ALIKE if alike else view], name_of(metric.count)
            if name not in part:
                table = counts_of(metric, outcomes, view, groups)
                part[name] = narrow(table if name in by_group else table[:, :1].copy())
            check_value(metric, part[name])
    return Evidence(
        tuple(groups),
        _strings(outcome.example.id for outcome in outcomes),
        _golds(outcomes),
        np.array([outcome.seed for outcome in outcomes], dtype=np.int64),
        np.zeros(len(outcomes), dtype=np.int64),
        _strings(outcome.place for outcome in outcomes),
        _strings(outcome.example.cluster for outcome in outcomes),
        _strings(map(variant_digest, outcomes)),
        np.array([outcome.changed for outcome in outcomes], dtype=bool),
        np.array([outcome.outside for outcome in outcomes], dtype=bool),
        held,
        counted,
        dict(notes or {}),
        _UNKNOWN if answer is None else _answers([outcome.prediction for outcome in outcomes], answer),
    )


def _strings(values: Iterable[str]) -> Strings:
    return np.array(list(values), dtype=np.str_)


def _answers(predictions: Sequence[Any], answer: Callable[[Any], Sequence[Any]]) -> Strings:
    own = {id(each): each for each in predictions}
    digests = {key: _answer_digest(each, answer) for key, each in own.items()}
    return _strings(digests[id(each)] for each in predictions)


def _golds(outcomes: Sequence[Outcome]) -> Strings:
    examples = {id(outcome.example): outcome.example for outcome in outcomes}
    digests = {key: _gold(example) for key, example in examples.items()}
    return _strings(digests[id(outcome.example)] for outcome in outcomes)


def _gold(example: Example) -> str:
    return _hash_value((sorted(example.fields.items()), example.gold))


def variant_digest(outcome: Outcome) -> str:
    """Digest of the variant's text; "" if unchanged."""
    if outcome.variant is None:
        return ""
    return _hash_value(
        {name: (each.tokens, each.spaces) for name, each in sorted(outcome.variant.example.fields.items())}
    )


def _answer_digest(prediction: Any, answer: Callable[[Any], Sequence[Any]]) -> str:
    return _hash_value(None if prediction is None else list(answer(prediction)), size=_ANSWER)


def join_answers(repeats: Sequence[Strings]) -> Strings:
    """Digests of the answers of several repeats, in any order."""
    if any((each == "").any() for each in repeats):
        return _UNKNOWN
    rows = zip(*(each.tolist() for each in repeats), strict=True)
    return _strings(_hash_value(sorted(own), size=_ANSWER) for own in rows)


def _hash_value(value: object, size: int = 8) -> str:
    return hashlib.blake2b(ascii(value).encode(), digest_size=size).hexdigest()


# Several trainings ---------------------------------------------------------------------------------------------------


def join_trainings(trainings: Sequence[Evidence]) -> Evidence:
    """Joins several trainings of one case; notes are summed."""
    rows = np.repeat(np.arange(len(trainings)), [len(each) for each in trainings])
    return replace(_stack(trainings), trainings=rows)


def put_together(parts: Sequence[Evidence], numbers: Sequence[int]) -> Evidence:
    """Joins parts of a case; ``numbers`` are their units' places in the whole."""
    return _stack(parts).only(np.argsort(numbers))


def _stack(every: Sequence[Evidence]) -> Evidence:
    groups = tuple(sorted({group for each in every for group in each.groups}))
    views = views_of(every)
    parts = [spread(each, groups, views, overall_alone(every)) for each in every]
    rows = {name: np.concatenate([getattr(each, name) for each in parts]) for name in ROWS}
    tables = {
        view: {
            name: np.concatenate([each.kept[view].kept(name) for each in parts])
            for name in parts[0].tables[view]
            if all(name in each.tables[view] for each in parts)  # what all views see alike has every count in each
        }
        for view in views
    }
    notes = {
        name: max(values) if name.startswith((DISTINCT, EXIST, LOOK, PANEL, REPEATS)) else sum(values)
        for name in parts[0].notes
        for values in ([each.notes.get(name, 0) for each in parts],)
    }
    return Evidence(groups, tables=tables, notes=notes, **rows)


def views_of(every: Sequence[Evidence]) -> Sequence[str]:
    """The views of all evidence, or `ALIKE`."""
    return next((tuple(each.tables) for each in every if not each.alike), (ALIKE,))


def overall_alone(every: Iterable[Evidence]) -> set[str]:
    """The names of tables that no evidence has by group."""
    widths: dict[str, int] = {}
    for each in every:
        for part in each.kept.values():
            for name in part:
                widths[name] = max(part.kept(name).shape[1], widths.get(name, 1))
    return {name for name, width in widths.items() if width == 1}


def spread(evidence: Evidence, groups: Sequence[str], views: Sequence[str], alone: Container[str]) -> Evidence:
    """The evidence extended to these groups and views; tables of ``alone`` stay overall."""
    places = [groups.index(group) for group in evidence.groups]

    def wider(name: str, table: NDArray[Any]) -> NDArray[Any]:
        if name in alone:
            return table
        wide = np.zeros((len(table), 1 + len(groups), *table.shape[2:]), dtype=table.dtype)
        wide[:, [0, *(1 + place for place in places)][: table.shape[1]]] = table
        return wide

    held = np.zeros((len(evidence), len(groups)), dtype=evidence.held.dtype)
    held[:, places] = evidence.held
    own = {view: evidence.kept[ALIKE if evidence.alike else view] for view in views}
    tables = {view: {name: wider(name, part.kept(name)) for name in part} for view, part in own.items()}
    return replace(evidence, groups=tuple(groups), held=held, tables=tables)


# Files ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCase(JsonRecord):
    """A case in an archive."""

    case: str
    groups: Sequence[str]
    rows: Mapping[str, str]
    tables: Mapping[str, Mapping[str, str]]
    notes: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Index(JsonRecord):
    """The table of contents of an archive."""

    format: str
    cases: Sequence[StoredCase]


def to_bytes(cases: Mapping[str, Evidence], level: int = 6) -> bytes:
    """A reproducible NumPy archive without pickles, deflated at this ``level``."""
    stream = io.BytesIO()
    _write(stream, cases, level)
    return stream.getvalue()


def to_packed(cases: Mapping[str, Evidence]) -> bytes:
    """The archive packed by xz, less than half the size of `to_bytes`."""
    stream = io.BytesIO()
    np.savez(stream, allow_pickle=False, **dict(_arrays(dict(sorted(cases.items())))))
    return lzma.compress(stream.getvalue(), preset=_PRESET)


def write_large(path: Path, cases: Mapping[str, Evidence]) -> None:
    """Writes the archive array by array."""
    with path.open("wb") as file:
        _write(file, cases)


def _write(stream: IO[bytes], cases: Mapping[str, Evidence], level: int = 6) -> None:
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for name, values in _arrays(cases):
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(file, np.asanyarray(values), allow_pickle=False)


def sha256_of(cases: Mapping[str, Evidence]) -> str:
    """SHA-256 digest, independent of order and packing."""
    found = hashlib.sha256()
    for name, values in _arrays(dict(sorted(cases.items()))):
        found.update(f"{name} {values.dtype.str} {values.shape} ".encode())
        found.update(np.ascontiguousarray(values).tobytes())
    return found.hexdigest()


def _arrays(cases: Mapping[str, Evidence]) -> Iterator[tuple[str, NDArray[np.generic]]]:
    index: list[StoredCase] = []
    for number, (case, evidence) in enumerate(cases.items()):
        known = {"trainings": evidence.trainings.any(), "answers": (evidence.answers != "").any()}
        rows = {name: f"{number}/{name}" for name in ROWS if known.get(name, True)}
        for name, key in rows.items():
            yield key, narrow(getattr(evidence, name))
        tables = {
            view: {name: f"{number}/{view or 'all'}/{name}" for name in part} for view, part in evidence.tables.items()
        }
        for view, part in tables.items():
            for name, key in part.items():
                yield key, narrow(evidence.kept[view].kept(name))
        index.append(StoredCase(case=case, groups=evidence.groups, rows=rows, tables=tables, notes=evidence.notes))
    header = json.dumps(as_json(Index(format=FORMAT, cases=index))).encode()
    yield "index", np.frombuffer(header, dtype=np.uint8)


def from_bytes(data: bytes, name: str = "evidence") -> dict[str, Evidence]:
    """Reads an archive; raises `AbaloError` with a message that begins with ``name``."""
    try:
        archive = _unpack(data) if data.startswith(_XZ) else data
        _check_unpacked(archive, _largest(data))
        with np.load(io.BytesIO(archive), allow_pickle=False) as stored:
            index = _index(stored)
            _check_distinct("case", [each.case for each in index])
            return {each.case: _evidence(each, stored) for each in index}
    except Exception as error:  # zip, NumPy and JSON each have many ways to say that a file is broken
        raise AbaloError(f"{name}: not the evidence of a run: {error}; run the gate again") from error


def _largest(packed: bytes) -> int:
    return max(_SMALL, _EXPANSION * len(packed))


def _check_unpacked(archive: bytes, most: int) -> None:
    with zipfile.ZipFile(io.BytesIO(archive)) as parts:
        size = sum(part.file_size for part in parts.infolist())
    if size > most:
        raise ValueError(f"it has {size:,} bytes when unpacked; expected at most {most:,}")


def _unpack(data: bytes) -> bytes:
    unpacking = lzma.LZMADecompressor()
    found = unpacking.decompress(data, _largest(data))
    if not unpacking.eof:
        raise ValueError(f"it is cut short, or has more than {_largest(data):,} bytes when unpacked")
    return found


def read(path: Path) -> dict[str, Evidence]:
    """Reads a file of evidence; raises `AbaloError` if invalid."""
    try:
        data = read_bytes(path)
    except OSError as error:
        raise AbaloError(f"{path}: cannot be read: {error.strerror or error}; run the gate again") from error
    cases = from_bytes(data, str(path))
    for case, evidence in cases.items():
        tables = [part.kept(name) for part in evidence.kept.values() for name in part]
        numbers = all(np.isfinite(table).all() for table in tables)
        rows = evidence.held, evidence.seeds, evidence.trainings
        if not numbers or any((each < 0).any() for each in rows) or (evidence.trainings > len(evidence)).any():
            raise AbaloError(f"{path}: is damaged: the counts of case {case} are no counts; run the gate again")
    return cases


def _check_distinct(what: str, names: Sequence[str]) -> None:
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise ValueError(f"it has the {what} {twice!r} twice")


def _index(stored: Mapping[str, NDArray[np.generic]]) -> Sequence[StoredCase]:
    index = read_record(Index, json.loads(stored["index"].tobytes()))
    if index.format != FORMAT:
        raise ValueError(f"its format is {index.format!r}; expected {FORMAT!r}")
    return index.cases


def _evidence(each: StoredCase, stored: Mapping[str, NDArray[Any]]) -> Evidence:
    rows = {name: stored[key] for name, key in each.rows.items() if name in ROWS}
    units, groups = len(rows["ids"]), len(each.groups)
    rows.setdefault("trainings", np.zeros(units, dtype=np.int64))
    rows.setdefault("answers", np.full(units, "", dtype=np.str_))
    if any(row.shape != ((units, groups) if name == "held" else (units,)) for name, row in rows.items()):
        raise ValueError(f"the arrays of case {each.case!r} do not fit each other")
    _check_distinct("group", each.groups)
    tables = {view: {name: stored[key] for name, key in part.items()} for view, part in each.tables.items()}
    found = [table for part in tables.values() for table in part.values()]
    if any(table.dtype.kind not in "fiu" for table in found):
        raise ValueError(f"the tables of case {each.case!r} are no numbers")
    if any(table.ndim != 3 or table.shape[:2] not in ((units, 1), (units, 1 + groups)) for table in found):
        raise ValueError(f"the tables of case {each.case!r} do not fit its units and groups")
    notes = {name: int(value) for name, value in each.notes.items()}
    rows |= {name: rows[name].astype(kind) for name, kind in _NUMBERS.items()}
    return Evidence(tuple(each.groups), tables=tables, notes=notes, **rows)


def narrow(values: NDArray[np.generic]) -> NDArray[np.generic]:
    """The numbers in the smallest exact type."""
    if values.dtype.kind not in "fiu" or values.dtype == np.uint8 or not values.size:
        return values
    low, high = values.min(), values.max()
    for small in (np.uint8, np.uint16, np.int32):
        bounds = np.iinfo(small)
        if low >= bounds.min and high <= bounds.max:
            whole = values.astype(small, copy=False)
            return whole if values.dtype.kind != "f" or np.array_equal(whole, values) else values
    return values
