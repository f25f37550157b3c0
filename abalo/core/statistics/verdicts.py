"""Judges estimates against bounds."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from abalo.core.records.rounding import ROUNDING
from abalo.core.statistics.ends import Wider
from abalo.core.statistics.estimates import FEWEST_CLUSTERS, Estimate
from abalo.core.statistics.few_events import Ends, Law, MeanLaw

if TYPE_CHECKING:
    from abalo.core.statistics.metrics import Metric

FEWEST_HOLDING = 20
"""With fewer distinct examples that hold something, nothing passes."""

TOO_FEW_CHANGED = "too few changed"

OPEN = "the interval contains the bound"

_CHANGED = "changed "

POWER = 0.8

_MOST_TIMES = 100

BLIND = 0.05
"""A share of the scale."""

Verdict = Literal["pass", "fail", "inconclusive"]
Side = Literal["max", "min"]


@dataclass(frozen=True, slots=True)
class Bound:
    """An inclusive limit on a metric, at most ("max") or at least ("min")."""

    metric: str
    side: Side
    limit: float
    type: str | None = None

    @property
    def name(self) -> str:
        """Its key in thresholds.toml, such as ``max_flip_rate``."""
        return f"{self.side}_{self.metric}"

    def excess(self, value: float) -> float:
        """How far the value exceeds the limit; negative inside."""
        return value - self.limit if self.side == "max" else self.limit - value


def is_blind(detectable: float | None, value: float | None, metric: Metric) -> bool:
    """Whether a bound misses a loss of `BLIND`, unless the score is perfect."""
    best = metric.high if metric.more_is_better else 0.0
    return detectable is not None and value != best and BLIND < detectable / metric.high < math.inf


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on an estimate against a bound.

    * ``uncorrected``: verdict by the uncorrected interval.
    * ``p``: one-sided p of the bound holding; None if not judged.
    * ``reason``: why it is inconclusive.
    * ``needed``: approximate distinct units to decide; None if decided, impossible, or too many to judge.
    * ``detectable_loss``: smallest further loss that fails with 80 % power; None if impossible.
    * ``noise``: upper end of a random model's noise, on the metric's scale.
    """

    bound: Bound
    estimate: Estimate
    verdict: Verdict
    uncorrected: Verdict
    p: float | None = None
    reason: str | None = None
    needed: int | None = None
    unit: str = "sentences"
    detectable_loss: float | None = None
    noise: float | None = None


def judge_undecided(bound: Bound, estimate: Estimate, reason: str, needed: int | None = None) -> Judgement:
    """An inconclusive judgement with a reason."""
    return Judgement(bound, estimate, "inconclusive", "inconclusive", None, reason, needed)


def judge(
    bound: Bound,
    estimate: Estimate,
    *,
    confidence: float,
    blocking_bounds: int,
    corrected: bool = True,
    spend: Callable[[float], float] = lambda level: level,
    unit: str = "sentences",
    fewest: int = FEWEST_CLUSTERS,
) -> Judgement:
    """Fail if the interval is wholly beyond the bound, pass if wholly inside, else inconclusive.

    A fail needs one-sided p at most ``(1 - confidence) / 2 / blocking_bounds`` (Bonferroni) unless ``corrected`` is
    False.
    Undefined values are inconclusive, and intervals without width unless all units lie at an end beyond the bound. Too
    few sentences (overall, ``fewest`` clusters) fail only by an exact law. ``spend`` gives this look's part of a level.
    """
    level = spend(level_of(confidence, blocking_bounds, corrected=corrected))
    reason: str | None = None
    if math.isnan(estimate.value):
        reason = f"no {bound.type} in gold or predictions" if bound.type else f"{bound.metric} has no value here"
        return judge_undecided(bound, estimate, reason)
    law = estimate.law or Ends(estimate.value, (estimate.low, estimate.high), confidence)
    distinct = estimate.n if estimate.distinct is None else estimate.distinct
    needed = _units_needed(bound, estimate, law, level, distinct)
    fewest = fewest if bound.type is None else FEWEST_CLUSTERS
    if distinct < fewest or estimate.n < FEWEST_HOLDING:
        if estimate.law is not None and _is_exact(estimate.law):
            p = _p_of(bound, estimate.law)
            if p <= level and level:
                return Judgement(bound, estimate, "fail", "fail", p, unit=unit)
        return replace(_of_too_few(bound, estimate, distinct, needed, unit, fewest), unit=unit)
    if not estimate.decidable:
        return replace(judge_undecided(bound, estimate, _only(estimate, distinct, unit)), unit=unit)
    if estimate.high - estimate.low <= ROUNDING:
        p = _p_at_an_end(bound, estimate.value, distinct)
        if p <= level and level:
            return Judgement(bound, estimate, "fail", "fail", p, unit=unit)
        return replace(
            judge_undecided(bound, estimate, f"the interval has no width: all {unit} give the same value"), unit=unit
        )
    p = _p_of(bound, law)
    uncorrected = _verdict(bound, estimate) if spend((1 - confidence) / 2) else "inconclusive"
    if uncorrected == "inconclusive":
        reason = OPEN
    elif uncorrected == "fail" and corrected and (p > level or not level):
        reason = f"beyond the bound, but not after correction for {blocking_bounds} bounds (p = {p:.2g} > {level:.2g})"
    if reason is None:
        return Judgement(bound, estimate, uncorrected, uncorrected, p, unit=unit)
    return Judgement(bound, estimate, "inconclusive", uncorrected, p, reason, needed, unit)


