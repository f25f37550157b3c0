"""Numbers with intervals, from a bootstrap over clusters: distinct examples, copies and seeds kept together.

All copies of an example and all its seeds are kept together, since neither is independent evidence. One set of
resampling weights serves all cases with as many clusters.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from abalo.core.evidence import ALIKE, Evidence, Flags, name_of
from abalo.core.gate import Gate
from abalo.core.metrics import Floats, Metric

Weights = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval; ``low`` and ``high`` are percentiles of the bootstrap, ``se`` its standard deviation.

    The interval is widened to hold the value where a skewed bootstrap leaves it out. ``n`` is the number of clusters
    behind the number. All are NaN, and n is 0, where it has no meaning.
    """

    value: float
    low: float
    high: float
    se: float
    n: int


UNDEFINED = Estimate(math.nan, math.nan, math.nan, math.nan, 0)


@dataclass(frozen=True, slots=True)
class Measurement:
    """Estimates by metric, overall and per group, in one view.

    Behind a number for a group stand only the clusters that hold it in gold: they are its n. ``support`` is how
    many gold labels of a group there are, copies of an example counted, seeds not.
    """

    view: str
    overall: Mapping[str, Estimate]
    per_group: Mapping[str, Mapping[str, Estimate]]
    support: Mapping[str, int]

    def estimate(self, metric: str, group: str | None = None) -> Estimate:
        """The metric overall, or for one group; undefined for a group that occurs nowhere."""
        found = self.overall if group is None else self.per_group.get(group, {})
        return found.get(metric, UNDEFINED)

    def seen_in(self, view: str, metrics: Iterable[Metric]) -> Measurement:
        """The numbers of ``view``, of evidence that all views see alike: metrics without a meaning in it are NaN."""
        foreign = {metric.name: UNDEFINED for metric in metrics if not metric.meant_in(view)}
        per_group = {
            group: {**part, **{name: UNDEFINED for name in foreign if name in part}}
            for group, part in self.per_group.items()
        }
        return Measurement(view, {**self.overall, **foreign}, per_group, self.support)


