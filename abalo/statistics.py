"""Numbers with intervals, from a bootstrap over distinct clean sentences.

All copies of a sentence and all its seeds are kept together, since neither is independent evidence. One set of
resampling weights serves all cases.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from abalo.metrics import Metric
from abalo.metrics.metric import Count, Floats
from abalo.outcomes import Outcome
from abalo.tasks.ner import View
from perturbations import entity_spans

Weights = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval; ``low`` and ``high`` are percentiles of the bootstrap, ``se`` its standard deviation.

    The interval is widened to hold the value where a skewed bootstrap leaves it out. ``n`` is the number of distinct
    sentences behind the number. All are NaN, and n is 0, where it has no meaning.
    """

    value: float
    low: float
    high: float
    se: float
    n: int


UNDEFINED = Estimate(math.nan, math.nan, math.nan, math.nan, 0)


@dataclass(frozen=True, slots=True)
class Measurement:
    """Estimates by metric, overall and per entity type, in one view.

    Behind a number for a type stand only the sentences that hold the type in gold: they are its n. ``support`` is how
    many gold entities of a type there are, copies of a sentence counted, seeds not.
    """

    view: View
    overall: Mapping[str, Estimate]
    per_type: Mapping[str, Mapping[str, Estimate]]
    support: Mapping[str, int]

    def estimate(self, metric: str, kind: str | None = None) -> Estimate:
        """The metric overall, or for the entity type ``kind``; undefined for a type that occurs nowhere."""
        found = self.overall if kind is None else self.per_type.get(kind, {})
        return found.get(metric, UNDEFINED)

    def seen_in(self, view: View, metrics: Iterable[Metric]) -> Measurement:
        """The numbers of ``view``, from outcomes that all views see alike: metrics without a meaning in it are NaN."""
        foreign = {metric.name: UNDEFINED for metric in metrics if view not in metric.views}
        per_type = {
            kind: {**part, **{name: UNDEFINED for name in foreign if name in part}}
            for kind, part in self.per_type.items()
        }
        return Measurement(view, {**self.overall, **foreign}, per_type, self.support)


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


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """Sums of counts, overall and then per type: of the sample (1 + types × columns), and of every resample.

    ``rows`` holds the same for each distinct sentence (sentences × 1 + types × columns); ``sentences`` is how many of
    them stand behind the numbers overall and per type.
    """

    rows: Floats
    resampled: Floats
    sentences: tuple[int, ...]

    def estimates(self, metric: Metric, confidence: float) -> list[Estimate]:
        """The metric overall and then per type; undefined where there is no sentence at all."""
        if not self.sentences[0]:
            return [UNDEFINED] * len(self.sentences)
        values, draws = metric.value(self.rows.sum(axis=0)), metric.value(self.resampled)
        telling = np.count_nonzero(~np.isnan(metric.value(self.rows)), axis=0)  # the others have nothing to count
        found = [
            estimate(float(values[k]), draws[:, k], min(n, int(telling[k])), confidence)
            for k, n in enumerate(self.sentences)
        ]
        return [_never(metric, each, confidence) if metric.promised and each.value == 0 else each for each in found]


def _never(metric: Metric, found: Estimate, confidence: float) -> Estimate:
    """What never happened, with the rate at which it would happen in none of n sentences once in so many times.

    No resample knows what was not seen (Hanley and Lippman-Hand 1983, If nothing goes wrong, is everything all right?).
    """
    high = metric.high * (1 - ((1 - confidence) / 2) ** (1 / found.n)) if found.n else metric.high
    return replace(found, high=high)


