"""The cost of each case before and after training.

Gains are judged like losses (`abalo.core.statistics.losses`), corrected within each role.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from abalo.core.documents.found import Interval
from abalo.core.protocols.probe import Case, metrics_of
from abalo.core.protocols.task import Task
from abalo.core.records.gate import Gate
from abalo.core.records.json_records import JsonRecord
from abalo.core.records.rounding import ROUNDING
from abalo.core.statistics.estimates import FEWEST_CLUSTERS, Estimate
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.few_events import Few, few_between
from abalo.core.statistics.losses import Draws, Hypothesis, Loss, State, exact, judge_losses
from abalo.core.statistics.metrics import Difference, Metric, Share
from abalo.core.statistics.numbers import number_of
from abalo.core.statistics.pairing import NotComparable, Paired, pair_runs
from abalo.core.statistics.plan import BASELINE
from abalo.hardening.failures import families

GainRole = Literal["clean", "taught", "same family", "other family"]
ROLES: tuple[GainRole, ...] = get_args(GainRole)


_OF_GAINS: Mapping[State, State] = {"regressed": "improved", "improved": "regressed", "no worse": "can't tell"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain(JsonRecord):
    """The change of one case.

    ``metric`` is the headline number, or the clean score. ``change`` is after minus before, with an interval corrected
    within the role. ``state`` is *improved* or *regressed* if the interval excludes 0, else *can't tell*. The clean
    corpus is *regressed* if the interval exceeds the allowed loss, *no worse* if it stays within it. ``cut`` is the
    share of the cost that is gone, below 0 if it grew; None without a cost. ``reason`` says why runs are not
    comparable.
    """

    case: str
    role: GainRole
    families: Sequence[str]
    metric: str
    more_is_better: bool
    before: float | None
    after: float | None
    change: Interval
    state: State
    cut: float | None
    reason: str


def gains(
    task: Task,
    cases: Sequence[Case],
    taught: Sequence[Case],
    before: Mapping[str, Evidence],
    after: Mapping[str, Evidence],
    gate: Gate,
) -> list[Gain]:
    """The gain in each case, the clean corpus first.

    Each role has a one-sided level of (1 - confidence) / 2.
    """
    known = {each.id for each in taught}
    same = {case.together for case in taught}
    learnt = {family for case in taught for family in families(case)}
    subjects = []
    for case in sorted(cases, key=lambda each: each.id):
        role: GainRole = (
            "clean"
            if case.name == BASELINE
            else "taught"
            if case.id in known or case.together in same
            else "same family"
            if families(case) & learnt
            else "other family"
        )
        subjects.append(_subject(task, case, role, before, after))
    return judge_gains(subjects, gate)


def _subject(
    task: Task, case: Case, role: GainRole, before: Mapping[str, Evidence], after: Mapping[str, Evidence]
) -> CaseRuns:
    metric = metrics_of(case.probe, task)[task.floor if role == "clean" else case.probe.headline(task)]
    missing = [which for which, run in (("before", before), ("after", after)) if case.id not in run]
    if missing:
        return CaseRuns(case, role, metric, f"did not run {missing[0]}")
    both = after[case.id], before[case.id]
    whole = all(each.whole for each in both)
    from_model, fewest = case.probe.variants_from_model(case), 1 if whole or case.probe.searches else FEWEST_CLUSTERS
    try:
        pair = pair_runs(*both, metric, case.view, from_model=from_model, fewest=fewest)
    except NotComparable as error:
        return CaseRuns(case, role, metric, str(error))
    return CaseRuns(case, role, metric, pair, whole)


def judge_gains(subjects: Sequence[CaseRuns], gate: Gate) -> list[Gain]:
    """Gains corrected within each role."""
    clusters = {cluster for each in subjects for cluster in each.clusters}
    draws = Draws(sorted(clusters), gate.resamples)
    level = (1 - gate.confidence) / 2
    found = []
    for role in ROLES:
        own = [each for each in subjects if each.role == role]
        losses = judge_losses([each.test(draws, gate) for each in own], level, level, gate)
        found += [each.gain(loss) for each, loss in zip(own, losses, strict=True)]
    return found


@dataclass(frozen=True, slots=True, eq=False)
class CaseRuns:
    """One case before and after training; ``paired`` holds pairs, or why none exist.

    ``whole`` is True if every unit was run. The test asks for the new model's loss on the clean corpus, and for the old
    model's loss in other cases, to control false alarms.
    """

    case: Case
    role: GainRole
    metric: Metric
    paired: Paired | str
    whole: bool = False

    @property
    def clusters(self) -> Sequence[str]:
        return () if isinstance(self.paired, str) else self.paired.clusters

    def test(self, draws: Draws, gate: Gate) -> Hypothesis:
        """The tested loss."""
        limit = gate.max_loss if self.role == "clean" else 0.0
        untested = Loss(self.case.id, None, self.metric.name, limit, "not comparable")
        pair, value, sign = self.paired, self.metric.value, self._sign
        if isinstance(pair, str):
            return Hypothesis(replace(untested, reason=pair))
        before, after = pair.reference[:, 0, 0], pair.new[:, 0, 0]
        then, now = (float(value(each.sum(axis=0))) for each in (before, after))
        if math.isnan(now - then):
            return Hypothesis(
                replace(untested, new=now, reference=then, reason=f"{self.metric.words} has no value here")
            )
        change = sign * (now - then)
        found = replace(
            untested,
            state="can't tell",
            new=now,
            reference=then,
            loss=Estimate(change, math.nan, math.nan, math.nan, len(pair.clusters)),
            discordant=int(pair.differing(0).sum()),
        )
        if self.whole:  # nothing is left to chance
            return Hypothesis(exact(replace(found, loss=replace(found.loss, low=change, high=change))))
        drawn = draws.sums(pair.clusters, np.stack([before, after], axis=1))
        change_drawn = sign * (value(drawn[:, 1]) - value(drawn[:, 0]))
        few: Few | None = None
        if isinstance(value, Share | Difference):
            few = few_between(value, after, before) if sign > 0 else few_between(value, before, after)
        return Hypothesis(found, change_drawn, few, self.metric.high - self.metric.low)

    def gain(self, loss: Loss) -> Gain:
        """The gain that the judged loss gives."""
        sign, estimate = self._sign, loss.loss
        low, high = sorted((sign * estimate.low, sign * estimate.high))
        costs = self.role != "clean" and loss.reference > ROUNDING and not self.metric.more_is_better
        return Gain(
            case=self.case.id,
            role=self.role,
            families=sorted(families(self.case)),
            metric=self.metric.name,
            more_is_better=self.metric.more_is_better,
            before=number_of(loss.reference),
            after=number_of(loss.new),
            change=Interval(value=number_of(loss.new - loss.reference), low=number_of(low), high=number_of(high)),
            state=loss.state if self.role == "clean" else _OF_GAINS.get(loss.state, loss.state),
            cut=number_of(1 - loss.new / loss.reference) if costs else None,
            reason=loss.reason,
        )

    @property
    def _sign(self) -> int:
        """1 if a higher metric is a larger tested loss, else -1."""
        return 1 if self.metric.more_is_better != (self.role == "clean") else -1
