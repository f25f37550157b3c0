"""Examples of a case that turned from right to wrong, or back, between two runs."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from abalo.comparison.test.newly import NEWLY_WRONG, Newly, newly
from abalo.core.protocols.probe import Case, Probe
from abalo.core.protocols.task import Task
from abalo.core.records.rounding import ROUNDING
from abalo.core.statistics.estimates import UNDEFINED
from abalo.core.statistics.evidence import Evidence, MissingCountsError
from abalo.core.statistics.losses import Loss, state_of
from abalo.core.statistics.metrics import Flags, Metric, holding
from abalo.core.statistics.pairing import Matched

_TurnedUnit = tuple[str, str, int, str, str]
"""Cluster, example, seed, place and gold."""


def exact_metric(task: Task) -> Metric | None:
    """The metric that is at its best for a right example; None without one."""
    return next((metric for metric in task.metrics().values() if metric.exact), None)


def can_turn(probe: Probe, task: Task) -> bool:
    """Whether comparisons count examples of the probe's cases that turned."""
    return exact_metric(task) is not None and probe.compared_by(task) == task.floor


def turned_in(matched: Matched, metric: Metric, view: str, confidence: float) -> Newly | None:
    """Counts the units of a case that turned; None if a run lacks the counts.

    A unit is right if most trainings are.
    """
    try:
        before = _right_units(matched.reference, metric, view)
        now = before if matched.new is matched.reference else _right_units(matched.new, metric, view)
    except MissingCountsError:
        return None
    if before is None or now is None:
        return None
    keys = sorted(before.keys() & now.keys())
    first, second = (np.array([side[key] for key in keys], dtype=bool) for side in (before, now))
    return newly(first, second, np.array([cluster for cluster, *_ in keys]), confidence)


def _right_units(evidence: Evidence, metric: Metric, view: str) -> Mapping[_TurnedUnit, bool] | None:
    sums = evidence.stored_counts(metric, view, overall=True)[:, 0].astype(np.float64)
    counted = holding(metric.value, sums)
    if not counted.any():
        return None
    right: Flags = ~counted | (metric.value(sums) >= metric.high - ROUNDING)  # nothing to find, and nothing found
    rows = (evidence.clusters, evidence.ids, evidence.seeds, evidence.places, evidence.golds)
    found: dict[_TurnedUnit, list[bool]] = defaultdict(list)
    for key, each in zip(zip(*(row.tolist() for row in rows), strict=True), right.tolist(), strict=True):
        found[key].append(each)
    return {key: 2 * sum(each) > len(each) for key, each in found.items()}


def judge_newly_wrong(case: Case, frame: Loss, found: Newly | None, level: float) -> Loss:
    """Judges the share of newly wrong examples at a one-sided ``level``.

    ``frame`` is the loss of the case; its state stays if the answers are identical.
    """
    assert case.max_newly_wrong is not None
    limit = case.max_newly_wrong
    own = replace(frame, metric=NEWLY_WRONG, limit=limit, usual=limit, waiver=None, weight=0.0, p=None)
    own = replace(own, reference=math.nan, new=math.nan)
    if found is None or math.isnan(found.wrong.share.value):
        reason = frame.reason or "no example is right or wrong as a whole"
        return replace(own, state="not comparable", reason=reason, loss=UNDEFINED)
    share = found.wrong.share
    own = replace(own, loss=share, discordant=found.wrong.count, detectable_loss=math.nan)
    if frame.state == "identical" or share.law is None:
        return own
    low, high, p = share.law.low(level), share.law.high(level), share.law.at_most(limit)
    state = state_of(p <= level and low > limit, high, limit)
    if level <= 0:
        return replace(own, state="can't tell", level=0.0)
    return replace(own, state=state, loss=replace(share, low=low, high=high), p=p, level=level)
