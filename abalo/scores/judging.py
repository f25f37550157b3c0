"""Judges the scores of a new file against a reference.

Losses of metrics share three quarters of the level, and losses of slices share the rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from abalo.comparison.test.newly import NEWLY_WRONG, Newly, bound_on_newly_wrong, newly
from abalo.core.records.gate import Gate
from abalo.core.records.rounding import ROUNDING
from abalo.core.records.words import count
from abalo.core.statistics import linearised
from abalo.core.statistics.estimates import FEWEST_CLUSTERS, UNDEFINED, Estimate, bootstrap, estimate_value
from abalo.core.statistics.few_events import FEWEST, Few, few_in_pairs
from abalo.core.statistics.losses import Draws, Hypothesis, Loss, by_itself, certain, judge_by_holm, judge_losses
from abalo.core.statistics.metrics import Floats, Mean, Share, column, ratio
from abalo.core.statistics.verdicts import Bound, Judgement, judge, judge_undecided
from abalo.errors import AbaloError, visible
from abalo.scores.pairing import PairedScores, check_range, counted, new_alone, pair_scores
from abalo.scores.rows import MetricScores, ScoreFile
from abalo.scores.rules import ScoreRule, check_rule

METRICS_PART, SLICES_PART = 3 / 4, 1 / 4
"""Parts of the level."""

MOST_DROPPED = 0.02
"""If a larger share of the reference's examples is dropped, nothing is decided."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedScores:
    """One metric of both files.

    * ``unit``: of the loss and its limit, in scores: the width of the range, or the width of the scores that were seen.
    * ``loss`` and ``slices``: losses in this unit, NaN without a reference.
    * ``old`` and ``new``: the means in the unit of the scores; the mean of the new scores has an interval.
    * ``noise``: standard deviation of a mean over one run of each example, in scores, old and new; NaN below two runs.
    * ``empty``: how many runs of the new file have no score though others of the example have, and how many examples
      have none, and count as the worst.
    * ``worst``: places of the examples that lost most, the largest loss first.
    """

    name: str
    rule: ScoreRule
    unit: float
    paired: PairedScores | None
    loss: Loss
    slices: Sequence[tuple[str, Loss]]
    old: float
    new: Estimate
    bounds: Sequence[tuple[str, Judgement]]
    newly: Newly | None
    noise: tuple[float, float]
    repeated: bool
    empty: tuple[int, int]
    worst: Sequence[int]


def judge_scores(
    old: ScoreFile | None, new: ScoreFile, rules: Mapping[str, ScoreRule], gate: Gate
) -> Sequence[JudgedScores]:
    """Judges every metric of the new file that the reference has too; of others only their limits.

    Args:
        old: The reference; None judges only limits of the new scores.
        new: The new file.
        rules: The rule of each metric of either file.
        gate: Confidence, correction, resamples and the usual limit.

    Raises:
        AbaloError: A metric that the new file lacks, a score outside of its range, examples that do not fit.
    """
    there = {} if old is None else old.metrics
    names = [*there, *(name for name in new.metrics if old is None or (name not in there and rules[name].bounds))]
    for name in names:
        check_rule(rules[name], name)
        if name not in new.metrics:
            raise AbaloError(
                f"{visible(new.name)}: has no scores of {visible(name)}, and {visible(old.name if old else '')} has; "
                f"judge others alone with --metric {visible(next(iter(new.metrics)))}"
            )
        for side in (new, old):
            if side is not None and name in side.metrics:
                check_range(side, name, rules[name])
    new = replace(new, metrics={name: counted(new, name, rules[name]) for name in names})
    old = None if old is None else replace(old, metrics={name: counted(old, name, rules[name]) for name in there})
    there = {} if old is None else old.metrics
    pairs = {} if old is None else {name: pair_scores(old, new, name, rules[name]) for name in there}
    tests = _Tests(pairs, rules, gate)
    level = (1 - gate.confidence) / 2
    whole = judge_by_holm(tests.of_metrics, level * METRICS_PART, level, gate)
    losses = dict(zip(pairs, map(_in_slice, whole), strict=True))
    parts = judge_losses([test for _, test in tests.of_slices], level * SLICES_PART, level, gate)
    by_slice = [(label, _in_slice(loss)) for (label, _), loss in zip(tests.of_slices, parts, strict=True)]
    highs = {name: by_itself(test, level).loss.high for name, test in zip(pairs, tests.of_metrics, strict=True)}
    sizes = _sizes(rules, names)
    found = []
    for name in names:
        pair, rule = pairs.get(name), rules[name]
        loss = losses.get(name, Loss(name, None, name, math.nan, "not comparable", blocking=rule.blocking))
        found.append(
            _judged(
                name,
                rule,
                tests.units.get(name, rule.width),
                pair,
                replace(loss, uncorrected_high=highs.get(name, math.nan)),
                [(label, each) for label, each in by_slice if each.case == name],
                (there.get(name), new.metrics[name]),
                gate,
                sizes,
            )
        )
    return found


