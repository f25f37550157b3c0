"""Rows of scores, and the scores of one file by metric.

A row is the score of one example under one metric, in one run.
"""

from __future__ import annotations

import gc
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain, compress, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo.core.records.words import count
from abalo.core.statistics.metrics import Floats
from abalo.errors import AbaloError, visible, written
from perturbations.suggestions import did_you_mean

SCORE, METRIC, RUN, WEIGHT, SLICE = "score", "metric", "run", "weight", "slice"

PlacedRow = tuple[object, Mapping[str, object]]
"""The place of a row, such as a line number, and its values by column."""

_MOST_PROBLEMS = 10
_MOST_NAMED = 20

_WORDS: Mapping[str, float] = {
    **dict.fromkeys(("true", "pass", "passed", "yes", "correct"), 1.0),
    **dict.fromkeys(("false", "fail", "failed", "no", "incorrect"), 0.0),
}

_AT_ONCE = 10_000

_HEAVIEST = 1e100
"""Squares of larger weights are beyond all numbers."""

_NONE = ("", "nan", "none", "null", "na", "n/a")


@dataclass(frozen=True, slots=True)
class ScoreColumns:
    """Which columns hold what.

    * ``id``: of the example. ``cluster``: examples of one cluster are one piece of evidence; by default each is one.
    * ``slices``: each gives parts of the examples.
    * ``metrics``: the metrics that are wanted, in order; () takes all. In a file without a column ``score`` these are
      columns of scores.
    * ``known``: columns of scores in such a file if none are wanted.
    """

    id: str = "id"
    cluster: str = "cluster"
    slices: tuple[str, ...] = (SLICE,)
    metrics: tuple[str, ...] = ()
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class MetricScores:
    """The scores of one metric in one file, by example, sorted by id.

    * ``scores``: mean over the runs of an example, NaN if none has a score (examples).
    * ``runs``: scores behind each mean. ``variances``: between the runs of an example, NaN below two.
    * ``empty``: runs of an example without a score.
    * ``lowest`` and ``highest``: the places and values of the extreme scores.
    * ``binary``: whether all scores are 0 or 1.
    * ``every``: all scores, sorted by example, without those that are missing.
    * ``weights``, ``clusters``, ``slices``: None if the file has none.
    """

    ids: tuple[str, ...]
    scores: Floats
    runs: NDArray[np.intp]
    variances: Floats
    binary: bool
    lowest: tuple[object, float]
    highest: tuple[object, float]
    every: Floats
    empty: NDArray[np.intp]
    weights: Floats | None = None
    clusters: tuple[str, ...] | None = None
    slices: tuple[tuple[str, ...], ...] | None = None

    @property
    def repeated(self) -> bool:
        """Whether an example has several runs."""
        return bool((self.runs > 1).any())


@dataclass(frozen=True, slots=True, eq=False)
class ScoreFile:
    """What a file holds: its ``name``, the reader's, and its scores by metric."""

    name: str
    reader: str
    metrics: Mapping[str, MetricScores]


@dataclass(slots=True)
class _Column:
    """The rows of one metric, before they are joined."""

    ids: list[str] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    runs: list[str | None] = field(default_factory=list)
    weights: list[float | None] = field(default_factory=list)
    clusters: list[str | None] = field(default_factory=list)
    slices: list[tuple[str, ...]] = field(default_factory=list)
    places: list[object] = field(default_factory=list)

    @property
    def lists(self) -> tuple[list[Any], ...]:
        """All columns, in the order of the fields."""
        return self.ids, self.scores, self.runs, self.weights, self.clusters, self.slices, self.places


def collect(name: str, reader: str, records: Iterable[PlacedRow], columns: ScoreColumns) -> ScoreFile:
    """Joins the rows of a file by metric and example.

    Args:
        name: The file, for messages.
        reader: The name of the reader.
        records: Rows with their places.
        columns: The meaning of columns.

    Raises:
        AbaloError: Rows that cannot be used, at most ten, each with its place.
    """
    with _without_collector():
        return _collected(name, reader, records, columns)