def _is_exact(law: Law | None) -> bool:
    if isinstance(law, MeanLaw):
        return all(map(_is_exact, law.laws))
    return law is not None and not isinstance(law, Ends | Wider)


def _p_of(bound: Bound, law: Law) -> float:
    return law.at_most(bound.limit) if bound.side == "max" else law.at_least(bound.limit)


def _p_at_an_end(bound: Bound, value: float, distinct: int) -> float:
    """The largest chance that all units give 0, or all give 1, although the bound holds; 1 for other values.

    Values of units lie in -1 to 1, so at least half the distance to the limit is the share of units with another value.
    """
    beyond = bound.limit - value if bound.side == "min" else value - bound.limit
    return (1 - beyond / 2) ** distinct if value in (0, 1) and 0 < beyond <= 1 else 1.0


def _of_too_few(
    bound: Bound, estimate: Estimate, distinct: int, needed: int | None, unit: str, fewest: int
) -> Judgement:
    if distinct < fewest:
        kind = f" with {bound.type}" if bound.type else ""
        few = f"fewer than {fewest} distinct {unit}{kind} ({distinct})"
        reason = f"{TOO_FEW_CHANGED} ({distinct})" if unit.startswith(_CHANGED) else few
        return judge_undecided(bound, estimate, reason, max(fewest, needed or 0))
    reason = (
        f"fewer than {FEWEST_HOLDING} of {distinct} distinct {unit} contain anything that {bound.metric} counts "
        f"({estimate.n})"
    )
    return judge_undecided(
        bound, estimate, reason, math.ceil(distinct * FEWEST_HOLDING / estimate.n) if estimate.n else None
    )


def level_of(confidence: float, blocking_bounds: int, *, corrected: bool = True) -> float:
    """The one-sided level of a failure, corrected (Bonferroni)."""
    return (1 - confidence) / 2 / (max(1, blocking_bounds) if corrected else 1)


def _ends(bound: Bound, estimate: Estimate) -> tuple[float, float]:
    better, worse = sorted((bound.excess(estimate.low), bound.excess(estimate.high)))
    return better, worse


def _verdict(bound: Bound, estimate: Estimate) -> Verdict:
    better, worse = _ends(bound, estimate)
    return "pass" if worse <= ROUNDING else "fail" if better > ROUNDING else "inconclusive"


def _only(estimate: Estimate, distinct: int, unit: str) -> str:
    return f"the number rests on {estimate.events or 'none'} of {distinct} {unit}"


def _units_needed(bound: Bound, estimate: Estimate, law: Law, level: float, distinct: int) -> int | None:
    excess = bound.excess(estimate.value)
    if abs(excess) <= ROUNDING or estimate.events == 0:  # without an error, nothing says how the interval shrinks
        return None
    better, worse = _ends(bound, estimate)
    corrected = bound.excess(law.low(level) if bound.side == "max" else law.high(level))
    reach = excess - min(better, corrected) if excess > 0 else worse - excess
    return times_as_many(distinct, (reach / excess) ** 2)


def times_as_many(n: int, times: float) -> int | None:
    """The number of examples to advise; None beyond 100 times as many, which nobody can judge."""
    return math.ceil(n * times) if times <= _MOST_TIMES else None