def _sizes(rules: Mapping[str, ScoreRule], names: Sequence[str]) -> int:
    """The number of blocking limits of the new scores, which share one level."""
    own = [rules[name] for name in names if rules[name].blocking]
    return max(1, sum(len(rule.bounds) + (rule.max_newly_wrong is not None) for rule in own))


def _judged(
    name: str,
    rule: ScoreRule,
    unit: float,
    pair: PairedScores | None,
    loss: Loss,
    slices: Sequence[tuple[str, Loss]],
    sides: tuple[MetricScores | None, MetricScores],
    gate: Gate,
    sizes: int,
) -> JudgedScores:
    alone = new_alone(sides[1], pair, rule)
    mean = _mean(*alone, rule, gate)
    heavy = _too_heavy(_sums(alone[2], alone[3], alone[1])[:, 0], "examples")
    bounds = [(key, _judge_mean(bound, mean, rule, gate, sizes, heavy)) for key, bound in rule.bounds]
    turned = None
    if pair is not None and pair.right is not None:
        turned = newly(*pair.right, pair.clusters, gate.confidence)
    if rule.max_newly_wrong is not None and (pair is not None or not _is_right_or_wrong(sides[1])):
        bounds.append((f"max_{NEWLY_WRONG}", _judge_newly_wrong(name, rule, turned, gate, sizes)))
    old, other = sides
    return JudgedScores(
        name,
        rule,
        unit,
        pair,
        loss,
        slices,
        math.nan if pair is None else pair.mean,
        _in_scores(mean, rule),
        bounds,
        turned,
        (math.nan if old is None else _noise(old), _noise(other)),
        other.repeated or (old is not None and old.repeated),
        _empty(other, rule),
        [] if pair is None else _worst(pair),
    )


def _corrects(gate: Gate) -> bool:
    return gate.correction != "none"


def _judge_newly_wrong(name: str, rule: ScoreRule, turned: Newly | None, gate: Gate, sizes: int) -> Judgement:
    bound = bound_on_newly_wrong(rule.max_newly_wrong or 0.0)
    if turned is None:
        raise AbaloError(
            f"{visible(name)} max_{NEWLY_WRONG}: needs scores that are all 0 or 1, or true or false, and one run of "
            "each example, since noise between runs also turns answers; leave it out, and judge the mean with max_loss"
        )
    return judge(
        bound,
        turned.wrong.share,
        confidence=gate.confidence,
        blocking_bounds=sizes,
        corrected=_corrects(gate),
        unit="examples",
    )


def _empty(side: MetricScores, rule: ScoreRule) -> tuple[int, int]:
    runs = int(side.empty[side.runs > 0].sum())
    return runs, 0 if rule.missing == "drop" else int((side.runs == 0).sum())


def _too_heavy(weights: Floats, what: str) -> str:
    """Why clusters of such weights are too few, if their effective number, (Σw)² / Σw² [Kish 1965], is."""
    if len(weights) < FEWEST:
        return ""
    effective = weights.sum() ** 2 / (weights**2).sum()
    said = f"{len(weights):,} {what} of such unequal weights are worth {effective:.1f} of equal ones"
    return f"{said}; {FEWEST} are needed" if effective < FEWEST else ""


def _is_right_or_wrong(side: MetricScores) -> bool:
    return side.binary and not side.repeated


def _noise(side: MetricScores) -> float:
    known = ~np.isnan(side.variances)
    if not known.any():
        return math.nan
    weights = np.ones(len(side.ids)) if side.weights is None else side.weights
    own = weights[known]
    return float(math.sqrt((own**2 * side.variances[known]).sum()) / own.sum())


def _worst(pair: PairedScores) -> list[int]:
    lost = pair.old - pair.new
    order = np.argsort(-lost, kind="stable")[:10]
    return [int(k) for k in order if lost[k] > ROUNDING]


# The mean of the new scores -------------------------------------------------------------------------------------------


