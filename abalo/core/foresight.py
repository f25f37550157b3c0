"""The loss that a comparison against a run would detect, foreseen from that run alone.

Before a second model exists, its predictions are unknown, and the standard error of the loss with them. So the standard
error is modelled: two trainings of about the same quality differ by `CHURN` of the variance of the reference's own
score, and a model that is worse by a loss differs by that loss besides.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from abalo.core.comparison import CLEAN_PART, MEAN_PART, pooled
from abalo.core.engine import baseline_of
from abalo.core.evidence import Evidence
from abalo.core.gate import Gate
from abalo.core.metrics import Floats, Metric, over_trainings
from abalo.core.pairing import NotComparable, paired
from abalo.core.plan import BASELINE
from abalo.core.probe import Case
from abalo.core.rounding import ROUNDING
from abalo.core.statistics import FEWEST_CLUSTERS, bootstrap
from abalo.core.task import Task, floor_of
from abalo.core.verdicts import POWER

CHURN = 0.6
"""The variance of a loss between two models of the same quality, as a part of the variance of the reference's score.

Measured on pairs of trainings: ``python -m benchmarks.foresight``.
"""

BLIND = 0.1
"""A reference is blind if a comparison cannot detect a mean loss of this size with a power of 80 %."""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The smallest loss that a comparison against a run would call *regressed* with a power of 80 %.

    ``loss`` is a mean loss over the perturbed cases, or a loss on the clean corpus if no perturbed case can be
    compared; NaN if nothing can. ``n`` counts the distinct examples that show it. ``needed`` is the number of distinct
    examples that would halve the loss; None if no number would, because the loss that the gate allows is at least half
    of it. ``se`` is the standard error of the run's own score. ``reason`` says why the run is blind as a reference; ""
    if it is not.
    """

    loss: float
    n: int
    needed: int | None
    se: float
    reason: str = ""

    @property
    def blind(self) -> bool:
        """Whether a run that is compared with this one ends with exit code 10."""
        return bool(self.reason)


@dataclass(frozen=True, slots=True, eq=False)
class _Scores:
    """The floor metric in one case: its counts (clusters × trainings × columns), those of changed examples if any."""

    name: str
    clusters: tuple[str, ...]
    counts: Floats


@dataclass(frozen=True, slots=True)
class _Spread:
    """The variance of the run's score is ``variance / size``, as of ``size`` independent examples.

    The variance of a loss is then `CHURN` of that, and loss · (1 - loss) / ``size`` more.
    """

    variance: float
    size: float

    @property
    def se(self) -> float:
        """The standard error of the score."""
        return math.sqrt(self.variance / self.size)

    def loss(self, limit: float, reach: float) -> float:
        """The loss that lies ``reach`` of its own standard errors above the limit."""
        part = reach**2 / self.size
        a, b, c = 1 + part, 2 * limit + part, limit**2 - part * CHURN * self.variance
        return (b + math.sqrt(b**2 - 4 * a * c)) / (2 * a)

    def size_for(self, loss: float, limit: float, reach: float) -> float:
        """The size at which `loss` is this one, which must be above the limit."""
        return reach**2 * (CHURN * self.variance + loss * (1 - loss)) / (loss - limit) ** 2


