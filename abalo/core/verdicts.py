"""Judging estimates against bounds, with the correction for many bounds in one run."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from abalo.core.few_events import Ends, Law, MeanLaw
from abalo.core.rounding import ROUNDING
from abalo.core.statistics import FEWEST_CLUSTERS, Estimate

FEWEST_HOLDING = 20
"""With fewer distinct examples that hold something to count, nothing passes either."""

TOO_FEW_CHANGED = "too few changed"
"""Why a bound on changed examples is not judged, before their number; it is undecided for no gate."""

_CHANGED = "changed "
"""Before the unit of a number over changed examples."""

POWER = 0.8
"""The probability with which a detectable loss fails its bound."""

BLIND = 0.05
"""Bounds with a larger detectable loss get a warning."""

Verdict = Literal["pass", "fail", "inconclusive"]
Side = Literal["max", "min"]


@dataclass(frozen=True, slots=True)
class Bound:
    """A limit on a metric, inclusive: at most (``side`` "max") or at least ("min"), overall or for one group."""

    metric: str
    side: Side
    limit: float
    type: str | None = None

    @property
    def name(self) -> str:
        """As it stands in thresholds.toml, such as ``max_flip_rate``."""
        return f"{self.side}_{self.metric}"

    def excess(self, value: float) -> float:
        """How far the value lies beyond the limit; negative inside."""
        return value - self.limit if self.side == "max" else self.limit - value


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on an estimate against a bound.

    ``uncorrected`` is the verdict from the interval alone. ``p`` is one-sided, of the bound holding; None where nothing
    was judged. ``reason`` says why a judgement is inconclusive. ``needed`` is the approximate number of distinct units
    that would settle it at the same estimate, of a group those that hold it; None where it is settled, or no number
    would. ``unit`` names the units.
    ``sight`` is the detectable loss: the smallest loss from here that would fail with a power of 80 %. It is None if
    nothing was judged, or if the metric cannot be so much worse. ``noise`` is the upper end of the flips that are noise
    of a random model, on the scale of the metric; None if the metric counts no flips or the model is not random.
    """

    bound: Bound
    estimate: Estimate
    verdict: Verdict
    uncorrected: Verdict
    p: float | None = None
    reason: str | None = None
    needed: int | None = None
    unit: str = "sentences"
    sight: float | None = None
    noise: float | None = None


def undecided(bound: Bound, estimate: Estimate, reason: str, needed: int | None = None) -> Judgement:
    """An inconclusive judgement on an estimate that is not fit to be judged."""
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
) -> Judgement:
    """Fail when the whole interval is beyond the bound, pass when it is all inside, else inconclusive.

    A fail stands only if its one-sided p is at most ``(1 - confidence) / 2 / blocking_bounds`` (Bonferroni), unless
    ``corrected`` is False. p is the level at which the interval that gives the verdict would reach the bound, so the
    two never disagree. A value without meaning is inconclusive with a reason; so is one whose interval has no width,
    since that says only that nothing else was seen. A value from too few sentences fails if the exact law of few events
    is beyond the bound, and is inconclusive else.

    Where a case may stop early, ``spend`` gives the part of a level that this look may spend, at which the interval is.
    """
    level = spend(level_of(confidence, blocking_bounds, corrected=corrected))
    reason: str | None = None
    if math.isnan(estimate.value):
        reason = f"no {bound.type} in gold or predictions" if bound.type else f"{bound.metric} has no value here"
        return undecided(bound, estimate, reason)
    law = estimate.law or Ends(estimate.value, (estimate.low, estimate.high), confidence)
    distinct = estimate.n if estimate.distinct is None else estimate.distinct
    needed = _needed(bound, estimate, law, level, distinct)
    if distinct < FEWEST_CLUSTERS or estimate.n < FEWEST_HOLDING:
        if estimate.law is not None and _is_exact(estimate.law):
            p = _p_of(bound, estimate.law)
            if p <= level and level:
                return Judgement(bound, estimate, "fail", "fail", p, unit=unit)
        return replace(_of_too_few(bound, estimate, distinct, needed, unit), unit=unit)
    if not estimate.decidable:
        return replace(undecided(bound, estimate, _only(estimate, distinct, unit)), unit=unit)
    if estimate.high - estimate.low <= ROUNDING:
        return replace(
            undecided(bound, estimate, f"the interval has no width, since all {unit} give the same"), unit=unit
        )
    p = _p_of(bound, law)
    uncorrected = _verdict(bound, estimate) if spend((1 - confidence) / 2) else "inconclusive"
    if uncorrected == "inconclusive":
        reason = "the interval contains the bound"
        if estimate.events is not None:
            reason = f"{reason}, since {_only(estimate, distinct, unit)}"
    elif uncorrected == "fail" and corrected and (p > level or not level):
        reason = f"beyond the bound, but not after correction for {blocking_bounds} bounds (p = {p:.2g} > {level:.2g})"
    if reason is None:
        return Judgement(bound, estimate, uncorrected, uncorrected, p, unit=unit)
    return Judgement(bound, estimate, "inconclusive", uncorrected, p, reason, needed, unit)