def _mean(
    values: Floats, weights: Floats, clusters: NDArray[np.intp], size: int, rule: ScoreRule, gate: Gate
) -> Estimate:
    """The mean as a share of the range, or in the unit of the scores without a range, with its interval."""
    if not len(values):
        return UNDEFINED
    low, width = (0.0, 1.0) if rule.range is None else (rule.range[0], rule.width)
    shares, own = (values - low) / width, weights / weights.mean()
    rows = _sums(clusters, size, own * shares, own)
    value = (Mean if rule.range is None else Share)(column(0), column(1))
    error = None
    if size > linearised.MANY:

        def error() -> float:
            return linearised.standard_error(value, rows)

    found = estimate_value(
        value,
        rows,
        lambda: value(bootstrap(len(rows), gate.resamples).sums(rows)),
        size,
        gate.confidence,
        error=error,
    )
    if rule.range is not None:
        found = replace(found, low=max(found.low, 0.0), high=min(found.high, 1.0))
    return found


def _in_scores(found: Estimate, rule: ScoreRule) -> Estimate:
    """A share of the range in the unit of the scores."""
    if rule.range is None or math.isnan(found.value):
        return found
    low, width = rule.range[0], rule.width
    value, lower, upper = (low + width * each for each in (found.value, found.low, found.high))
    return replace(found, value=value, low=lower, high=upper, se=width * found.se, law=None)


def _judge_mean(bound: Bound, mean: Estimate, rule: ScoreRule, gate: Gate, sizes: int, heavy: str) -> Judgement:
    if heavy:
        return judge_undecided(bound, _in_scores(mean, rule), heavy)
    low, width = (0.0, 1.0) if rule.range is None else (rule.range[0], rule.width)
    found = judge(
        replace(bound, limit=(bound.limit - low) / width),
        mean,
        confidence=gate.confidence,
        blocking_bounds=sizes,
        corrected=_corrects(gate),
        unit="examples",
    )
    return replace(found, bound=bound, estimate=_in_scores(found.estimate, rule))


# Losses ---------------------------------------------------------------------------------------------------------------