def foreseen(task: Task, evidence: Mapping[str, Evidence], cases: Sequence[Case], gate: Gate) -> Foreseen:
    """The loss that `abalo.core.comparison.compared` would detect against a run.

    Args:
        task: The task.
        evidence: The evidence of the run by the id of its case.
        cases: The cases of the thresholds file. Waivers are ignored.
        gate: The gate, by its level, ``max_loss`` and ``max_mean_loss``.
    """
    clean = next((case for case in cases if case.name == BASELINE), baseline_of(task))
    metric = task.metrics()[floor_of(task, evidence[clean.id]) if clean.id in evidence else task.floor]
    perturbed = [case for case in cases if case.probe.perturbs and case.blocking]
    found, limit, part = [*_scores(perturbed, task, metric, evidence)], gate.mean_limit, MEAN_PART
    if not found:
        found, part = [*_scores([clean], task, metric, evidence)], CLEAN_PART
        limit = clean.max_losses.get(metric.name, gate.max_loss)
    if not found:
        distinct = max((each.distinct for each in evidence.values()), default=0)
        few = f"only {distinct} distinct examples; a comparison needs {FEWEST_CLUSTERS}"
        nothing = f"no case can be compared by {metric.words}"
        return Foreseen(math.nan, distinct, None, math.nan, few if distinct < FEWEST_CLUSTERS else nothing)
    level = (1 - gate.confidence) / 2 * (1 if gate.correction == "none" else part)
    reach = NormalDist().inv_cdf(1 - level) + NormalDist().inv_cdf(POWER)
    spread, n = _spread(found, metric, gate), len({cluster for each in found for cluster in each.clusters})
    loss, needed = spread.loss(limit, reach), None
    if loss / 2 > limit + ROUNDING:
        needed = math.ceil(n * spread.size_for(loss / 2, limit, reach) / spread.size)
    reason = f"a mean loss of {BLIND} would be detected with less than 80 % power" if loss > BLIND else ""
    return Foreseen(loss, n, needed, spread.se, reason)


def _scores(cases: Sequence[Case], task: Task, metric: Metric, evidence: Mapping[str, Evidence]) -> Iterator[_Scores]:
    """The cases that a comparison with this run could use; those with all units run are compared without chance."""
    for case in cases:
        own = evidence.get(case.id)
        if own is None or case.probe.compared_by(task) != task.floor or own.whole:
            continue
        from_model, changed = case.probe.variants_from_model(case), case.probe.perturbs
        try:
            pair = paired(own, own, metric, case.view, from_model=from_model, changed=changed)
        except NotComparable:
            continue
        counts = pair.reference[:, :, 0]
        if not np.isnan(_values(metric, counts.sum(axis=0))):
            yield _Scores(case.name, pair.clusters, counts)


def _spread(found: Sequence[_Scores], metric: Metric, gate: Gate) -> _Spread:
    """The variance of the mean score, by a bootstrap over clusters, and the number of examples that it is worth.

    Few clusters with errors do not tell the variance, so it is mixed with the variance of as many independent examples
    as there are clusters, which weighs as much as one cluster with errors. [as in `abalo.core.few_events`]
    """
    clusters = sorted({cluster for each in found for cluster in each.clusters})
    place = {cluster: row for row, cluster in enumerate(clusters)}
    best, width = (metric.high if metric.more_is_better else metric.low), metric.high - metric.low
    score, drawn, imperfect = 0.0, np.zeros(gate.resamples), np.zeros(len(clusters), dtype=bool)
    weights = pooled([(each.name, each.clusters) for each in found])
    for each, weight in zip(found, weights, strict=True):
        rows = [place[cluster] for cluster in each.clusters]
        table = np.zeros((len(clusters), *each.counts.shape[1:]))
        table[rows] = each.counts
        value = float(_values(metric, each.counts.sum(axis=0)))
        own = _values(metric, bootstrap(len(clusters), gate.resamples).sums(table))
        score += weight * value
        drawn += weight * np.where(np.isnan(own), value, own)  # a resample without its examples
        imperfect[rows] |= (np.abs(metric.value(each.counts) - best) > ROUNDING).any(axis=1)
    share, errors = (score - metric.low) / width, int(imperfect.sum())
    worst = 1 / len(clusters)
    if not 0 < share < 1:
        return _Spread(0.0, 1 / worst)
    measured = float(drawn.var(ddof=1)) / width**2 / (share * (1 - share))
    return _Spread(share * (1 - share), (errors + 1) / (errors * measured + worst))


def _values(metric: Metric, sums: Floats) -> Floats:
    """The metric in sums of counts (… × trainings × columns), the mean over trainings (…)."""
    return over_trainings(metric.value(sums)[..., None])[..., 0]
