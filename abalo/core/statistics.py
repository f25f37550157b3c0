"""Numbers with intervals, over clusters: distinct examples, copies and seeds kept together.

All copies of an example and all its seeds are kept together, since neither is independent evidence. Intervals are
percentiles of a bootstrap, and where events are few, laws of their own (`abalo.core.few_events`). One set of resampling
weights serves all cases with as many clusters. Above 20,000 clusters they are linearised (`abalo.core.linearised`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import NormalDist, fmean, stdev

import numpy as np
from numpy.typing import NDArray

from abalo.core import few_events, linearised
from abalo.core.evidence import ALIKE, DISTINCT, Evidence, name_of
from abalo.core.few_events import FEW, Ends, Law, MeanLaw
from abalo.core.gate import Gate
from abalo.core.metrics import Difference, Flags, Floats, Mean, MeanShare, Metric, Net, Share, holding
from abalo.core.sequential import FINEST
from abalo.core.summable import summable

FEWEST_CLUSTERS = 50
"""With fewer distinct examples nothing passes, and only an exact law fails: the bootstrap's coverage is poor below."""

Weights = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval, from ``low`` to ``high``; ``se`` is the standard error that it comes to.

    ``n`` is the number of clusters that hold something to count, of ``distinct`` in all; None where it is not known of
    how many. All are NaN, and n is 0, where the number has no meaning.

    The ends are percentiles of a bootstrap, widened to hold the value where a skewed one leaves it out. Where few
    clusters have ``events``, so many, they come from a ``law`` that knows it; a number without one, of too few events
    for any interval, is not ``decidable``.

    Of several trainings of a model the number is the mean of those ``by_training``; the interval is about examples.

    ``trials`` is the number of trials behind a share, or behind each of two shares; those of copies and of seeds, which
    hang together, count as one. None for other numbers.
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
        """The same with the interval of another one-sided level, in the range of the metric.

        ``confidence`` is that of the interval that it has. The smallest level told apart stands for smaller ones.
        """
        if math.isnan(self.value):
            return self
        law = self.law or Ends(self.value, (self.low, self.high), confidence)
        low, high = (end(max(level, FINEST)) for end in (law.low, law.high))
        return replace(
            self, low=max(min(low, self.value), metric.low), high=min(max(high, self.value), metric.high), law=law
        )

    @property
    def sd(self) -> float:
        """The standard deviation over trainings; NaN where fewer than two have a value."""
        known = [value for value in self.by_training if not math.isnan(value)]
        return stdev(known) if len(known) > 1 else math.nan


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

    def at_level(self, level: float, confidence: float, metrics: Mapping[str, Metric]) -> Measurement:
        """The same with the intervals of another one-sided level; ``confidence`` is that of those that it has."""

        def at(part: Mapping[str, Estimate]) -> dict[str, Estimate]:
            return {name: each.at_level(level, confidence, metrics[name]) for name, each in part.items()}

        per_group = {group: at(part) for group, part in self.per_group.items()}
        return replace(self, overall=at(self.overall), per_group=per_group)

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
    CELLS_KEPT = 2**28
    """Of all that `bootstrap` gives together: 256 MiB."""

    def __init__(self, clusters: int, resamples: int = 10_000, seed: int = 0) -> None:
        self.clusters = clusters
        self.resamples = resamples
        self.seed = seed
        self._kept: list[Weights] | None = None

    def sums(self, table: Floats) -> Floats:
        """Sums of ``table`` (clusters × …) over the clusters of each resample: an array (resamples × …).

        They are exact for `summable` numbers, so that threads, which change the order of additions, change no sum.
        """
        columns = summable(table.reshape(self.clusters, -1), self.clusters)
        sums = np.concatenate([weights.astype(columns.dtype) @ columns for weights in self._weights()])
        return sums.astype(np.float64).reshape(self.resamples, *table.shape[1:])

    @property
    def cells(self) -> int:
        """How many bytes the weights take."""
        return self.clusters * self.resamples

    @property
    def kept(self) -> bool:
        """Whether the weights are in memory."""
        return self._kept is not None

    def forget(self) -> None:
        """Frees the weights; the next sums draw them again."""
        self._kept = None

    def _weights(self) -> Iterable[Weights]:
        if self.cells > self.CELLS_KEPT:
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


