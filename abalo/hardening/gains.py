"""Two models on the same cases: the cost of each case before and after, and whether it has become less.

Gains are judged as losses are (`abalo.core.losses`): resampled together, corrected for the other cases of the same
role, with exact tests if few examples differ.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from abalo.core.evidence import Evidence
from abalo.core.few_events import Few, few_between
from abalo.core.gate import Gate
from abalo.core.losses import Draws, Hypothesis, Loss, State, exact, judged
from abalo.core.metrics import Difference, Metric, Share
from abalo.core.pairing import NotComparable, Paired, paired
from abalo.core.plan import BASELINE
from abalo.core.probe import Case
from abalo.core.rounding import ROUNDING
from abalo.core.statistics import UNDEFINED, Estimate
from abalo.core.task import Task
from abalo.hardening.failures import families

Role = Literal["clean", "taught", "same family", "other family"]
ROLES: tuple[Role, ...] = get_args(Role)
"""The clean corpus; a case that was taught; one that was not, of a family that was, or of another."""


_OF_GAINS: Mapping[State, State] = {"regressed": "improved", "improved": "regressed", "no worse": "can't tell"}
"""The state of a gain, by that of the loss of the old model against the new one; others stay."""


@dataclass(frozen=True, slots=True)
class Gain:
    """The change of one case.

    ``metric`` is its headline number, of which less is better unless ``more_is_better``; ``before`` and ``after`` are
    that of both models; of the clean corpus it is the score. ``change`` is after minus before, with the interval that
    decides: corrected for the other cases of the same role. ``state`` is *improved* if the whole interval is better
    than no change, *regressed* if it is worse, else *can't tell*. The clean corpus is *regressed* if the whole interval
    is a loss of more than the gate allows, and *no worse* if none of it is. ``reason`` says why two runs are *not
    comparable*, or why they can't be told apart.
    """

    case: str
    role: Role
    families: tuple[str, ...]
    metric: str
    more_is_better: bool
    state: State
    before: float = math.nan
    after: float = math.nan
    change: Estimate = UNDEFINED
    reason: str = ""

    @property
    def cut(self) -> float:
        """The share of the cost that is gone: 1 for all of it, below 0 if it grew.

        NaN of the clean corpus, of scores and pass rates, and if nothing was lost before.
        """
        costs = self.role != "clean" and self.before > ROUNDING and not self.more_is_better
        return 1 - self.after / self.before if costs else math.nan


def gains(
    task: Task,
    cases: Sequence[Case],
    taught: Sequence[Case],
    before: Mapping[str, Evidence],
    after: Mapping[str, Evidence],
    gate: Gate,
) -> list[Gain]:
    """The gain in each of the cases, the clean corpus first, then by role.

    Cases of one role are a family of tests, with the one-sided level (1 - confidence) / 2 in all.
    """
    known = {each.id for each in taught}
    same = {case.together for case in taught}
    learnt = {family for case in taught for family in families(case)}
    subjects = []
    for case in sorted(cases, key=lambda each: each.id):
        role: Role = (
            "clean"
            if case.name == BASELINE
            else "taught"
            if case.id in known or case.together in same
            else "same family"
            if families(case) & learnt
            else "other family"
        )
        subjects.append(_subject(task, case, role, before, after))
    return judged_gains(subjects, gate)


def _subject(
    task: Task, case: Case, role: Role, before: Mapping[str, Evidence], after: Mapping[str, Evidence]
) -> Subject:
    metric = case.probe.metrics(task)[task.floor if role == "clean" else case.probe.headline(task)]
    missing = [which for which, run in (("before", before), ("after", after)) if case.id not in run]
    if missing:
        return Subject(case, role, metric, f"did not run {missing[0]}")
    both = after[case.id], before[case.id]
    whole = all(each.whole for each in both)
    from_model = case.probe.variants_from_model(case)
    try:
        pair = paired(*both, metric, case.view, from_model=from_model, whole=whole or case.probe.searches)
    except NotComparable as error:
        return Subject(case, role, metric, str(error))
    return Subject(case, role, metric, pair, whole)


def judged_gains(subjects: Sequence[Subject], gate: Gate) -> list[Gain]:
    """The gains of the cases, corrected within each role, in the order of the roles."""
    clusters = {cluster for each in subjects for cluster in each.clusters}
    draws = Draws(sorted(clusters), gate.resamples)
    level = (1 - gate.confidence) / 2
    found = []
    for role in ROLES:
        own = [each for each in subjects if each.role == role]
        losses = judged([each.test(draws, gate) for each in own], level, level, gate)
        found += [each.gain(loss) for each, loss in zip(own, losses, strict=True)]
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """One case in two runs, of which the ``new`` one of ``paired`` is after the training; or why they have no pairs.

    ``whole`` says that every unit was run, so that nothing is left to chance. Tested is the loss of the new model on
    the clean corpus, and the loss of the old model against the new one in any other case: the correction is for the
    side on which a false alarm would be told.
    """

    case: Case
    role: Role
    metric: Metric
    paired: Paired | str
    whole: bool = False

    @property
    def clusters(self) -> Sequence[str]:
        """The clusters that are compared; none if nothing can be."""
        return () if isinstance(self.paired, str) else self.paired.clusters

    def test(self, draws: Draws, gate: Gate) -> Hypothesis:
        """The loss that is tested, in the direction of `_sign`."""
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
        """The change, with interval and state of the judged loss."""
        sign, estimate = self._sign, loss.loss
        low, high = sorted((sign * estimate.low, sign * estimate.high))
        return Gain(
            self.case.id,
            self.role,
            tuple(sorted(families(self.case))),
            self.metric.name,
            self.metric.more_is_better,
            loss.state if self.role == "clean" else _OF_GAINS.get(loss.state, loss.state),
            loss.reference,
            loss.new,
            replace(estimate, value=loss.new - loss.reference, low=low, high=high),
            loss.reason,
        )

    @property
    def _sign(self) -> int:
        """1 if a rise of the metric is a rise of the tested loss, else -1."""
        return 1 if self.metric.more_is_better != (self.role == "clean") else -1