@contextmanager
def _without_collector() -> Iterator[None]:
    """Pauses the search for cycles, which takes half of the time that a million rows take, and finds nothing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _collected(name: str, reader: str, records: Iterable[PlacedRow], columns: ScoreColumns) -> ScoreFile:
    found: dict[str, _Column] = {}
    others: dict[str, None] = {}
    problems: dict[str, list[object]] = {}
    rows, slices = iter(records), _Slices(columns.slices)
    while sum(map(len, problems.values())) < _MOST_PROBLEMS and (chunk := [*islice(rows, _AT_ONCE)]):
        if columns.metrics:
            others |= _others(chunk, columns)
        if _add_plain(found, chunk, columns, slices):
            continue
        for place, values in chunk:
            try:
                _add(found, place, values, columns, slices)
            except ValueError as error:
                problems.setdefault(str(error), []).append(place)
                if sum(map(len, problems.values())) == _MOST_PROBLEMS:
                    break
    if problems:
        raise AbaloError("\n".join(_told(name, problem, places) for problem, places in problems.items()))
    if not (found or others):
        raise AbaloError(f"{visible(name)}: no row; expected scores of examples, one a row")
    if missing := [each for each in columns.metrics if each not in found]:
        known = {**found, **others}
        near = did_you_mean(missing[0], known)
        raise AbaloError(
            f"{visible(name)} {METRIC}: no {visible(missing[0])!r}{near}; there is {', '.join(map(visible, known))}"
        )
    wanted = columns.metrics or sorted(found)
    return ScoreFile(name, reader, {each: _joined(name, each, found[each]) for each in wanted})


def _told(name: str, problem: str, places: Sequence[object]) -> str:
    more = f" (and {', '.join(map(reader_unit, places[1:]))})" if len(places) > 1 else ""
    return f"{visible(name)} {reader_unit(places[0])}: {problem}{more}"


def _listed(columns: Iterable[str]) -> str:
    """The names of columns, at most twenty."""
    names = [visible(each) for each in columns]
    more = f" and {len(names) - _MOST_NAMED} others" if len(names) > _MOST_NAMED else ""
    return f"{', '.join(names[:_MOST_NAMED]) or 'none'}{more}"


def _others(chunk: Sequence[PlacedRow], columns: ScoreColumns) -> dict[str, None]:
    """Metrics of rows that are not wanted."""
    named = (values.get(METRIC) for _, values in chunk if SCORE in values)
    given = dict.fromkeys(str(each) if each not in (None, "") else SCORE for each in named)
    return {each: None for each in given if each not in columns.metrics}


def reader_unit(place: object) -> str:
    """A place in words: ``line 3``, or what a reader calls it."""
    return f"line {place}" if isinstance(place, int) else visible(place)


class _Slices:
    """The slices of rows; equal ones are the same object, since a million tuples would slow Python down."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns
        self._known: dict[str, tuple[str, ...]] = {}

    def of(self, values: Mapping[str, object]) -> tuple[str, ...]:
        given = values.get(self._columns[0]) if len(self._columns) == 1 else None
        if type(given) is str and given in self._known:
            return self._known[given]
        found = tuple(_slices(values, self._columns))
        if type(given) is str:
            self._known[given] = found
        return found


def _add_plain(found: dict[str, _Column], chunk: Sequence[PlacedRow], columns: ScoreColumns, slices: _Slices) -> bool:
    """Adds many rows at once if each has an id, a score and no weight; returns False, and adds none, otherwise."""
    rows = [values for _, values in chunk]
    held: set[str] = {*chain.from_iterable(rows)}
    if not held >= {columns.id, SCORE} or WEIGHT in held:
        return False
    ids, scores = (_texts([values.get(columns.id) for values in rows]), _finite([values.get(SCORE) for values in rows]))
    metrics = _texts([values.get(METRIC) for values in rows]) if METRIC in held else [SCORE] * len(rows)
    if ids is None or scores is None or metrics is None:
        return False
    nothing: list[object] = [None] * len(rows)
    try:
        runs, clusters = (
            [_optional(values, column) for values in rows] if column in held else nothing
            for column in (RUN, columns.cluster)
        )
        parts = [slices.of(values) for values in rows] if held & {*columns.slices} else [()] * len(rows)
    except ValueError:
        return False
    every = (ids, scores, runs, nothing, clusters, parts, [place for place, _ in chunk])
    several = dict.fromkeys(metrics)
    for metric in several:
        if columns.metrics and metric not in columns.metrics:
            continue
        own = found.setdefault(metric, _Column())
        chosen = [each == metric for each in metrics] if len(several) > 1 else None
        for column, given in zip(own.lists, every, strict=True):
            column.extend(given if chosen is None else compress(given, chosen))
    return True