SHARED: dict[tuple[int, int], Bootstrap] = {}
"""By clusters and resamples, the last one used at the end."""


def bootstrap(clusters: int, resamples: int) -> Bootstrap:
    """The weights for so many clusters, shared by all who ask; those used longest ago are drawn again when asked for.

    So cases with subsets of many sizes, as of a type, do not fill the memory.
    """
    key = clusters, resamples
    SHARED[key] = found = SHARED.pop(key, None) or Bootstrap(clusters, resamples)
    left = Bootstrap.CELLS_KEPT
    for each in reversed(SHARED.values()):
        left -= each.cells
        if left < 0 and each is not found:
            each.forget()
    return found


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
    by_table: dict[tuple[str, bool], list[Metric]] = {}
    for metric in metrics:
        if view == ALIKE or metric.meant_in(view):
            by_table.setdefault((name_of(metric.count), metric.changed_only), []).append(metric)
    found: dict[str, list[Estimate]] = {}
    for same in by_table.values():  # one table after the other, since each may be large
        chosen = evidence.changed | (not same[0].changed_only)
        counts = evidence.counts(same[0], view)
        if not any(metric.per_group for metric in same):
            counts = counts[:, :1]
        tables = _tables(counts, chosen, places, evidence)
        found |= {metric.name: _over_trainings(tables, metric, gate) for metric in same}
    overall: dict[str, Estimate] = {}
    per_group: dict[str, dict[str, Estimate]] = {group: {} for group in evidence.groups}
    for metric in metrics:
        overall[metric.name], *parts = found.get(metric.name) or [UNDEFINED] * (1 + len(evidence.groups))
        if metric.per_group:
            for group, part in zip(evidence.groups, parts, strict=True):
                per_group[group][metric.name] = part
    return Measurement(view, overall, per_group, support(evidence))


