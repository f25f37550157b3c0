"""Numbers with intervals over clusters, which keep an example's copies and seeds together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from statistics import NormalDist, fmean, stdev
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo.core.records.gate import Gate
from abalo.core.records.rounding import ROUNDING
from abalo.core.statistics import few_events, linearised
from abalo.core.statistics.ends import Wider, few_at_ends
from abalo.core.statistics.evidence import ALIKE, DISTINCT, Evidence, name_of
from abalo.core.statistics.few_events import FEW, Ends, Few, Law, MeanLaw
from abalo.core.statistics.metrics import Difference, Flags, Floats, Mean, MeanShare, Metric, Net, Share, holding
from abalo.core.statistics.sequential import FINEST
from abalo.core.statistics.summable import summable

FEWEST_CLUSTERS = 50
"""With fewer, nothing passes and only exact laws fail."""

Weights = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval, from ``low`` to ``high``.

    * ``se``: standard error that corresponds to the interval.
    * ``n`` of ``distinct``: clusters with something to count, of all. If undefined, numbers are NaN and n is 0.
    * ``events``: clusters with events; if few, a ``law`` gives the ends.
    * ``decidable``: false if too few events allow no interval.
    * ``by_training``: numbers of several trainings; the interval covers examples.
    * ``trials``: independent trials behind a share; None for other numbers.
    """

    value: float
    low: float
    high: float
    se: float
    n: int
    distinct: int | None = None
    events: int | None = None
    law: Law | None = None
    decidable: bool = True
    by_training: tuple[float, ...] = ()
    trials: float | None = None

    def at_level(self, level: float, confidence: float, metric: Metric) -> Estimate:
        """The estimate at another one-sided level; ``confidence`` is its own."""
        if math.isnan(self.value):
            return self
        law = self.law or Ends(self.value, (self.low, self.high), confidence)
        low, high = (end(max(level, FINEST)) for end in (law.low, law.high))
        return replace(
            self, low=max(min(low, self.value), metric.low), high=min(max(high, self.value), metric.high), law=law
        )

    @property
    def sd(self) -> float:
        """The standard deviation over trainings, or NaN."""
        known = [value for value in self.by_training if not math.isnan(value)]
        return stdev(known) if len(known) > 1 else math.nan


UNDEFINED = Estimate(math.nan, math.nan, math.nan, math.nan, 0)


@dataclass(frozen=True, slots=True)
class Measurement:
    """Estimates by metric, overall and per group, in one view.

    Groups count only clusters with their gold, ``support`` their gold labels.
    """

    view: str
    overall: Mapping[str, Estimate]
    per_group: Mapping[str, Mapping[str, Estimate]]
    support: Mapping[str, int]

    def estimate(self, metric: str, group: str | None = None) -> Estimate:
        """The metric overall or for a group, possibly undefined."""
        found = self.overall if group is None else self.per_group.get(group, {})
        return found.get(metric, UNDEFINED)

    def at_level(self, level: float, confidence: float, metrics: Mapping[str, Metric]) -> Measurement:
        """The estimates at another one-sided level; ``confidence`` is their own."""

        def at(part: Mapping[str, Estimate]) -> dict[str, Estimate]:
            return {name: each.at_level(level, confidence, metrics[name]) for name, each in part.items()}

        per_group = {group: at(part) for group, part in self.per_group.items()}
        return replace(self, overall=at(self.overall), per_group=per_group)

    def seen_in(self, view: str, metrics: Iterable[Metric]) -> Measurement:
        """The numbers in one ``view`` of alike views; NaN if meaningless there."""
        foreign = {metric.name: UNDEFINED for metric in metrics if not metric.meant_in(view)}
        per_group = {
            group: {**part, **{name: UNDEFINED for name in foreign if name in part}}
            for group, part in self.per_group.items()
        }
        return Measurement(view, {**self.overall, **foreign}, per_group, self.support)