def _texts(values: Sequence[object]) -> list[str] | None:
    """The values if all are texts that are not blank."""
    found = [each for each in values if isinstance(each, str) and each and not each.isspace()]
    return found if len(found) == len(values) else None


def _finite(values: Sequence[Any]) -> list[float] | None:
    """The values as numbers if all are finite, or texts that are."""
    kinds = {*map(type, values)}
    if not (kinds <= {int, float, bool} or kinds == {str}):
        return None
    try:
        found = np.array(values).astype(np.float64)
    except (ValueError, OverflowError):
        return None
    return found.tolist() if np.isfinite(found).all() else None


def _add(
    found: dict[str, _Column], place: object, values: Mapping[str, object], columns: ScoreColumns, slices: _Slices
) -> None:
    example = _name(values, columns.id, values)
    weight = values.get(WEIGHT)
    heavy = None if weight is None or weight == "" else _weight(weight)
    row = example, _optional(values, RUN), heavy, _optional(values, columns.cluster), slices.of(values), place
    for metric, score in _scores(values, columns):
        own = found.setdefault(metric, _Column())
        for column, value in zip(own.lists, (row[0], score, *row[1:]), strict=True):
            column.append(value)


def _scores(values: Mapping[str, object], columns: ScoreColumns) -> Iterator[tuple[str, float]]:
    wanted = columns.metrics
    if SCORE in values:
        metric = values.get(METRIC)
        name = SCORE if metric is None or metric == "" else _text(metric, METRIC)
        if not wanted or name in wanted:
            yield name, _score(values[SCORE], SCORE if name == SCORE else f"{SCORE} of {name}")
        return
    wanted = wanted or tuple(each for each in columns.known if each in values)
    if not wanted:
        others = [each for each in values if each not in (columns.id, columns.cluster, RUN, WEIGHT, *columns.slices)]
        raise ValueError(
            f"no column {SCORE!r}; the columns are {_listed(values)}; name those that hold scores, such as --metric "
            f"{visible(next(iter(others), SCORE))}, or write null for a row without a score"
        )
    known = [each for each in wanted if each in values]
    if not known:
        raise ValueError(f"no column {wanted[0]!r}{did_you_mean(wanted[0], values)}; the columns are {_listed(values)}")
    yield from ((each, _score(values[each], each)) for each in known)


def _score(value: object, column: str) -> float:
    if type(value) is float and math.isfinite(value):
        return value
    if value is None:
        return math.nan
    number = math.inf
    if isinstance(value, str):
        word = value.strip().lower()
        if word in _NONE:
            return math.nan
        with suppress(ValueError):
            number = _WORDS[word] if word in _WORDS else float(word)
    elif isinstance(value, bool | int | float):
        with suppress(OverflowError):
            number = float(value)
    if not math.isinf(number):
        return number
    raise ValueError(f"{visible(column)} is {written(value)}; expected a finite number, true, false, or nothing")


def _weight(value: object) -> float:
    number = _score(value, WEIGHT)
    if not 0 < number <= _HEAVIEST or isinstance(value, bool):
        raise ValueError(f"{WEIGHT} is {written(value)}; expected a number above 0, at most {_HEAVIEST:g}")
    return number


def _name(values: Mapping[str, object], column: str, known: Iterable[str]) -> str:
    if column not in values:
        option = "" if column != "id" else "; name the column that identifies an example, such as --id question"
        raise ValueError(f"no column {column!r}{did_you_mean(column, known)}; the columns are {_listed(known)}{option}")
    return _text(values[column], column)


def _text(value: object, column: str) -> str:
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise ValueError(f"{visible(column)} is {written(value)}; expected a text that is not empty, or a whole number")


def _optional(values: Mapping[str, object], column: str) -> str | None:
    value = values.get(column)
    return None if value is None or value == "" else _text(value, column)


def _slices(values: Mapping[str, object], columns: Sequence[str]) -> Iterator[str]:
    for column in columns:
        value = values.get(column)
        several = value if isinstance(value, list) else [] if value is None or value == "" else [value]
        for each in several:
            text = str(each).lower() if isinstance(each, bool) else _text(each, column)
            yield text if column == SLICE else f"{column}={text}"


# Joining --------------------------------------------------------------------------------------------------------------