class Bootstrap:
    """Resampling weights for a number of clusters, drawn in chunks, and kept while they are small.

    A weight says how often a cluster occurs in a resample: a multinomial draw of as many clusters as there are
    (Efron & Tibshirani, An Introduction to the Bootstrap, 1993, chapter 6). They depend on the number of clusters, of
    resamples and the seed alone.
    """

    _CELLS_DRAWN_AT_ONCE = 2**20
    _CELLS_KEPT = 2**26

    def __init__(self, clusters: int, resamples: int = 10_000, seed: int = 0) -> None:
        self.clusters = clusters
        self.resamples = resamples
        self.seed = seed
        self._kept: list[Weights] | None = None

    def sums(self, table: Floats) -> Floats:
        """Sums of ``table`` (clusters × …) over the clusters of each resample: an array (resamples × …).

        They are exact for whole numbers below 2**24, else single precision.
        """
        columns = table.reshape(self.clusters, -1).astype(np.float32)
        sums = np.concatenate([weights.astype(np.float32) @ columns for weights in self._weights()])
        return sums.astype(np.float64).reshape(self.resamples, *table.shape[1:])

    def _weights(self) -> Iterable[Weights]:
        if self.clusters * self.resamples > self._CELLS_KEPT:
            return self._drawn()
        if self._kept is None:
            self._kept = list(self._drawn())
        return self._kept

    def _drawn(self) -> Iterator[Weights]:
        """Arrays (some resamples × clusters), the same whatever the size of the chunks."""
        generator = np.random.Generator(np.random.PCG64([self.seed, self.clusters]))
        at_once = max(1, self._CELLS_DRAWN_AT_ONCE // self.clusters)
        for start in range(0, self.resamples, at_once):
            rows = min(at_once, self.resamples - start)
            drawn = generator.integers(self.clusters, size=(rows, self.clusters), dtype=np.int32)
            cells = drawn + np.arange(rows)[:, None] * self.clusters
            counts = np.bincount(cells.ravel(), minlength=rows * self.clusters)
            # One byte is enough: 256 copies of one cluster have a probability below 1e-500.
            yield counts.astype(np.uint8).reshape(rows, self.clusters)


@lru_cache(maxsize=64)
def bootstrap(clusters: int, resamples: int) -> Bootstrap:
    """The weights for so many clusters, shared by all who ask."""
    return Bootstrap(clusters, resamples)


def measure(evidence: Evidence, views: Sequence[str], metrics: Iterable[Metric], gate: Gate) -> dict[str, Measurement]:
    """Every metric in each of the views; measured once where all of them see the same."""
    metrics = list(metrics)
    if evidence.alike:
        once = measured(evidence, ALIKE, metrics, gate)
        return {view: once.seen_in(view, metrics) for view in views}
    return {view: measured(evidence, view, metrics, gate) for view in views}


def measured(evidence: Evidence, view: str, metrics: Iterable[Metric], gate: Gate) -> Measurement:
    """Every metric in one view, overall and per group, with intervals as the gate asks; NaN where it has no meaning.

    In the view `ALIKE`, of evidence that all views see alike, every metric has a meaning.
    """
    metrics = list(metrics)
    if not len(evidence):
        return Measurement(view, {metric.name: UNDEFINED for metric in metrics}, {}, {})
    places = np.unique(evidence.clusters, return_inverse=True)[1]
    tables: dict[tuple[str, bool], _Table] = {}
    overall: dict[str, Estimate] = {}
    per_group: dict[str, dict[str, Estimate]] = {group: {} for group in evidence.groups}
    for metric in metrics:
        if view == ALIKE or metric.meant_in(view):
            shared = name_of(metric.count), metric.changed_only
            if shared not in tables:
                chosen = evidence.changed | (not metric.changed_only)
                tables[shared] = _table(evidence.counts(metric, view), chosen, places, evidence)
            found = tables[shared].estimates(metric, gate.confidence, gate.resamples)
        else:
            found = [UNDEFINED] * (1 + len(evidence.groups))
        overall[metric.name], *parts = found
        if metric.per_group:
            for group, part in zip(evidence.groups, parts, strict=True):
                per_group[group][metric.name] = part
    return Measurement(view, overall, per_group, support(evidence))


def support(evidence: Evidence) -> dict[str, int]:
    """How many gold labels of each group there are, under one seed, each example once."""
    chosen = np.flatnonzero(evidence.seeds == evidence.seeds[0])
    if any(evidence.places[chosen]):  # several units of an example may hold the same
        units = {(evidence.ids[i], evidence.held[i].tobytes()): i for i in chosen}
        chosen = np.array([*units.values()])
    return dict(zip(evidence.groups, evidence.held[chosen].sum(axis=0).tolist(), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """Sums of counts by cluster, overall and then per group (clusters × 1 + groups × columns).

    ``sizes`` is how many clusters stand behind the numbers, overall and per group.
    """

    rows: Floats
    sizes: tuple[int, ...]
    resampled: dict[int, Floats]

    def estimates(self, metric: Metric, confidence: float, resamples: int) -> list[Estimate]:
        """The metric overall and then per group; undefined where there is no cluster at all."""
        if not self.sizes[0]:
            return [UNDEFINED] * len(self.sizes)
        values, telling = metric.value(self.rows.sum(axis=0)), ~np.isnan(metric.value(self.rows))
        together = None if metric.given else metric.value(self._resampled(resamples))
        found = []
        for k, n in enumerate(self.sizes):
            draws = self._given(metric, k, telling[:, k], resamples) if together is None else together[:, k]
            found.append(estimate(float(values[k]), draws, min(n, int(telling[:, k].sum())), confidence))
        return [_never(metric, each, confidence) if metric.rare and each.value == 0 else each for each in found]

    def _resampled(self, resamples: int) -> Floats:
        if resamples not in self.resampled:
            self.resampled[resamples] = bootstrap(len(self.rows), resamples).sums(self.rows)
        return self.resampled[resamples]

    def _given(self, metric: Metric, group: int, telling: Flags, resamples: int) -> Floats:
        """Resampled values of one group, over the clusters that have something to count."""
        kept = self.rows[telling, group]
        return metric.value(bootstrap(len(kept), resamples).sums(kept)) if len(kept) else np.zeros(0)


def _table(counts: Floats, chosen: Flags, places: NDArray[np.intp], evidence: Evidence) -> _Table:
    sums = np.zeros((places.max() + 1, *counts.shape[1:]))
    np.add.at(sums, places[chosen], counts[chosen])
    held = evidence.held[chosen] > 0
    by_group = [len(np.unique(places[chosen][held[:, k]])) for k in range(len(evidence.groups))]
    return _Table(sums, (len(np.unique(places[chosen])), *by_group), {})


def _never(metric: Metric, found: Estimate, confidence: float) -> Estimate:
    """An event that never happened, with the rate at which none of n clusters would have one once in so many times.

    No resample knows what was not seen (Hanley and Lippman-Hand 1983, If nothing goes wrong, is everything all right?).
    """
    high = metric.high * (1 - ((1 - confidence) / 2) ** (1 / found.n)) if found.n else metric.high
    return replace(found, high=high)


def estimate(value: float, draws: Floats, n: int, confidence: float) -> Estimate:
    """A value with the interval that its resampled ``draws`` give; those that are NaN are left out."""
    if math.isnan(value):
        return UNDEFINED
    draws = draws[~np.isnan(draws)]
    low, high = np.quantile(draws, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Estimate(value, min(float(low), value), max(float(high), value), float(draws.std(ddof=1)), n)