def support(evidence: Evidence) -> dict[str, int]:
    """How many gold labels of each group there are, under one seed, each example once."""
    chosen = np.flatnonzero((evidence.seeds == evidence.seeds[0]) & (evidence.trainings == 0))
    if any(evidence.places[chosen]):  # several units of an example may hold the same
        units = {(evidence.ids[i], evidence.held[i].tobytes()): i for i in chosen}
        chosen = np.array([*units.values()])
    return dict(zip(evidence.groups, evidence.held[chosen].sum(axis=0).tolist(), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """Sums of counts by cluster, overall and then per group (clusters × 1 + groups × columns).

    ``units`` is how many units each cluster has. ``sizes`` is how many clusters stand behind the numbers, overall and
    per group; ``distinct`` how many the case had.
    """

    rows: Floats
    units: Floats
    sizes: tuple[int, ...]
    distinct: int
    resampled: dict[int, Floats]
    values: dict[Metric, Floats]

    def estimates(self, metric: Metric, confidence: float, resamples: int) -> list[Estimate]:
        """The metric overall and then per group, in its range; undefined where there is no cluster at all."""
        if not self.sizes[0]:
            return [UNDEFINED] * len(self.sizes)
        value = metric.value.share if isinstance(metric.value, MeanShare) else metric.value
        values, telling = metric.value(self.rows.sum(axis=0)), holding(value, self.rows)
        found = []
        for k, size in enumerate(self.sizes):
            kept = self._kept(metric, k, telling[:, k])
            draws = partial(self.draws, metric, k, kept, resamples)
            rows, error = self.rows[telling[:, k], k], None
            n = min(size, len(rows))
            if self.large and kept.sum() > linearised.ENOUGH:
                error = partial(self._error, metric, k, kept)
                if metric.macro and not k and (rare := _rare(np.any(self.rows[:, 1:], axis=2))).any():
                    draws, error = partial(self._partly, metric, kept, rare, resamples), None
            each = estimated(value, rows, draws, n, confidence, float(values[k]), error)
            if each is not UNDEFINED:
                low, high = max(each.low, metric.low), min(each.high, metric.high)
                trials = _trials(value, rows, self.units[telling[:, k]])
                each = replace(each, low=low, high=high, distinct=n if k else self.distinct, trials=trials)
            found.append(each)
        if isinstance(metric.value, MeanShare) and found[0] is not UNDEFINED:
            parts = [part for part in found[1:] if part is not UNDEFINED]
            found[0] = replace(
                _by_laws(found[0].value, parts, found[0].n, confidence),
                distinct=self.distinct,
                trials=_together(parts),
            )
        return found

    @property
    def large(self) -> bool:
        """Whether there are too many clusters to resample all of them."""
        return len(self.rows) > linearised.MANY

    def _kept(self, metric: Metric, group: int, telling: Flags) -> Flags:
        """The clusters that are resampled, where not all are: of a ``given`` metric those ``telling`` something.

        Of any other metric all with counts, since one that has no number by itself may still count in that of all.
        """
        counted: Flags = np.any(self.rows[:, group], axis=1)
        return telling if metric.given else counted

    def draws(self, metric: Metric, group: int, kept: Flags, resamples: int) -> Floats:
        """Resampled values overall or of one group; ``kept`` are the clusters that count."""
        if metric.given or self.large:
            return self._given(metric, group, kept, resamples)
        if metric not in self.values:
            self.values[metric] = metric.value(self._resampled(resamples))
        return self.values[metric][:, group]

    def _resampled(self, resamples: int) -> Floats:
        if resamples not in self.resampled:
            self.resampled[resamples] = bootstrap(len(self.rows), resamples).sums(self.rows)
        return self.resampled[resamples]

    def _given(self, metric: Metric, group: int, kept: Flags, resamples: int) -> Floats:
        """Resampled values of one group, over the clusters that count."""
        rows, value = self._read(metric, group, kept)
        return value(bootstrap(len(rows), resamples).sums(rows)) if len(rows) else np.zeros(0)

    def _error(self, metric: Metric, group: int, kept: Flags) -> float:
        """The linearised standard error overall or of one group."""
        rows, value = self._read(metric, group, kept)
        return linearised.standard_error(value, rows)

    def _partly(self, metric: Metric, kept: Flags, rare: Flags, resamples: int) -> Floats:
        """Draws of a mean over groups in which only the clusters of rare groups are resampled, if it has slopes."""
        rows, value = self._read(metric, 0, kept)
        found = linearised.partly_resampled(value, rows, rare[kept], resamples)
        return self.draws(metric, 0, kept, resamples) if found is None else found

    def _read(self, metric: Metric, group: int, kept: Flags) -> tuple[Floats, Callable[[Floats], Floats]]:
        """The rows that the number of one group is made of (clusters × …), and the number in sums of such rows.

        A mean over groups is made of all of them, any other number of its own group alone.
        """
        if metric.macro and group == 0:
            return self.rows[kept], lambda sums: metric.value(sums)[..., 0]
        return self.rows[kept, group], lambda sums: metric.value(np.stack([sums, sums], axis=-2))[..., 1]


def _rare(counted: Flags) -> Flags:
    """The clusters of rare groups, the rarest first, at most as many as are resampled elsewhere.

    ``counted`` says which clusters have counts of which groups (clusters × groups).
    """
    sizes, found = counted.sum(axis=0), np.zeros(len(counted), dtype=bool)
    for group in np.argsort(sizes, kind="stable"):
        more = found | counted[:, group]
        if sizes[group] > linearised.RARE or more.sum() > linearised.MANY:
            break
        found = more
    return found


def _tables(counts: Floats, chosen: Flags, places: NDArray[np.intp], evidence: Evidence) -> list[_Table]:
    """A table for each training of the model, of the same clusters."""
    size, noted = int(places.max()) + 1, evidence.notes.get(DISTINCT, 0)
    parts = [evidence.trainings == k for k in range(int(evidence.trainings.max()) + 1)]
    return [_table(counts[own], chosen[own], places[own], evidence.held[own], size, noted) for own in parts]


def _table(
    counts: Floats, chosen: Flags, places: NDArray[np.intp], held: NDArray[np.int64], size: int, noted: int
) -> _Table:
    """Sums over the units ``chosen``, for ``size`` clusters, where the case had at least ``noted``."""
    counts, places, holds = counts[chosen], places[chosen], held[chosen] > 0
    sums = np.zeros((size, *counts.shape[1:]))
    np.add.at(sums, places, counts)
    by_group = [len(np.unique(places[holds[:, k]])) for k in range(counts.shape[1] - 1)]
    together = len(np.unique(places))
    units = np.bincount(places, minlength=size).astype(np.float64)
    return _Table(sums, units, (together, *by_group), max(together, noted) if chosen.all() else together, {}, {})


def _over_trainings(tables: Sequence[_Table], metric: Metric, gate: Gate) -> list[Estimate]:
    """The metric overall and then per group: of several trainings the mean, of those that have a value."""
    every = [table.estimates(metric, gate.confidence, gate.resamples) for table in tables]
    if len(tables) == 1:
        return every[0]
    return [_mean([each[k] for each in every], tables, metric, k, gate) for k in range(len(every[0]))]


def _mean(parts: Sequence[Estimate], tables: Sequence[_Table], metric: Metric, group: int, gate: Gate) -> Estimate:
    """The mean over trainings, resampled together; where one of them has a law of its own, by the mean of laws."""
    known = [k for k, part in enumerate(parts) if not math.isnan(part.value)]
    if not known:
        return UNDEFINED
    own = [parts[k] for k in known]
    value, n = fmean(part.value for part in own), max(part.n for part in own)
    if metric.given or isinstance(metric.value, Mean) or any(part.law is not None for part in own):
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
    """The trials whose share varies as the mean of the shares does."""
    known = [part.trials for part in parts if part.trials]
    return len(known) ** 2 / math.fsum(1 / trials for trials in known) if known else None


def _trials(value: Callable[[Floats], Floats], rows: Floats, units: Floats) -> float | None:
    """The trials in rows of clusters, each of so many units; all units of a cluster count as one."""
    share = value.second if isinstance(value, Difference) else value
    if not isinstance(share, Share | Net):
        return None
    trials = share.trials(rows)
    return float(trials.sum() ** 2 / (trials * units).sum()) if trials.sum() > 0 else None


def _by_laws(value: float, parts: Sequence[Estimate], n: int, confidence: float) -> Estimate:
    """The mean of numbers, ``value``, by the mean of their laws."""
    law = MeanLaw(tuple(part.law or Ends(part.value, (part.low, part.high), confidence) for part in parts))
    alpha = (1 - confidence) / 2
    low, high = min(law.low(alpha), value), max(law.high(alpha), value)
    return Estimate(value, low, high, (high - low) / (2 * NormalDist().inv_cdf(1 - alpha)), n, law=law)


def estimated(
    value: Callable[[Floats], Floats],
    rows: Floats,
    draws: Callable[[], Floats],
    n: int,
    confidence: float,
    known: float | None = None,
    error: Callable[[], float] | None = None,
) -> Estimate:
    """The number that ``value`` makes of the sums of ``rows`` (clusters × columns), with its interval.

    ``draws`` resamples it; it is called only if the events are not few, and if no linearised standard ``error`` is
    asked for or the number has none (NaN). ``known`` is the number itself, if it has been found more exactly.
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


def _linear(number: float, se: float, n: int, confidence: float) -> Estimate:
    """A number with the interval of a normal law."""
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * se
    return Estimate(number, number - reach, number + reach, se, n)


def estimate(value: float, draws: Floats, n: int, confidence: float) -> Estimate:
    """A value with the interval that its resampled ``draws`` give; those that are NaN are left out."""
    if math.isnan(value):
        return UNDEFINED
    draws = draws[~np.isnan(draws)]
    low, high = np.quantile(draws, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Estimate(value, min(float(low), value), max(float(high), value), float(draws.std(ddof=1)), n)