class Bootstrap:
    """Resampling weights that depend only on clusters, resamples and seed.

    [Efron & Tibshirani, An Introduction to the Bootstrap, 1993, chapter 6]
    """

    _CELLS_DRAWN_AT_ONCE = 2**20
    CELLS_KEPT = 2**28
    CELLS_SHARED = 2**24
    """The weights that stay for later tables, beside the ones in use."""

    def __init__(self, clusters: int, resamples: int = 10_000, seed: int = 0) -> None:
        self.clusters = clusters
        self.resamples = resamples
        self.seed = seed
        self._kept: list[Weights] | None = None

    def sums(self, table: Floats) -> Floats:
        """Sums of ``table`` (clusters × …) in each resample (resamples × …)."""
        return self.sums_of([table])[0]

    def sums_of(self, tables: Sequence[Floats]) -> list[Floats]:
        """`sums` of several tables, equal to the last bit."""
        found, first = [np.empty((self.resamples, *table.shape[1:])) for table in tables], 0
        for parts in self.in_parts(tables):
            for sums, part in zip(found, parts, strict=True):
                sums[first : first + len(part)] = part
            first += len(parts[0])
        return found

    def in_parts(self, tables: Sequence[Floats]) -> Iterator[list[Floats]]:
        """`sums_of`, some resamples after the other; their weights are unpacked once for all tables."""
        columns = [summable(table.reshape(self.clusters, -1), self.clusters) for table in tables]
        parts = [part for k, table in enumerate(tables) for part in _blocks(k, columns[k], table.shape[-1])]
        at_once = max(1, self._CELLS_DRAWN_AT_ONCE // max(1, sum(each.shape[1] for each in columns)))
        for packed in self._weights():
            unpacked = {kind: _unpacked(packed, self.clusters, kind) for kind in {each.dtype for each in columns}}
            for first in range(0, packed.shape[1], at_once):
                weights = {kind: every[:, first : first + at_once] for kind, every in unpacked.items()}
                drawn = min(at_once, packed.shape[1] - first)
                found = [np.empty((each.shape[1], drawn)) for each in columns]
                for part in parts:
                    own = weights[part.columns.dtype]
                    sums = part.columns @ (own if part.used is None else own[part.used])
                    found[part.table][part.places] = sums.reshape(-1, drawn)
                yield [
                    np.moveaxis(sums.reshape(*table.shape[1:], -1), -1, 0)
                    for sums, table in zip(found, tables, strict=True)
                ]

    @property
    def cells(self) -> int:
        """The number of the weights, two of which are a byte."""
        return self.clusters * self.resamples

    @property
    def kept(self) -> bool:
        """Whether the weights are in memory."""
        return self._kept is not None

    def forget(self) -> None:
        """Frees the weights."""
        self._kept = None

    def _weights(self) -> Iterable[Weights]:
        if self.cells > self.CELLS_KEPT:
            return self._drawn()
        if self._kept is None:
            self._kept = list(self._drawn())
        return self._kept

    def _drawn(self) -> Iterator[Weights]:
        generator = np.random.Generator(np.random.PCG64([self.seed, self.clusters]))
        at_once = max(1, self._CELLS_DRAWN_AT_ONCE // self.clusters)
        for start in range(0, self.resamples, at_once):
            rows = min(at_once, self.resamples - start)
            drawn = generator.integers(self.clusters, size=(rows, self.clusters), dtype=np.int32)
            cells = drawn + np.arange(rows)[:, None] * self.clusters
            counts = np.bincount(cells.ravel(), minlength=rows * self.clusters)
            # One byte is enough: 256 copies of one cluster have a probability below 1e-500.
            yield _packed(np.ascontiguousarray(counts.astype(np.uint8).reshape(rows, self.clusters).T))


@dataclass(frozen=True, slots=True)
class _Block:
    """Columns of a table (columns × clusters), and the places of their sums.

    Groups that few clusters have come several at once (groups × columns × clusters), each over its ``used`` clusters
    (groups × clusters); where those are fewer than the others', a column of zeros fills up.
    """

    table: int
    columns: NDArray[Any]
    places: slice | NDArray[np.intp]
    used: NDArray[np.intp] | None = None


_THIN = 8
"""Groups that at most one cluster in eight has, such as rare labels, are summed over their clusters."""

_CELLS_OF_THIN = 2**12
"""The used clusters of the groups that are summed at once."""


def _blocks(table: int, columns: NDArray[Any], width: int) -> Iterator[_Block]:
    grouped = columns.reshape(len(columns), -1, width)
    used = (grouped != 0).any(axis=2)
    sizes = used.sum(axis=0)
    thin = sizes * _THIN <= len(columns)
    full = np.flatnonzero(np.repeat(~thin, width))
    if len(full):
        yield _Block(table, columns[:, full].T, full if len(full) < columns.shape[1] else slice(None))
    waiting: list[int] = []
    for group in [int(each) for each in np.argsort(sizes, kind="stable") if thin[each]]:
        if waiting and sizes[group] * (len(waiting) + 1) > _CELLS_OF_THIN:
            yield _thin_block(table, grouped, used, waiting)
            waiting = []
        waiting.append(group)
    if waiting:
        yield _thin_block(table, grouped, used, waiting)


def _thin_block(table: int, grouped: NDArray[Any], used: Flags, groups: Sequence[int]) -> _Block:
    most = int(used[:, groups[-1]].sum())
    rows = np.zeros((len(groups), most), dtype=np.intp)
    columns = np.zeros((len(groups), grouped.shape[2], most), dtype=grouped.dtype)
    for k, group in enumerate(groups):
        own = np.flatnonzero(used[:, group])
        rows[k, : len(own)] = own
        columns[k, :, : len(own)] = grouped[own, group].T
    width = grouped.shape[2]
    return _Block(table, columns, (np.array(groups)[:, None] * width + np.arange(width)).ravel(), rows)


def _packed(weights: Weights) -> Weights:
    """Two weights a byte; as they are if a cluster is drawn 16 times, once in 10,000 runs."""
    if weights.max(initial=0) > 15:
        return weights
    packed = weights[::2].copy()
    packed[: len(weights) // 2] |= weights[1::2] << 4
    return packed


def _unpacked(packed: Weights, clusters: int, kind: np.dtype[np.generic]) -> NDArray[Any]:
    if len(packed) == clusters:
        return packed.astype(kind)
    weights = np.empty((clusters, packed.shape[1]), dtype=kind)
    weights[::2] = packed & 15
    weights[1::2] = packed[: clusters // 2] >> 4
    return weights


SHARED: dict[tuple[int, int], Bootstrap] = {}


def bootstrap(clusters: int, resamples: int) -> Bootstrap:
    """The shared weights for so many clusters."""
    key = clusters, resamples
    SHARED[key] = found = SHARED.pop(key, None) or Bootstrap(clusters, resamples)
    left = Bootstrap.CELLS_SHARED
    for each in reversed(SHARED.values()):
        left -= each.cells
        if left < 0 and each is not found:
            each.forget()
    return found


def measure(evidence: Evidence, views: Sequence[str], metrics: Iterable[Metric], gate: Gate) -> dict[str, Measurement]:
    """Every metric in each view."""
    metrics = list(metrics)
    if evidence.alike:
        once = measure_metrics(evidence, ALIKE, metrics, gate)
        return {view: once.seen_in(view, metrics) for view in views}
    return {view: measure_metrics(evidence, view, metrics, gate) for view in views}


def measure_metrics(evidence: Evidence, view: str, metrics: Iterable[Metric], gate: Gate) -> Measurement:
    """Every metric in one view, overall and per group."""
    metrics = list(metrics)
    if not len(evidence):
        return Measurement(view, {metric.name: UNDEFINED for metric in metrics}, {}, {})
    places = np.unique(evidence.clusters, return_inverse=True)[1]
    by_table: dict[tuple[str, bool], list[Metric]] = {}
    for metric in metrics:
        if view == ALIKE or metric.meant_in(view):
            by_table.setdefault((name_of(metric.count), metric.changed_only), []).append(metric)
    found: dict[str, list[Estimate]] = {}
    waiting: list[tuple[Sequence[Metric], Sequence[_Table]]] = []
    for same in by_table.values():
        chosen = evidence.changed | (not same[0].changed_only)
        counts = evidence.stored_counts(same[0], view, overall=not any(metric.per_group for metric in same))
        tables = _tables(counts, chosen, places, evidence)
        if sum(table.width for _, own in [*waiting, (same, tables)] for table in own) > _COLUMNS:
            found |= _estimates(waiting, gate)
            waiting = []
        waiting.append((same, tables))
    found |= _estimates(waiting, gate)
    overall: dict[str, Estimate] = {}
    per_group: dict[str, dict[str, Estimate]] = {group: {} for group in evidence.groups}
    for metric in metrics:
        overall[metric.name], *parts = found.get(metric.name) or [UNDEFINED] * (1 + len(evidence.groups))
        if metric.per_group:
            for group, part in zip(evidence.groups, parts, strict=True):
                per_group[group][metric.name] = part
    return Measurement(view, overall, per_group, support(evidence))


FEWEST_OF_A_GROUP = 5
"""Groups with fewer distinct examples have no interval."""

_CELLS_AT_ONCE = 2**20

_COLUMNS = 256
"""Tables of more columns are not resampled beside others: each may be large."""


def _estimates(waiting: Sequence[tuple[Sequence[Metric], Sequence[_Table]]], gate: Gate) -> dict[str, list[Estimate]]:
    every = [table for _, own in waiting for table in own]
    for table in every:
        table.beside.extend(every)
    found = {metric.name: _over_trainings(tables, metric, gate) for same, tables in waiting for metric in same}
    for table in every:
        table.beside.clear()  # no circles that keep tables in memory
    return found


def support(evidence: Evidence) -> dict[str, int]:
    """The gold labels per group, under one seed."""
    chosen = np.flatnonzero((evidence.seeds == evidence.seeds[0]) & (evidence.trainings == 0))
    if any(evidence.places[chosen]):  # several units of an example may hold the same
        units = {(evidence.ids[i], evidence.held[i].tobytes()): i for i in chosen}
        chosen = np.array([*units.values()])
    return dict(zip(evidence.groups, evidence.held[chosen].sum(axis=0).tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class _Table:
    every: NDArray[Any]
    """Counts (clusters × 1 + groups × columns) in a small exact type."""
    units: Floats
    sizes: tuple[int, ...]
    distinct: int
    resampled: dict[int, Floats] = field(default_factory=dict)
    values: dict[Metric, Floats] = field(default_factory=dict)
    beside: list[_Table] = field(default_factory=list)
    """Tables of the same clusters that are resampled with this one."""

    def estimates(self, metric: Metric, confidence: float, resamples: int) -> list[Estimate]:
        if not self.sizes[0]:
            return [UNDEFINED] * len(self.sizes)
        value, by_laws = metric.value, isinstance(metric.value, MeanShare)
        if isinstance(metric.value, MeanShare):
            value = metric.value.share
        values, telling = metric.value(self.sums), self._telling(metric, value)
        found: list[Estimate] = []
        known: dict[bytes, Estimate] = {}  # of rare groups, many of which are alike
        for k, size in enumerate(self.sizes if metric.per_group or by_laws else self.sizes[:1]):
            if k and size < FEWEST_OF_A_GROUP and not by_laws:
                key, rows = self.rare[k]
                if key not in known:
                    known[key] = _of_rare(metric, float(values[k]), rows, size, confidence)
                found.append(known[key])
                continue
            told = telling[:, k if telling.shape[1] == len(self.sizes) else self.places[k]]
            counted = self._of_group(k)
            rows, kept = counted[told], told if metric.given else np.any(counted, axis=1)
            error, n = None, min(size, len(rows))
            draws = partial(self.draws, metric, k, kept, resamples)
            if self.large and kept.sum() > linearised.ENOUGH:
                error = partial(self._error, metric, k, kept)
                if metric.macro and not k and (rare := _rare(np.any(self.every[:, 1:], axis=2))).any():
                    draws, error = partial(self._partly, metric, kept, rare, resamples), None
            each = estimate_value(value, rows, draws, n, confidence, float(values[k]), error)
            if each is not UNDEFINED:
                each = widened(each, self._at_ends(metric, k, kept if metric.is_gap else told), confidence)
                low, high = max(each.low, metric.low), min(each.high, metric.high)
                trials = _trials(value, rows, self.units[told])
                each = replace(each, low=low, high=high, distinct=n if k else self.distinct, trials=trials)
            found.append(each)
        if by_laws and found[0] is not UNDEFINED:
            parts = [part for part in found[1:] if part is not UNDEFINED]
            found[0] = replace(
                _by_laws(found[0].value, parts, found[0].n, confidence),
                distinct=self.distinct,
                trials=_together(parts),
            )
        return found

    @property
    def large(self) -> bool:
        return len(self.every) > linearised.MANY

    @property
    def width(self) -> int:
        return math.prod(self.every.shape[1:])

    @cached_property
    def sums(self) -> Floats:
        found: Floats = self.every.sum(axis=0, dtype=np.float64)
        return found

    @cached_property
    def places(self) -> Mapping[int, int]:
        """The place in ``rows`` of each group that is resampled: all, or of a wide table those with an interval."""
        wide = self.width > _COLUMNS
        groups = [k for k, size in enumerate(self.sizes) if not k or not wide or size >= FEWEST_OF_A_GROUP]
        return {group: place for place, group in enumerate(groups)}

    @cached_property
    def rare(self) -> Mapping[int, tuple[bytes, Floats]]:
        """The clusters with counts of each group that is too rare for draws, also as bytes to find equal ones."""
        groups = np.array([k for k, size in enumerate(self.sizes) if k and size < FEWEST_OF_A_GROUP], dtype=np.intp)
        of_groups = self.every if len(groups) == len(self.sizes) - 1 else self.every[:, [0, *groups]]
        places, clusters = np.nonzero(of_groups[:, 1:].any(axis=2).T)
        rows = np.asarray(self.every[clusters, groups[places]], dtype=np.float64)
        parts = np.split(rows, np.searchsorted(places, np.arange(1, len(groups))))
        return {int(group): (part.tobytes(), part) for group, part in zip(groups, parts, strict=False)}

    @cached_property
    def rows(self) -> Floats:
        groups = [*self.places]
        return np.asarray(self.every if len(groups) == len(self.sizes) else self.every[:, groups], dtype=np.float64)

    def _of_group(self, group: int) -> Floats:
        return np.asarray(self.every[:, group], dtype=np.float64)

    def _telling(self, metric: Metric, value: Callable[[Floats], Floats]) -> Flags:
        """Which clusters have something to count (clusters × groups of the table, or of ``rows``)."""
        if not (metric.macro or isinstance(metric.value, MeanShare)):
            return holding(value, self.rows)
        at_once = max(1, _CELLS_AT_ONCE // max(1, self.width))
        parts = (self.every[first : first + at_once] for first in range(0, len(self.every), at_once))
        return np.concatenate([holding(value, part.astype(np.float64)) for part in parts])

    def draws(self, metric: Metric, group: int, kept: Flags, resamples: int) -> Floats:
        if metric.given or self.large:
            return self._given(metric, group, kept, resamples)
        if metric not in self.values:
            self.values[metric] = self._values(metric, resamples)
        return self.values[metric][:, self.places[group]]

    def _values(self, metric: Metric, resamples: int) -> Floats:
        if self.width <= _COLUMNS:
            return metric.value(self._resampled(resamples))
        weights = bootstrap(len(self.every), resamples)  # all sums would need too much memory
        if not metric.macro:
            return np.concatenate([metric.value(sums) for (sums,) in weights.in_parts([self.rows])])
        groups = [*self.places]
        return np.concatenate([metric.value(sums)[:, groups] for (sums,) in weights.in_parts([self.every])])

    def _resampled(self, resamples: int) -> Floats:
        if resamples not in self.resampled:
            every = bootstrap(len(self.rows), resamples).sums_of([table.rows for table in self.beside])
            for table, sums in zip(self.beside, every, strict=True):
                table.resampled[resamples] = sums
        return self.resampled[resamples]

    def _given(self, metric: Metric, group: int, kept: Flags, resamples: int) -> Floats:
        rows, value = self._read(metric, group, kept)
        return value(bootstrap(len(rows), resamples).sums(rows)) if len(rows) else np.zeros(0)

    def _error(self, metric: Metric, group: int, kept: Flags) -> float:
        rows, value = self._read(metric, group, kept)
        return linearised.standard_error(value, rows.astype(np.float64))

    def _at_ends(self, metric: Metric, group: int, telling: Flags) -> Few | None:
        if metric.extremes is None:
            return None
        rows, value = self._read(metric, group, telling)
        kinds = {"drop": metric.is_drop, "gap": metric.is_gap, "more_is_better": metric.more_is_better}
        return few_at_ends(value, rows, metric.extremes, **kinds)

    def _partly(self, metric: Metric, kept: Flags, rare: Flags, resamples: int) -> Floats:
        rows, value = self._read(metric, 0, kept)
        found = linearised.partly_resampled(value, rows.astype(np.float64), rare[kept], resamples)
        return self.draws(metric, 0, kept, resamples) if found is None else found

    def _read(self, metric: Metric, group: int, kept: Flags) -> tuple[NDArray[Any], Callable[[Floats], Floats]]:
        if metric.macro and group == 0:
            return self.every[kept], lambda sums: metric.value(sums)[..., 0]
        return self._of_group(group)[kept], lambda sums: metric.value(np.stack([sums, sums], axis=-2))[..., 1]


def _of_rare(metric: Metric, value: float, rows: Floats, n: int, confidence: float) -> Estimate:
    """The number of a group with too few examples for draws: with an exact law, or anywhere on a scale with ends."""
    if len(rows) and few_events.few(metric.value, rows) is not None:
        rows = rows[holding(metric.value, rows)]
        found = estimate_value(metric.value, rows, lambda: np.zeros(0), min(n, len(rows)), confidence, value)
        low, high = max(found.low, metric.low), min(found.high, metric.high)
        return replace(found, low=low, high=high, distinct=found.n)
    if math.isnan(value):
        return UNDEFINED
    low, high = metric.low, metric.high
    if not math.isfinite(high - low):
        low = high = math.nan
    se = (high - low) / (2 * NormalDist().inv_cdf((1 + confidence) / 2))
    return Estimate(value, low, high, se, n, distinct=n, events=0, decidable=False)


def _rare(counted: Flags) -> Flags:
    sizes, found = counted.sum(axis=0), np.zeros(len(counted), dtype=bool)
    for group in np.argsort(sizes, kind="stable"):
        more = found | counted[:, group]
        if sizes[group] > linearised.RARE or more.sum() > linearised.MANY:
            break
        found = more
    return found


def _tables(counts: NDArray[Any], chosen: Flags, places: NDArray[np.intp], evidence: Evidence) -> list[_Table]:
    size, noted = int(places.max()) + 1, evidence.notes.get(DISTINCT, 0)
    parts = [np.flatnonzero(evidence.trainings == k) for k in range(int(evidence.trainings.max()) + 1)]
    if len(parts) == 1:
        return [_table(counts, chosen, places, evidence.held, size, noted)]
    return [_table(counts[own], chosen[own], places[own], evidence.held[own], size, noted) for own in parts]


def _table(
    counts: NDArray[Any], chosen: Flags, places: NDArray[np.intp], held: NDArray[np.int64], size: int, noted: int
) -> _Table:
    holds = held > 0
    if not chosen.all():
        counts, places, holds = counts[chosen], places[chosen], holds[chosen]
    units = np.bincount(places, minlength=size)
    sums = np.zeros((size, *counts.shape[1:]), _exact(counts, int(units.max(initial=0))))
    by_group = np.zeros((size, counts.shape[1] - 1), dtype=bool)
    for copies in rounds(places):
        sums[places[copies]] += counts[copies]
        by_group[places[copies]] |= holds[copies, : by_group.shape[1]]
    together = int((units > 0).sum())
    sizes = (together, *by_group.sum(axis=0).tolist())
    return _Table(sums, units.astype(np.float64), sizes, max(together, noted) if chosen.all() else together)


def _exact(counts: NDArray[Any], times: int) -> np.dtype[Any]:
    """A type for sums of so many counts."""
    if counts.dtype.kind not in "iu":
        return np.dtype(np.float64)
    most = max(int(counts.max(initial=0)), -int(counts.min(initial=0))) * times
    kinds = (np.int16, np.int32)
    return np.dtype(next((kind for kind in kinds if most <= np.iinfo(kind).max), np.float64))


def rounds(places: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    """The first unit of each place, then the second of each, and so on."""
    order = np.argsort(places, kind="stable")
    number = np.arange(len(places)) - np.searchsorted(places[order], places[order])
    for copy in range(int(number.max(initial=-1)) + 1):
        yield order[number == copy]


def _over_trainings(tables: Sequence[_Table], metric: Metric, gate: Gate) -> list[Estimate]:
    every = [table.estimates(metric, gate.confidence, gate.resamples) for table in tables]
    if len(tables) == 1:
        return every[0]
    return [_mean([each[k] for each in every], tables, metric, k, gate) for k in range(len(every[0]))]


def _mean(parts: Sequence[Estimate], tables: Sequence[_Table], metric: Metric, group: int, gate: Gate) -> Estimate:
    known = [k for k, part in enumerate(parts) if not math.isnan(part.value)]
    if not known:
        return UNDEFINED
    own = [parts[k] for k in known]
    value, n = fmean(part.value for part in own), max(part.n for part in own)
    rare = group > 0 and any(tables[k].sizes[group] < FEWEST_OF_A_GROUP for k in known)
    if rare or metric.given or isinstance(metric.value, Mean) or any(part.law is not None for part in own):
        found = _by_laws(value, own, n, gate.confidence)
    else:
        drawn = [tables[k].draws(metric, group, np.ones(len(tables[k].rows), bool), gate.resamples) for k in known]
        found = estimate(value, np.mean(drawn, axis=0), n, gate.confidence)
    events = min((part.events for part in own if part.events is not None), default=None)
    return replace(
        found,
        distinct=max((part.distinct for part in own if part.distinct is not None), default=None),
        events=events,
        decidable=all(part.decidable for part in own),
        by_training=tuple(part.value for part in parts),
        trials=min((part.trials for part in own if part.trials is not None), default=None),
    )


def _together(parts: Sequence[Estimate]) -> float | None:
    known = [part.trials for part in parts if part.trials]
    return len(known) ** 2 / math.fsum(1 / trials for trials in known) if known else None


def _trials(value: Callable[[Floats], Floats], rows: Floats, units: Floats) -> float | None:
    share = value.second if isinstance(value, Difference) else value
    if not isinstance(share, Share | Net):
        return None
    trials = share.trials(rows)
    return float(trials.sum() ** 2 / (trials * units).sum()) if trials.sum() > 0 else None


def _by_laws(value: float, parts: Sequence[Estimate], n: int, confidence: float) -> Estimate:
    law = MeanLaw(tuple(part.law or Ends(part.value, (part.low, part.high), confidence) for part in parts))
    alpha = (1 - confidence) / 2
    low, high = min(law.low(alpha), value), max(law.high(alpha), value)
    return Estimate(value, low, high, (high - low) / (2 * NormalDist().inv_cdf(1 - alpha)), n, law=law)


def estimate_value(
    value: Callable[[Floats], Floats],
    rows: Floats,
    draws: Callable[[], Floats],
    n: int,
    confidence: float,
    known: float | None = None,
    error: Callable[[], float] | None = None,
) -> Estimate:
    """The number ``value`` over the sums of ``rows`` (clusters × columns), with its interval.

    ``draws`` and ``error`` are called if needed; ``known`` is a more exact number.
    """
    number = float(value(rows.sum(axis=0))) if known is None else known
    if math.isnan(number):
        return UNDEFINED
    few = few_events.few(value, rows)
    if few is not None:
        alpha = (1 - confidence) / 2
        low, high = min(few.law.low(alpha), number), max(few.law.high(alpha), number)
        se = (high - low) / (2 * NormalDist().inv_cdf(1 - alpha))
        return Estimate(number, low, high, se, n, events=few.events if few.events < FEW else None, law=few.law)
    se = math.nan if error is None else error()
    found = estimate(number, draws(), n, confidence) if math.isnan(se) else _linear(number, se, n, confidence)
    if len(rows) < FEWEST_CLUSTERS and (of_few := few_events.few(value, rows, always=True)) is not None:
        found = replace(found, law=of_few.law)
    if isinstance(value, Mean):
        below, above = few_events.unseen(value, rows)
        found = replace(found, low=found.low - below, high=found.high + above)
        differing = few_events.differing(value, rows)
        if differing < few_events.FEWEST:
            return replace(found, events=differing, decidable=False)
    return found


def widened(found: Estimate, few: Few | None, confidence: float) -> Estimate:
    """The estimate with at least the interval of this law, if any."""
    if few is None:
        return found
    flat, alpha = found.high - found.low <= ROUNDING, (1 - confidence) / 2
    law = few.law if flat else Wider(few.law, Ends(found.value, (found.low, found.high), confidence))
    low, high = min(law.low(alpha), found.value), max(law.high(alpha), found.value)
    se = (high - low) / (2 * NormalDist().inv_cdf(1 - alpha))
    return replace(found, low=low, high=high, se=se, events=few.events, law=law)


def _linear(number: float, se: float, n: int, confidence: float) -> Estimate:
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * se
    return Estimate(number, number - reach, number + reach, se, n)


def estimate(value: float, draws: Floats, n: int, confidence: float) -> Estimate:
    """The value with the interval of its ``draws``."""
    if math.isnan(value):
        return UNDEFINED
    draws = draws[~np.isnan(draws)]
    low, high = np.quantile(draws, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Estimate(value, min(float(low), value), max(float(high), value), float(draws.std(ddof=1)), n)
