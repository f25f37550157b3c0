"""Intervals, verdicts and corrections.

Every number is estimated with a bootstrap over distinct clean sentences: all copies of a sentence and all its seeds
are kept together, since neither is independent evidence. One set of resampling weights serves all cases.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from abalo.metrics import Metric
from abalo.metrics.metric import Count, Floats
from abalo.outcomes import Outcome
from abalo.tasks.ner import View
from perturbations import entity_spans

FEWEST_SENTENCES = 50
"""With fewer distinct sentences nothing is judged: the bootstrap's coverage is poor below."""

Verdict = Literal["pass", "fail", "inconclusive"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval; ``low`` and ``high`` are percentiles of the bootstrap, ``se`` its standard deviation.

    ``n`` is the number of distinct sentences behind it. All are NaN, and n is 0, where the number has no meaning.
    """

    value: float
    low: float
    high: float
    se: float
    n: int


UNDEFINED = Estimate(math.nan, math.nan, math.nan, math.nan, 0)


@dataclass(frozen=True, slots=True)
class Measurement:
    """Estimates by metric, overall and per entity type, in one view; ``support`` is gold entities per type, once each."""

    view: View
    overall: Mapping[str, Estimate]
    per_type: Mapping[str, Mapping[str, Estimate]]
    support: Mapping[str, int]


class Bootstrap:
    """Resampling weights for a number of clusters, drawn in chunks and kept while they are small.

    A weight says how often a cluster occurs in a resample: a multinomial draw of as many clusters as there are
    (Efron & Tibshirani, An Introduction to the Bootstrap, 1993, chapter 6).
    """

    _CHUNK = 1000
    _KEPT_BYTES = 64 * 2**20

    def __init__(self, clusters: int, resamples: int = 10_000, seed: int = 0) -> None:
        self.clusters = clusters
        self.resamples = resamples
        self.seed = seed
        self._kept: list[NDArray[np.uint8]] | None = None

    def sums(self, table: Floats) -> Floats:
        """The column sums of ``table`` (clusters × columns) in each resample: an array (resamples × columns)."""
        single = table.astype(np.float32)
        return np.concatenate([weights.astype(np.float32) @ single for weights in self._weights()]).astype(np.float64)

    def _weights(self) -> Iterator[NDArray[np.uint8]]:
        if self._kept is not None:
            yield from self._kept
            return
        keep = self.clusters * self.resamples <= self._KEPT_BYTES
        kept = []
        for chunk, start in enumerate(range(0, self.resamples, self._CHUNK)):
            weights = self._draw(chunk, min(self._CHUNK, self.resamples - start))
            if keep:
                kept.append(weights)
            yield weights
        self._kept = kept if keep else None

    def _draw(self, chunk: int, rows: int) -> NDArray[np.uint8]:
        generator = np.random.Generator(np.random.PCG64([self.seed, self.clusters, chunk]))
        drawn = generator.integers(self.clusters, size=(rows, self.clusters), dtype=np.int32)
        drawn += np.arange(rows, dtype=np.int32)[:, None] * self.clusters
        counts = np.bincount(drawn.ravel(), minlength=rows * self.clusters)
        return np.minimum(counts, 255).astype(np.uint8).reshape(rows, self.clusters)

    def estimates(self, tables: Sequence[Floats], values: Sequence[Metric], confidence: float) -> list[Estimate]:
        """One estimate per metric, each from its table (clusters × columns of the metric's counts)."""
        widths = [table.shape[1] for table in tables]
        resampled = np.split(self.sums(np.concatenate(tables, axis=1)), np.cumsum(widths)[:-1], axis=1)
        points = np.array([float(m.value(t.sum(axis=0))) for m, t in zip(values, tables, strict=True)])
        draws = np.stack([m.value(sums) for m, sums in zip(values, resampled, strict=True)])
        tail = (1 - confidence) / 2
        low, high = np.quantile(draws, [tail, 1 - tail], axis=1)
        spread = draws.std(axis=1, ddof=1)
        return [
            Estimate(float(points[i]), float(low[i]), float(high[i]), float(spread[i]), self.clusters)
            for i in range(len(values))
        ]


def measure(
    outcomes: Sequence[Outcome], view: View, metrics: Sequence[Metric], bootstrap: Bootstrap, confidence: float
) -> Measurement:
    """Every metric in one view, overall and per type, with intervals at ``confidence``."""
    types = entity_types(outcomes)
    clusters = _clusters(outcomes)
    changed = np.array([outcome.changed for outcome in outcomes])
    tables: list[Floats] = []
    asked: list[Metric] = []
    places: list[tuple[str, str | None]] = []
    per_outcome: dict[Count, Floats] = {}
    for metric in metrics:
        if metric.changed_only and not changed.any():
            continue
        if metric.count not in per_outcome:
            per_outcome[metric.count] = metric.count(outcomes, view, types)
        rows = per_outcome[metric.count]
        if metric.changed_only:
            rows = rows * changed[:, None, None]
        sums = _by_cluster(rows, clusters, bootstrap.clusters)
        tables.append(sums.sum(axis=1))
        asked.append(metric)
        places.append((metric.name, None))
        for k, kind in enumerate(types if metric.per_type else ()):
            tables.append(sums[:, k])
            asked.append(metric)
            places.append((metric.name, kind))
    estimates = dict(zip(places, bootstrap.estimates(tables, asked, confidence), strict=True))
    changed_clusters = len(np.unique(clusters[changed]))
    for metric in metrics:
        if metric.changed_only and (metric.name, None) in estimates:
            estimates[metric.name, None] = replace(estimates[metric.name, None], n=changed_clusters)
    return Measurement(
        view,
        {metric.name: estimates.get((metric.name, None), UNDEFINED) for metric in metrics},
        {kind: {m.name: estimates[m.name, kind] for m in metrics if m.per_type} for kind in types},
        _support(outcomes, types),
    )


def entity_types(outcomes: Sequence[Outcome]) -> list[str]:
    """The entity types in gold and in any prediction, sorted."""
    found: set[str] = set()
    for outcome in outcomes:
        for tags in {outcome.gold.tags or (), outcome.clean.tags, outcome.prediction.tags}:
            found.update(tag[2:] for tag in tags if tag != "O")
    return sorted(found)


def cluster_count(outcomes: Sequence[Outcome]) -> int:
    """How many distinct clean sentences there are."""
    return len({outcome.sentence_id for outcome in outcomes})


def _clusters(outcomes: Sequence[Outcome]) -> NDArray[np.intp]:
    """The cluster of each outcome, numbered in order of first appearance."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(outcome.sentence_id, len(numbers)) for outcome in outcomes], dtype=np.intp)


def _by_cluster(rows: Floats, clusters: NDArray[np.intp], count: int) -> Floats:
    sums = np.zeros((count, *rows.shape[1:]))
    np.add.at(sums, clusters, rows)
    return sums


def _support(outcomes: Sequence[Outcome], types: Sequence[str]) -> dict[str, int]:
    support = dict.fromkeys(types, 0)
    first_seed = outcomes[0].seed if outcomes else 0
    for outcome in outcomes:
        if outcome.seed == first_seed:
            for span in entity_spans(outcome.gold.tags or ()):
                support[span.type] += 1
    return support


# Verdicts -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bound:
    """A limit on a metric, inclusive: at most (``side`` "max") or at least ("min"), overall or for one entity type."""

    metric: str
    side: Literal["max", "min"]
    limit: float
    type: str | None = None

    @property
    def name(self) -> str:
        """As it stands in thresholds.toml, such as ``max_f1_drop``."""
        return f"{self.side}_{self.metric}"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an estimate says about a bound.

    ``p`` is one-sided, of the bound holding. ``uncorrected`` is the verdict from the interval alone. ``needed`` is how
    many distinct sentences would settle an inconclusive one at the same estimate, None where none would.
    """

    bound: Bound
    estimate: Estimate
    verdict: Verdict
    uncorrected: Verdict
    p: float | None = None
    reason: str | None = None
    needed: int | None = None


def judge(
    bound: Bound, estimate: Estimate, *, confidence: float, blocking_bounds: int, corrected: bool = True
) -> Judgement:
    """Fail when the whole interval is beyond the bound, pass when it is all inside, else inconclusive.

    A fail stands only if its one-sided p is at most ``(1 - confidence) / 2 / blocking_bounds`` (Bonferroni), unless
    ``corrected`` is False. A value without meaning, or from too few sentences, is inconclusive with a reason.
    """
    if math.isnan(estimate.value):
        return Judgement(bound, estimate, "inconclusive", "inconclusive", reason=f"{bound.metric} has no value here")
    if estimate.n < FEWEST_SENTENCES:
        reason = f"fewer than {FEWEST_SENTENCES} distinct sentences ({estimate.n})"
        return Judgement(bound, estimate, "inconclusive", "inconclusive", reason=reason, needed=FEWEST_SENTENCES)
    p = _p_of_holding(bound, estimate)
    uncorrected = _verdict(bound, estimate)
    if uncorrected == "inconclusive":
        needed = _needed(bound, estimate)
        return Judgement(bound, estimate, uncorrected, uncorrected, p, "the interval contains the bound", needed)
    level = (1 - confidence) / 2 / max(1, blocking_bounds)
    if uncorrected == "fail" and corrected and p > level:
        reason = f"beyond the bound, but not after correction for {blocking_bounds} bounds (p = {p:.2g} > {level:.2g})"
        return Judgement(bound, estimate, "inconclusive", uncorrected, p, reason, _needed_at(bound, estimate, level))
    return Judgement(bound, estimate, uncorrected, uncorrected, p)


def _verdict(bound: Bound, estimate: Estimate) -> Verdict:
    if bound.side == "max":
        inside, beyond = estimate.high <= bound.limit, estimate.low > bound.limit
    else:
        inside, beyond = estimate.low >= bound.limit, estimate.high < bound.limit
    return "pass" if inside else "fail" if beyond else "inconclusive"


def _excess(bound: Bound, estimate: Estimate) -> float:
    """How far the estimate lies beyond the bound; negative inside."""
    return estimate.value - bound.limit if bound.side == "max" else bound.limit - estimate.value


def _p_of_holding(bound: Bound, estimate: Estimate) -> float:
    excess = _excess(bound, estimate)
    if estimate.se == 0:
        return 0.0 if excess > 0 else 1.0
    return 0.5 * math.erfc(excess / estimate.se / math.sqrt(2))


def _needed(bound: Bound, estimate: Estimate) -> int | None:
    """Sentences at which the interval, shrinking with the root of n, would no longer contain the bound."""
    excess = _excess(bound, estimate)
    towards_bound = estimate.low if (excess > 0) == (bound.side == "max") else estimate.high
    half = abs(estimate.value - towards_bound)
    return math.ceil(estimate.n * (half / excess) ** 2) + 1 if excess else None


def _needed_at(bound: Bound, estimate: Estimate, level: float) -> int:
    """Sentences at which an excess of the same size would reach the corrected level."""
    z = _excess(bound, estimate) / estimate.se
    return math.ceil(estimate.n * (NormalDist().inv_cdf(1 - level) / z) ** 2)