def measure(
    outcomes: Sequence[Outcome],
    view: View,
    metrics: Iterable[Metric],
    bootstrap: Bootstrap,
    confidence: float,
    *,
    alike: bool = False,
) -> Measurement:
    """Every metric in one view, overall and per type, with intervals at ``confidence``; NaN where it has no meaning.

    With ``alike``, for outcomes that all views see alike, metrics of other views are measured too. ``bootstrap`` has
    as many clusters as there are distinct sentences among the outcomes. Metrics that count the same share one table.
    """
    metrics = list(metrics)
    if not outcomes:
        return Measurement(view, {metric.name: UNDEFINED for metric in metrics}, {}, {})
    types = entity_types(outcomes)
    clusters = _clusters(outcomes)
    counts: dict[Count, Floats] = {}
    tables: dict[tuple[Count, bool], _Table] = {}
    overall: dict[str, Estimate] = {}
    per_type: dict[str, dict[str, Estimate]] = {kind: {} for kind in types}
    for metric in metrics:
        if not alike and view not in metric.views:
            overall[metric.name] = UNDEFINED
            for known in per_type.values() if metric.per_type else ():
                known[metric.name] = UNDEFINED
            continue
        if metric.count not in counts:
            counts[metric.count] = metric.count(outcomes, view if view in metric.views else metric.views[0], types)
        shared = metric.count, metric.changed_only
        if shared not in tables:
            chosen = [i for i, outcome in enumerate(outcomes) if outcome.changed or not metric.changed_only]
            sums = _by_cluster(counts[metric.count][chosen], clusters[chosen], bootstrap.clusters)
            tables[shared] = _Table(sums, bootstrap.sums(sums), _sentences(outcomes, chosen, types))
        overall[metric.name], *parts = tables[shared].estimates(metric, confidence)
        if metric.per_type:
            for kind, part in zip(types, parts, strict=True):
                per_type[kind][metric.name] = part
    return Measurement(view, overall, per_type, _support(outcomes, types))


def entity_types(outcomes: Sequence[Outcome]) -> list[str]:
    """The entity types in gold, before and after, and in any prediction, sorted."""
    labels: set[str] = set()
    for outcome in outcomes:
        changed = outcome.perturbed.sentence.tags if outcome.perturbed is not None else None
        labels.update(outcome.gold.tags or (), outcome.clean.tags, outcome.prediction.tags, changed or ())
    return sorted({span.type for span in entity_spans(sorted(labels))})


def cluster_count(outcomes: Sequence[Outcome]) -> int:
    """How many distinct clean sentences there are."""
    return len({outcome.sentence_id for outcome in outcomes})


def _clusters(outcomes: Sequence[Outcome]) -> NDArray[np.intp]:
    """The cluster of each outcome, numbered in the order of sentence ids, so that the order of a corpus is nothing."""
    return np.unique([outcome.sentence_id for outcome in outcomes], return_inverse=True)[1]


def _by_cluster(rows: Floats, clusters: NDArray[np.intp], count: int) -> Floats:
    """Sums of counts by cluster, overall and then per type: an array (clusters × 1 + types × columns)."""
    sums = np.zeros((count, *rows.shape[1:]))
    np.add.at(sums, clusters, rows)
    return np.concatenate([sums.sum(axis=1, keepdims=True), sums], axis=1)


def _sentences(outcomes: Sequence[Outcome], chosen: Iterable[int], types: Iterable[str]) -> tuple[int, ...]:
    """How many distinct sentences there are among the chosen outcomes, and how many with each type in gold."""
    golds = {(outcomes[i].sentence_id, outcomes[i].gold.tags or ()) for i in chosen}
    held = {(sentence, span.type) for sentence, tags in golds for span in entity_spans(tags)}
    holding = Counter(kind for _, kind in held)
    return len({sentence for sentence, _ in golds}), *(holding[kind] for kind in types)


def _support(outcomes: Sequence[Outcome], types: Iterable[str]) -> dict[str, int]:
    seed = outcomes[0].seed
    once = [outcome for outcome in outcomes if outcome.seed == seed]
    if any(outcome.searched for outcome in once):  # one for each target of a sentence
        once = list({outcome.sentence_id: outcome for outcome in once}.values())
    golds = [entity_spans(outcome.gold.tags or ()) for outcome in once]
    found = Counter(span.type for spans in golds for span in spans)
    return {kind: found[kind] for kind in types}


def estimate(value: float, draws: Floats, n: int, confidence: float) -> Estimate:
    """A value with the interval that its resampled ``draws`` give; those that are NaN are left out."""
    if math.isnan(value):
        return UNDEFINED
    draws = draws[~np.isnan(draws)]
    low, high = np.quantile(draws, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Estimate(value, min(float(low), value), max(float(high), value), float(draws.std(ddof=1)), n)
