"""Two models on the same cases: the cost of each case before and after, and how much of it is gone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

import numpy as np

from abalo.core.case import BASELINE, Case
from abalo.core.evidence import Evidence
from abalo.core.gate import Gate
from abalo.core.metrics import Floats, Metric
from abalo.core.pairing import NotComparable, paired
from abalo.core.statistics import UNDEFINED, Estimate, bootstrap, estimate
from abalo.core.task import Task
from abalo.hardening.failures import families

Role = Literal["clean", "taught", "same family", "other family"]
ROLES: tuple[Role, ...] = get_args(Role)
"""The clean corpus; a case that was taught; one that was not, of a family that was, or of another."""

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Gain:
    """The gain in one case.

    ``metric`` is its headline number, of which less is better unless ``more_is_better``; ``before`` and ``after`` are
    that of both models; of the clean corpus it is the score. ``change`` is after minus before. ``cut`` is the share of
    the cost that is gone, 1 for all of it, below 0 where it grew; NaN of the clean corpus, and where there was no cost.
    Intervals are of examples resampled in pairs. ``reason`` says why the two could not be compared, empty where they
    could.
    """

    case: str
    role: Role
    families: tuple[str, ...]
    metric: str
    more_is_better: bool
    before: float
    after: float
    change: Estimate
    cut: Estimate
    reason: str = ""


def gains(
    task: Task,
    cases: Sequence[Case],
    taught: Sequence[Case],
    before: Mapping[str, Evidence],
    after: Mapping[str, Evidence],
    gate: Gate,
) -> list[Gain]:
    """The gain in each of the cases, the clean corpus first, then by role."""
    known = {each.id for each in taught}
    same = {case.probe.together(case) for case in taught}
    learnt = {family for case in taught for family in families(case)}
    found = []
    for case in cases:
        own = families(case)
        role: Role = (
            "clean"
            if case.name == BASELINE
            else "taught"
            if case.id in known or case.probe.together(case) in same
            else "same family"
            if own & learnt
            else "other family"
        )
        found.append(_gain(task, case, role, tuple(sorted(own)), before, after, gate))
    return sorted(found, key=lambda each: (ROLES.index(each.role), each.case))


def _gain(
    task: Task,
    case: Case,
    role: Role,
    own: tuple[str, ...],
    before: Mapping[str, Evidence],
    after: Mapping[str, Evidence],
    gate: Gate,
) -> Gain:
    name = task.floor if role == "clean" else case.probe.headline(task)
    metric = case.probe.metrics(task)[name]
    incomparable = partial(
        Gain, case.id, role, own, name, metric.more_is_better, math.nan, math.nan, UNDEFINED, UNDEFINED
    )
    missing = [which for which, run in (("before", before), ("after", after)) if case.id not in run]
    if missing:
        return incomparable(f"did not run {missing[0]}")
    from_model = case.probe.variants_from_model(case)
    try:
        pair = paired(
            after[case.id], before[case.id], metric, case.view, from_model=from_model, whole=case.probe.searches
        )
    except NotComparable as error:
        return incomparable(str(error))
    weights = bootstrap(len(pair.clusters), gate.resamples)
    then, now = (_Drawn.of(metric, rows[:, 0, 0], weights.sums(rows[:, 0, 0])) for rows in (pair.reference, pair.new))
    change = _estimate(now.value - then.value, now.draws - then.draws, gate)
    costs = role != "clean" and then.value > _ROUNDING and not metric.more_is_better
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = 1 - now.draws / np.where(then.draws > _ROUNDING, then.draws, np.nan)
    cut = _estimate(1 - now.value / then.value, shares, gate) if costs else UNDEFINED
    return Gain(case.id, role, own, name, metric.more_is_better, then.value, now.value, change, cut)


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """A metric of one model, and of the same examples resampled."""

    value: float
    draws: Floats

    @classmethod
    def of(cls, metric: Metric, rows: Floats, resampled: Floats) -> _Drawn:
        return cls(float(metric.value(rows.sum(axis=0))), metric.value(resampled))


def _estimate(value: float, draws: Floats, gate: Gate) -> Estimate:
    """The value with its percentile interval; draws without a meaning, as where nothing was lost, are left out."""
    draws = draws[np.isfinite(draws)]
    return estimate(value, draws, len(draws), gate.confidence) if len(draws) > 1 else UNDEFINED