class _Tests:
    """Hypotheses for metrics and slices, resampled together."""

    def __init__(self, pairs: Mapping[str, PairedScores], rules: Mapping[str, ScoreRule], gate: Gate) -> None:
        self._pairs, self._rules, self._gate = pairs, rules, gate
        self.units = {name: _unit(pair, rules[name]) for name, pair in pairs.items()}
        asked = [(name, "") for name in pairs]
        asked += [(name, label) for name, pair in pairs.items() for label in pair.slices]
        tables = [self._table(name, label) for name, label in asked]
        self._same = len({pair.names for pair in pairs.values()}) < 2
        names = next(iter(pairs.values())).names if self._same and pairs else _union(pairs.values())
        self._place = {} if self._same else {each: place for place, each in enumerate(names)}
        self.few = len(names) < FEWEST_CLUSTERS
        tests = self._drawn(asked, tables, names)
        self.of_metrics = tests[: len(pairs)]
        self.of_slices = [(label, test) for (_, label), test in zip(asked, tests, strict=True) if label]

    def _table(self, name: str, label: str) -> Floats:
        """Weighted sums of old and new scores, and of weights, by cluster of the pair (clusters × 3)."""
        pair, unit = self._pairs[name], self.units[name] if self._rules[name].range is None else 1.0
        own = pair.weights * pair.slices[label] if label else pair.weights
        columns = (own * pair.old / unit, own * pair.new / unit, own)
        return _sums(pair.clusters, len(pair.names), *columns)

    def _drawn(
        self, asked: Sequence[tuple[str, str]], tables: Sequence[Floats], names: Sequence[str]
    ) -> list[Hypothesis]:
        frames = [self._frame(name, label, table) for (name, label), table in zip(asked, tables, strict=True)]
        open_still = [k for k, test in enumerate(frames) if test.loss.state == "can't tell" and not test.loss.reason]
        if not open_still:
            return frames
        every = np.zeros((len(names), len(open_still), 3))
        for place, k in enumerate(open_still):
            own = self._pairs[asked[k][0]].names
            rows = slice(None) if self._same else [self._place[each] for each in own]
            every[rows, place] = tables[k]
        values = np.array([frames[k].loss.loss.value for k in open_still])
        parts: list[Floats | None] = [None] * len(open_still)
        if self.few:
            draws = Draws(names, self._gate.resamples, few=True)
            drawn = draws.values(names, every, _lost)
            parts = [draws.parts(names, every[:, place, 2]) for place in range(len(open_still))]
        elif len(names) > linearised.MANY:
            drawn = _linear_draws(every, values, self._gate.resamples)
        else:
            drawn = Draws(names, self._gate.resamples).values(names, every, _lost)
        for place, k in enumerate(open_still):
            name, table = asked[k][0], tables[k]
            small = not self.few and frames[k].loss.loss.n < FEWEST_CLUSTERS
            law = self._law(table, always=self.few or small)
            frames[k] = Hypothesis(frames[k].loss, drawn[:, place], law, _most(self._rules[name]), small, parts[place])
        return frames

    def _frame(self, name: str, label: str, table: Floats) -> Hypothesis:
        pair, rule = self._pairs[name], self._rules[name]
        held = table[table[:, 2] > 0]
        limit = rule.limit(self._gate)
        limit = min(limit / self.units[name], 1.0) if rule.range is None else limit
        sums = held.sum(axis=0)
        found = Loss(
            name,
            label or None,
            name,
            limit,
            "can't tell",
            "example",
            new=float(sums[1] / sums[2]) if len(held) else math.nan,
            reference=float(sums[0] / sums[2]) if len(held) else math.nan,
            loss=Estimate(float(_lost(sums)), math.nan, math.nan, math.nan, len(held)) if len(held) else UNDEFINED,
            discordant=int((np.abs(held[:, 0] - held[:, 1]) > ROUNDING).sum()),
            share=1 - len(pair.dropped) / pair.of if pair.of else 0.0,
            blocking=rule.blocking,
            usual=limit,
        )
        if not len(held):
            none = "the files share no example; compare their ids"
            return Hypothesis(replace(found, state="not comparable", reason=none))
        chosen = pair.slices[label] if label else slice(None)
        what = "cluster" if pair.clustered else "distinct example"
        if np.array_equal(pair.old[chosen], pair.new[chosen]):
            return Hypothesis(certain(replace(found, state="same results")))
        if len(held) < FEWEST:
            few = f"only {count(len(held), what)} in both files; {FEWEST} are needed"
            return Hypothesis(replace(found, state="not judged" if label else "not comparable", reason=few))
        if heavy := _too_heavy(held[:, 2], f"{what}s"):
            return Hypothesis(replace(found, state="not judged" if label else "not comparable", reason=heavy))
        return Hypothesis(found)

    def _law(self, table: Floats, *, always: bool) -> Few | None:
        held = table[table[:, 2] > 0]
        return few_in_pairs(held[:, 0], held[:, 2], held[:, 1], held[:, 2], always=always)


def _sums(clusters: NDArray[np.intp], size: int, *columns: Floats) -> Floats:
    """Sums by cluster (clusters × columns)."""
    sums = [np.bincount(clusters, weights=each, minlength=size) for each in columns]
    return np.stack(sums, axis=1).astype(np.float64)


def _union(pairs: Iterable[PairedScores]) -> list[str]:
    return sorted({each for pair in pairs for each in pair.names})


def _unit(pair: PairedScores, rule: ScoreRule) -> float:
    """The width of the range, or of all scores that were seen."""
    if rule.range is not None:
        return rule.width
    both = np.concatenate([pair.old, pair.new])
    return float(np.ptp(both)) or 1.0 if len(both) else 1.0


def _most(rule: ScoreRule) -> float:
    return 1.0 if rule.range is not None else math.inf


def _lost(sums: Floats) -> Floats:
    return ratio(sums[..., 0] - sums[..., 1], sums[..., 2])


def _linear_draws(tables: Floats, values: Floats, resamples: int) -> Floats:
    """Normal draws of all losses with their joint covariance, by the delta method (resamples × losses)."""
    parts = np.stack([linearised.linear_parts(_lost, tables[:, k]) for k in range(tables.shape[1])], axis=1)
    parts -= parts.mean(axis=0)
    spread, axes = np.linalg.eigh(parts.T @ parts)
    generator = np.random.Generator(np.random.PCG64([len(tables), len(values)]))
    normal = generator.standard_normal((resamples, len(values)))
    drawn: Floats = values + (normal * np.sqrt(np.maximum(spread, 0.0))) @ axes.T
    return drawn


def _in_slice(loss: Loss) -> Loss:
    if loss.state != "too few changed":
        return loss
    said = f"only {count(loss.loss.n, 'distinct example')}; fewer than {FEWEST_CLUSTERS} can only be regressed"
    return replace(loss, state="can't tell", reason=said)