def _joined(name: str, metric: str, own: _Column) -> MetricScores:
    ids = sorted(set(own.ids))
    place_of = {example: place for place, example in enumerate(ids)}
    places = np.fromiter(map(place_of.__getitem__, own.ids), dtype=np.intp, count=len(own.ids))
    if len(ids) < len(own.ids):
        _refuse_twins(name, metric, own)
    scores = np.array(own.scores)
    known = ~np.isnan(scores)
    runs = np.bincount(places[known], minlength=len(ids))
    sums = np.bincount(places[known], weights=scores[known], minlength=len(ids))
    means = np.divide(sums, runs, out=np.full(len(ids), np.nan), where=runs > 0)
    squares = np.bincount(places[known], weights=(scores[known] - means[places[known]]) ** 2, minlength=len(ids))
    variances = np.divide(squares, runs - 1, out=np.full(len(ids), np.nan), where=runs > 1)
    at = [int(find(scores)) if known.any() else 0 for find in (np.nanargmin, np.nanargmax)]
    lowest, highest = ((own.places[k], float(scores[k])) for k in at)
    return MetricScores(
        tuple(ids),
        means,
        runs,
        variances,
        bool(np.isin(scores[known], (0.0, 1.0)).all()),
        lowest,
        highest,
        scores[known][np.argsort(places[known], kind="stable")],
        np.bincount(places[~known], minlength=len(ids)),
        _weights(name, metric, own, places, len(ids)),
        _same(name, metric, own, own.clusters, "cluster", ids),
        _same_slices(name, metric, own, ids),
    )


def _refuse_twins(name: str, metric: str, own: _Column) -> None:
    seen: dict[tuple[str, str | None], object] = {}
    without: dict[str, object] = {}
    for example, run, place in zip(own.ids, own.runs, own.places, strict=True):
        before = seen.setdefault((example, run), place)
        bare = without.setdefault(example, place) if run is None else without.get(example)
        if before is not place or (bare is not None and bare is not place):
            first = before if before is not place else bare
            of_run = "" if run is None else f" in run {visible(run)!r}"
            raise AbaloError(
                f"{visible(name)} {reader_unit(place)}: the id {visible(example)!r} has a second score of "
                f"{visible(metric)}{of_run}, the first is in {reader_unit(first)}; give each run of an example a "
                f"different value in the column {RUN}, or each example its own id"
            )


def _weights(name: str, metric: str, own: _Column, places: NDArray[np.intp], size: int) -> Floats | None:
    if all(each is None for each in own.weights):
        return None
    given = np.array([1.0 if each is None else each for each in own.weights])
    found = np.full(size, np.nan)
    found[places] = given
    if (wrong := np.flatnonzero(found[places] != given)).size:
        _refuse_other(name, metric, own, int(wrong[0]), WEIGHT)
    return found


def _same(
    name: str, metric: str, own: _Column, values: Sequence[str | None], column: str, ids: Sequence[str]
) -> tuple[str, ...] | None:
    if all(each is None for each in values):
        return None
    if len(ids) == len(own.ids):
        kept = {example: example if value is None else value for example, value in zip(own.ids, values, strict=True)}
        return tuple(map(kept.__getitem__, ids))
    found: dict[str, str] = {}
    for k, (example, value) in enumerate(zip(own.ids, values, strict=True)):
        given = example if value is None else value
        if found.setdefault(example, given) != given:
            _refuse_other(name, metric, own, k, column)
    return tuple(found[example] for example in ids)


def _same_slices(name: str, metric: str, own: _Column, ids: Sequence[str]) -> tuple[tuple[str, ...], ...] | None:
    if not any(own.slices):
        return None
    if len(ids) == len(own.ids):
        return tuple(map(dict(zip(own.ids, own.slices, strict=True)).__getitem__, ids))
    found: dict[str, tuple[str, ...]] = {}
    for k, (example, value) in enumerate(zip(own.ids, own.slices, strict=True)):
        if found.setdefault(example, value) != value:
            _refuse_other(name, metric, own, k, SLICE)
    return tuple(found[example] for example in ids)


def _refuse_other(name: str, metric: str, own: _Column, row: int, column: str) -> None:
    raise AbaloError(
        f"{visible(name)} {reader_unit(own.places[row])}: the id {visible(own.ids[row])!r} has another {column} here "
        f"than in an earlier row of {visible(metric)}; expected the same in all its runs"
    )


def size_in_words(scores: MetricScores) -> str:
    """The number of examples and scores, such as ``200 examples, 600 scores``."""
    examples, every = len(scores.ids), int(scores.runs.sum())
    more = "" if every == examples else f", {count(every, 'score')}"
    return f"{count(examples, 'example')}{more}"
