"""The hypotheses of a comparison: which losses of cases and labels can be significant."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from abalo.comparison.test.label_losses import (
    label_metric,
)
from abalo.core.protocols.probe import Case, baseline_of
from abalo.core.protocols.task import Task, floor_of
from abalo.core.records.gate import Gate
from abalo.core.statistics.estimates import FEWEST_CLUSTERS
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.losses import (
    Hypothesis,
    too_few,
)
from abalo.core.statistics.metrics import Metric
from abalo.core.statistics.pairing import holding
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.verdicts import FEWEST_HOLDING

MEAN_PART, CLEAN_PART, CASES_PART = 1 / 2, 1 / 4, 1 / 4
"""Parts of the level."""


TYPES = "types"


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """The evidence of two runs, by case.

    ``other_gold`` explains why nothing is comparable. ``other_answers``: clean predictions are known to differ.
    """

    new: Mapping[str, Evidence]
    reference: Mapping[str, Evidence]
    same_model: bool = False
    other_gold: str = ""
    other_answers: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class LossFamily:
    """The losses of a task that are corrected for each other, and the fewest clusters that can decide one.

    ``held`` are the clusters of each hypothesis, by case.
    """

    task: Task
    clean: Case
    floor: str
    gate: Gate
    held: Mapping[str, Sequence[int]]
    least: int

    @property
    def by_label(self) -> Metric | None:
        graded = self.floor != self.task.floor
        return None if graded else label_metric(self.task)

    @property
    def size(self) -> int:
        return self.count(self.held)

    def count(self, cases: Iterable[str]) -> int:
        return sum(held >= self.least for case in cases for held in self.held.get(case, ()))

    def few(self, runs: Runs) -> bool:
        """Whether the runs share so few clusters that signs are flipped instead of resampling."""
        sides = [side[self.clean.id] for side in (runs.new, runs.reference) if self.clean.id in side]
        return bool(sides) and len(set.intersection(*({*each.clusters.tolist()} for each in sides))) < FEWEST_CLUSTERS

    def pooled(self, tests: Sequence[Hypothesis]) -> int:
        return min(self.count([TYPES]), len(tests))

    def testable(self, test: Hypothesis) -> Hypothesis:
        return Hypothesis(too_few(test.loss, test)) if test.too_few and test.loss.loss.n < self.least else test

    def limits(self, case: Case) -> Mapping[str, float]:
        usual = case.probe.compared_by(self.task)
        usual = self.floor if usual == self.task.floor else usual
        return {**({} if usual is None else {usual: self.gate.max_loss}), **case.max_losses}


def family_of(task: Task, cases: Sequence[Case], reference: Mapping[str, Evidence], gate: Gate) -> LossFamily:
    """Drops hypotheses that cannot be significant [Tarone, Biometrics 46, 1990: 515-522]."""
    clean = next((case for case in cases if case.name == BASELINE), baseline_of(task))
    floor = floor_of(task, reference[clean.id]) if clean.id in reference else task.floor
    family = LossFamily(task, clean, floor, gate, {}, 0)
    every = (clean, *(case for case in cases if case.name != BASELINE))
    held = {case.id: [*_clusters_held(case, family, reference[case.id])] for case in every if case.id in reference}
    held[TYPES] = _pooled_holders(every, family, reference)
    level = (1 - gate.confidence) / 2 * CASES_PART
    counts = [each for own in held.values() for each in own]
    if gate.correction == "none":
        return replace(family, held=held, least=_clusters_needed((1 - gate.confidence) / 2))
    if family.few(Runs({}, reference)):  # flipped together, all can be significant
        return replace(family, held=held, least=_clusters_needed(level))
    return replace(family, held=held, least=least_of(counts, level))


def count_hypotheses(task: Task, cases: Sequence[Case], reference: Mapping[str, Evidence], gate: Gate) -> int:
    """The losses of cases and labels that a comparison with this reference corrects for."""
    return family_of(task, cases, reference, gate).size


def least_of(counts: Sequence[int], level: float) -> int:
    """The fewest clusters with which a hypothesis can be significant, if one of ``counts`` clusters each is tested."""
    fits = (
        share
        for share in range(1, len(counts) + 1)
        if sum(h >= _clusters_needed(level / share) for h in counts) <= share
    )
    return _clusters_needed(level / next(fits, 1))


def _clusters_needed(level: float) -> int:
    return math.ceil(-math.log2(level))


def _clusters_held(case: Case, family: LossFamily, evidence: Evidence) -> Iterator[int]:
    if not case.blocking or evidence.whole:
        return
    for name in family.limits(case):
        shown = evidence.only(~evidence.outside & (evidence.changed | (not over_changed(case, family, name))))
        if len(shown) and (case.id, name) != (family.clean.id, family.floor):
            yield shown.distinct
    if case.name == BASELINE and family.by_label is not None:
        groups = [count for count in holding(evidence.only(~evidence.outside)).values() if count]
        yield from groups if len(groups) > 1 else ()


def _pooled_holders(cases: Sequence[Case], family: LossFamily, reference: Mapping[str, Evidence]) -> list[int]:
    holders: dict[str, set[str]] = defaultdict(set)
    for case in cases if family.by_label is not None else ():
        own = reference.get(case.id)
        if own is None or not case.blocking or own.whole or not over_changed(case, family, family.floor):
            continue
        shown = own.only(~own.outside & own.changed)
        for k, group in enumerate(shown.groups):
            clusters = {*shown.clusters[shown.held[:, k] > 0].tolist()}
            if len(clusters) >= FEWEST_HOLDING:
                holders[group] |= clusters
    return [len(each) for each in holders.values()] if len(holders) > 1 else []


def over_changed(case: Case, family: LossFamily, metric: str) -> bool:
    """Whether the metric of the case counts changed examples alone."""
    usual = case.probe.compared_by(family.task)
    return case.probe.perturbs and metric == family.floor and usual == family.task.floor
