"""Foresees the loss that a later comparison will detect."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist, median

import numpy as np

from abalo.comparison.test.family import CASES_PART, CLEAN_PART, MEAN_PART, count_hypotheses
from abalo.comparison.test.label_losses import label_metric, table_of
from abalo.comparison.test.mean import pool_weights
from abalo.comparison.test.panel_pool import Pooled, pool
from abalo.core.documents.document import DetectableLosses, ForeseenLoss
from abalo.core.protocols.preflight import percent
from abalo.core.protocols.probe import Case, baseline_of
from abalo.core.protocols.task import Task, floor_of
from abalo.core.records import words
from abalo.core.records.gate import Gate
from abalo.core.records.rounding import ROUNDING
from abalo.core.statistics.estimates import FEWEST_CLUSTERS, bootstrap
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.few_events import FEWEST
from abalo.core.statistics.metrics import Flags, Floats, Metric, over_trainings
from abalo.core.statistics.pairing import NotComparable, Paired, match_runs, pair_runs
from abalo.core.statistics.panel import Panel, notes_of
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.verdicts import FEWEST_HOLDING, POWER, times_as_many

CHURN = 0.6
"""Variance of a loss per variance of the score (``python -m benchmarks.foresight``)."""

BLIND = 0.1
"""A comparison is blind if the loss may be larger, or larger than a third of the score."""

_OFTEN = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class _Scores:
    name: str
    clusters: tuple[str, ...]
    counts: Floats
    """Clusters × trainings × groups × columns; ``row`` is the group scored."""
    row: int = 0


@dataclass(frozen=True, slots=True)
class _Spread:
    variance: float
    size: float
    churn: float = CHURN
    score: float = 1.0

    @property
    def se(self) -> float:
        return math.sqrt(self.variance / self.size)

    def loss(self, limit: float, reach: float) -> float:
        part = reach**2 / self.size
        a, b, c = 1 + part, 2 * limit + part, limit**2 - part * self.churn * self.variance
        return (b + math.sqrt(b**2 - 4 * a * c)) / (2 * a)

    def size_for(self, loss: float, limit: float, reach: float) -> float:
        return reach**2 * (self.churn * self.variance + loss * (1 - loss)) / (loss - limit) ** 2


def foreseen(task: Task, evidence: Mapping[str, Evidence], cases: Sequence[Case], gate: Gate) -> ForeseenLoss:
    """The loss that `abalo.comparison.test.comparison.compare_task` would detect with 80 % power."""
    metric, found, limit, part = _compared(task, evidence, cases, gate)
    if not found:
        distinct = max((each.distinct for each in evidence.values()), default=0)
        fewest = FEWEST
        few = f"only {words.count(distinct, 'distinct example')}; a comparison needs {fewest}"
        nothing = f"no case can be compared by {metric.words}"
        return ForeseenLoss(metric.name, None, distinct, None, few if distinct < fewest else nothing)
    level = (1 - gate.confidence) / 2 * (1 if gate.correction == "none" else part)
    reach = NormalDist().inv_cdf(1 - level) + NormalDist().inv_cdf(POWER)
    spread, n = _spread(found, metric, gate), len({cluster for each in found for cluster in each.clusters})
    loss, needed = spread.loss(limit, reach), None
    if spread.variance and loss / 2 > limit + ROUNDING:  # of a perfect model no number would
        times = spread.size_for(loss / 2, limit, reach) / spread.size
        needed = times_as_many(n, times)
    reach = NormalDist().inv_cdf((1 + gate.confidence) / 2) + NormalDist().inv_cdf(1 - _OFTEN)
    most = min(BLIND, spread.score / 3)
    reason = None
    if reach * math.sqrt(spread.churn) * spread.se > most:
        reason = f"a comparison with an equal model would end undecided in more than {percent(_OFTEN)} of runs"
    elif n < FEWEST_CLUSTERS and 1 - ((1 - gate.confidence) / 2) ** (1 / n) > most:
        perturbed = any(case.probe.perturbs and case.blocking for case in cases)
        few = "the cases change only" if perturbed else "only"
        shown = f"a comparison can find a loss, but needs {FEWEST_CLUSTERS} to show that there is none"
        reason = f"{few} {words.count(n, f'distinct {task.noun}')}; {shown}"
    return ForeseenLoss(metric.name, loss, n, needed, reason, foreseen_labels(task, evidence, cases, gate))


def standard_error(task: Task, evidence: Mapping[str, Evidence], cases: Sequence[Case], gate: Gate) -> float:
    """The standard error of the score that a comparison is made by."""
    metric, found, *_ = _compared(task, evidence, cases, gate)
    return _spread(found, metric, gate).se


def _compared(
    task: Task, evidence: Mapping[str, Evidence], cases: Sequence[Case], gate: Gate
) -> tuple[Metric, list[_Scores], float, float]:
    """Metric, scores, limit and part of the level of the mean loss, or of the clean one if there is no other."""
    clean = next((case for case in cases if case.name == BASELINE), baseline_of(task))
    metric = task.metrics()[floor_of(task, evidence[clean.id]) if clean.id in evidence else task.floor]
    perturbed = [case for case in cases if case.probe.perturbs and case.blocking]
    pooled = _pool_panel(perturbed, task, metric, evidence)
    found = [*_scores(perturbed, task, metric, evidence)] if pooled is None else [_of_pool(pooled, metric, 0)]
    if found:
        return metric, found, gate.mean_limit, MEAN_PART
    limit = clean.max_losses.get(metric.name, gate.max_loss)
    return metric, [*_scores([clean], task, metric, evidence)], limit, CLEAN_PART


def foreseen_labels(
    task: Task, evidence: Mapping[str, Evidence], cases: Sequence[Case], gate: Gate
) -> dict[str, float | None]:
    """The share of each label's right answers that must go to others for its F1 to regress with 80 % power.

    None if no share would do. Empty if the task has no labels.
    """
    clean = next((case for case in cases if case.name == BASELINE), baseline_of(task))
    own, metric = evidence.get(clean.id), label_metric(task)
    if own is None or metric is None or not len(own) or floor_of(task, own) != task.floor:
        return {}
    try:
        matched = match_runs(own, own, from_model=False, fewest=FEWEST)
        table = table_of(clean.id, matched, metric, clean.view, whole=False)
    except NotComparable:
        return {}
    if matched.few:
        return {}
    level = (1 - gate.confidence) / 2
    if gate.correction != "none":
        level *= CASES_PART / max(1, count_hypotheses(task, cases, evidence, gate))
    reach = NormalDist().inv_cdf(1 - level) + NormalDist().inv_cdf(POWER)
    counts = table.reference.mean(axis=1)
    held = counts.any(axis=-1)
    return {label: _least_share(counts[held[:, k], k], gate.label_limit, reach) for k, label in enumerate(table.labels)}


def _least_share(counts: Floats, limit: float, reach: float) -> float | None:
    right, predicted, gold = counts.sum(axis=0)
    if not right:
        return None
    f1 = 2 * right / (predicted + gold)
    churn = CHURN * (((2 * counts[:, 0] - f1 * counts[:, 1:].sum(axis=1)) / (predicted + gold)) ** 2).sum()
    shares = np.arange(1, 101) / 100
    losses = f1 - 2 * right * (1 - shares) / (predicted - shares * right + gold)
    given = right * shares * (1 - shares) + (counts[:, 0] ** 2).sum() * shares**2
    enough = losses >= limit + reach * np.sqrt(churn + ((2 - f1) / (predicted + gold)) ** 2 * given)
    return float(shares[enough.argmax()]) if enough.any() else None


def foreseen_panel(
    task: Task,
    evidence: Mapping[str, Evidence],
    cases: Sequence[Case],
    gate: Gate,
    panel: Panel,
    churn: float = CHURN,
) -> DetectableLosses:
    """The losses that a panel would detect; None if not judged."""
    clean = baseline_of(task).id
    if clean not in evidence:
        return DetectableLosses(0, None, None, None)
    metric = task.metrics()[floor_of(task, evidence[clean])]
    drawn = panel.clusters_by_case(evidence[clean].clusters.tolist())
    part = {
        case: evidence[case].only(np.isin(evidence[case].clusters, own) & _of_one_seed(evidence[case]))
        for case, own in drawn.items()
        if case in evidence
    }
    perturbed = [case for case in cases if case.id in part and case.blocking]
    pooled = _pool_panel(perturbed, task, metric, part, always=True)
    if pooled is None:
        return DetectableLosses(0, None, None, None)
    types = [_of_pool(pooled, metric, k) for k, held in enumerate(pooled.holding) if held >= FEWEST_HOLDING]
    singles = [*_scores(perturbed, task, metric, part)]
    level = (1 - gate.confidence) / 2

    def loss(scores: _Scores, limit: float, share: float) -> float:
        reach = NormalDist().inv_cdf(1 - level * share) + NormalDist().inv_cdf(POWER)
        return replace(_spread([scores], metric, gate), churn=churn).loss(limit, reach)

    share = CASES_PART / max(1, len(types) + len(singles))
    return DetectableLosses(
        0,
        loss(_of_pool(pooled, metric, 0), gate.mean_limit, MEAN_PART),
        _median(loss(each, gate.max_loss, share) for each in types),
        _median(loss(each, gate.max_loss, share) for each in singles),
    )


def churn_seen(
    task: Task, evidence: Mapping[str, Evidence], cases: Sequence[Case], gate: Gate, se: float, loss: float
) -> float:
    """A mean loss's variance as a part of the score's."""
    clean = baseline_of(task).id
    if clean not in evidence:
        return CHURN
    metric = task.metrics()[floor_of(task, evidence[clean])]
    found = [*_scores([case for case in cases if case.probe.perturbs and case.blocking], task, metric, evidence)]
    if not found:
        return CHURN
    spread = _spread(found, metric, gate)
    lost = min(max(loss, 0.0), 1.0)
    return max(_LEAST_CHURN, (se**2 * spread.size - lost * (1 - lost)) / spread.variance) if spread.variance else CHURN


_LEAST_CHURN = 0.05


def _of_one_seed(evidence: Evidence) -> Flags:
    found: Flags = evidence.seeds == (evidence.seeds[0] if len(evidence) else 0)
    return found


def _pool_panel(
    cases: Sequence[Case], task: Task, metric: Metric, evidence: Mapping[str, Evidence], *, always: bool = False
) -> Paired | None:
    found = []
    for case in cases:
        own = evidence.get(case.id)
        if own is None or case.probe.compared_by(task) != task.floor:
            continue
        if always or notes_of(own.notes) is not None:
            from_model = case.probe.variants_from_model(case)
            try:
                pair = pair_runs(own, own, metric, case.view, from_model=from_model, fewest=1, changed=True)
            except NotComparable:
                continue
            found.append(Pooled(case.name, pair, own))
    return pool(found) if found else None


def _of_pool(pooled: Paired, metric: Metric, group: int) -> _Scores:
    rows = np.flatnonzero(pooled.reference[:, :, group].any(axis=(1, 2)))
    return _Scores("", tuple(pooled.clusters[row] for row in rows), *_groups(pooled.reference[rows], metric, group))


def _groups(counts: Floats, metric: Metric, group: int) -> tuple[Floats, int]:
    return (counts, group) if metric.macro else (counts[:, :, [group]], 0)


def _median(values: Iterable[float]) -> float | None:
    found = [value for value in values if not math.isnan(value)]
    return median(found) if found else None


def _scores(cases: Sequence[Case], task: Task, metric: Metric, evidence: Mapping[str, Evidence]) -> Iterator[_Scores]:
    for case in cases:
        own = evidence.get(case.id)
        if own is None or case.probe.compared_by(task) != task.floor or own.whole:
            continue
        from_model, changed = case.probe.variants_from_model(case), case.probe.perturbs
        try:
            pair = pair_runs(
                own,
                own,
                metric,
                case.view,
                from_model=from_model,
                fewest=FEWEST,
                changed=changed,
                overall=not metric.macro,
            )
        except NotComparable:
            continue
        if pair.few:
            continue
        scores = _Scores(case.name, pair.clusters, *_groups(pair.reference, metric, 0))
        if not np.isnan(_values(metric, scores.counts.sum(axis=0), scores.row)):
            yield scores


def _spread(found: Sequence[_Scores], metric: Metric, gate: Gate) -> _Spread:
    clusters = sorted({cluster for each in found for cluster in each.clusters})
    place = {cluster: row for row, cluster in enumerate(clusters)}
    best, width = (metric.high if metric.more_is_better else metric.low), metric.high - metric.low
    score, drawn, imperfect = 0.0, np.zeros(gate.resamples), np.zeros(len(clusters), dtype=bool)
    weights = pool_weights([(each.name, each.clusters) for each in found])
    for each, weight in zip(found, weights, strict=True):
        rows = [place[cluster] for cluster in each.clusters]
        table = np.zeros((len(clusters), *each.counts.shape[1:]))
        table[rows] = each.counts
        value = float(_values(metric, each.counts.sum(axis=0), each.row))
        own = _values(metric, bootstrap(len(clusters), gate.resamples).sums(table), each.row)
        score += weight * value
        drawn += weight * np.where(np.isnan(own), value, own)  # a resample without its examples
        judged = slice(1, None) if metric.macro and each.row == 0 else [each.row]
        imperfect[rows] |= (np.abs(metric.value(each.counts)[..., judged] - best) > ROUNDING).any(axis=(1, 2))
    share, errors = (score - metric.low) / width, int(imperfect.sum())
    worst = 1 / len(clusters)
    if not 0 < share < 1:
        return _Spread(0.0, 1 / worst, score=score)
    measured = float(drawn.var(ddof=1)) / width**2 / (share * (1 - share))
    return _Spread(share * (1 - share), (errors + 1) / (errors * measured + worst), score=score)


def _values(metric: Metric, sums: Floats, row: int) -> Floats:
    return over_trainings(metric.value(sums))[..., row]