def _is_exact(law: Law | None) -> bool:
    """Whether a law holds of few units, too; that of a bootstrap does not."""
    if isinstance(law, MeanLaw):
        return all(map(_is_exact, law.laws))
    return law is not None and not isinstance(law, Ends)


def _p_of(bound: Bound, law: Law) -> float:
    """One-sided p of the bound holding."""
    return law.at_most(bound.limit) if bound.side == "max" else law.at_least(bound.limit)


def _of_too_few(bound: Bound, estimate: Estimate, distinct: int, needed: int | None, unit: str) -> Judgement:
    """The judgement on an estimate from too few units, or from too few that hold something to count."""
    if distinct < FEWEST_CLUSTERS:
        kind = f" with {bound.type}" if bound.type else ""
        few = f"fewer than {FEWEST_CLUSTERS} distinct {unit}{kind} ({distinct})"
        reason = f"{TOO_FEW_CHANGED} ({distinct})" if unit.startswith(_CHANGED) else few
        return undecided(bound, estimate, reason, max(FEWEST_CLUSTERS, needed or 0))
    reason = (
        f"fewer than {FEWEST_HOLDING} of {distinct} distinct {unit} hold anything that {bound.metric} counts "
        f"({estimate.n})"
    )
    return undecided(bound, estimate, reason, math.ceil(distinct * FEWEST_HOLDING / estimate.n) if estimate.n else None)


def level_of(confidence: float, blocking_bounds: int, *, corrected: bool = True) -> float:
    """The one-sided level at which a bound fails, corrected for the number of bounds (Bonferroni)."""
    return (1 - confidence) / 2 / (max(1, blocking_bounds) if corrected else 1)


def _ends(bound: Bound, estimate: Estimate) -> tuple[float, float]:
    """How far the better and the worse end of the interval lie beyond the bound."""
    better, worse = sorted((bound.excess(estimate.low), bound.excess(estimate.high)))
    return better, worse


def _verdict(bound: Bound, estimate: Estimate) -> Verdict:
    better, worse = _ends(bound, estimate)
    return "pass" if worse <= ROUNDING else "fail" if better > ROUNDING else "inconclusive"


def _only(estimate: Estimate, distinct: int, unit: str) -> str:
    return f"only {estimate.events or 0} of {distinct} {unit} make a difference to the number"


def _needed(bound: Bound, estimate: Estimate, law: Law, level: float, distinct: int) -> int | None:
    """The number of distinct units at which the interval leaves the bound out and a fail stands.

    The interval shrinks with the root of their number, of which there are ``distinct`` now. None where the estimate
    lies on the bound.
    """
    excess = bound.excess(estimate.value)
    if abs(excess) <= ROUNDING:
        return None
    better, worse = _ends(bound, estimate)
    corrected = bound.excess(law.low(level) if bound.side == "max" else law.high(level))
    reach = excess - min(better, corrected) if excess > 0 else worse - excess
    return math.ceil(distinct * (reach / excess) ** 2)
