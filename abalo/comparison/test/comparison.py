"""Compares a run with an accepted model's run on the same examples.

A positive loss means that the new run is worse.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

import numpy as np

from abalo.comparison.test.by_label import ByLabel
from abalo.comparison.test.family import CASES_PART, CLEAN_PART, MEAN_PART, Runs, family_of
from abalo.comparison.test.lost_labels import count_labels, fallen_labels, is_lost
from abalo.comparison.test.mean import (
    InMean,
    mean_apart,
    mean_over,
    reasons_of_mean,
    weights_of,
)
from abalo.comparison.test.newly import Newly
from abalo.comparison.test.panels import (
    COUNTED_APART,
    judge_panel,
    judge_whole,
    leave_unjudged,
    panel_in,
    pool_subjects,
)
from abalo.comparison.test.subjects import CaseSubject
from abalo.comparison.test.turned import judge_newly_wrong
from abalo.core.documents.losses_found import LabelCount, ShiftedLabel
from abalo.core.protocols.probe import Case
from abalo.core.protocols.task import Task
from abalo.core.records.gate import Gate
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.losses import (
    STATES,
    Draws,
    Hypothesis,
    Loss,
    State,
    by_itself,
    judge_losses,
)
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.sequential import level_at, may_stop, stopped


@dataclass(frozen=True, slots=True)
class Compared:
    """The comparison of one task.

    * ``mean``: loss over perturbed cases, weighted by `pool_weights`; None without any.
    * ``losses``: losses of labels on the clean corpus and over the cases (`TYPES`), then of cases and, not judged, of
      labels in each.
    * ``hypotheses`` and ``present``: those in the thresholds file, and how many were judged.
    * ``lost`` and ``small_lost``: labels that the new run no longer finds; lost ones fail.
    * ``found_less``: labels found less often, not significantly.
    * ``shifted``: labels that lost recall or precision, and no F1.
    * ``newly``: by case, the examples that turned from right to wrong and back.
    * ``no_labels``: why labels were not compared; "" if they were, or if the task has none.
    """

    baseline: Loss
    mean: Loss | None
    losses: tuple[Loss, ...]
    present: int
    hypotheses: int
    only_new: tuple[str, ...]
    only_reference: tuple[str, ...]
    lost: tuple[LabelCount, ...] = ()
    small_lost: tuple[LabelCount, ...] = ()
    found_less: tuple[LabelCount, ...] = ()
    shifted: tuple[ShiftedLabel, ...] = ()
    newly: Mapping[str, Newly] = field(default_factory=dict)
    no_labels: str = ""
    perturbed: bool = False
    panel: bool = False

    @property
    def all(self) -> tuple[Loss, ...]:
        """All losses, most general first."""
        return (self.baseline, *([] if self.mean is None else [self.mean]), *self.losses)

    @property
    def state(self) -> State:
        """The worst blocking state; without one, the worst of the others, but no regression."""
        return worst_state([(loss.state, loss.blocking) for loss in self.all], lost=bool(self.lost))

    @property
    def identical(self) -> bool:
        """Whether the runs gave the same answers, as far as known, to all that both asked."""
        return is_identical([loss.state for loss in self.all])

    @property
    def decided(self) -> bool:
        """Whether clean and mean loss are acceptable."""
        cases = [
            (loss.state, loss.waiver is not None and not loss.weight)
            for loss in self.losses
            if loss.group is None and loss.blocking
        ]
        mean = None if self.mean is None else self.mean.state
        gone = bool(self.lost or self.small_lost)
        return is_held(self.state, self.baseline.state, mean, cases, gone=gone, perturbed=self.perturbed)


def worst_state(losses: Sequence[tuple[State, bool]], *, lost: bool) -> State:
    """A task's state from its losses, each with whether it blocks."""
    if lost:
        return "regressed"
    found = {state for state, blocking in losses if blocking}
    if not found:
        found = {"can't tell" if state == "regressed" else state for state, _ in losses}
    return next((state for state in STATES if state in found), "not comparable")


SAME: tuple[State, ...] = ("identical", "same results")


def is_identical(states: Sequence[State]) -> bool:
    """Whether all losses of a task are of the same answers."""
    return {*states} - {"not judged"} <= {*SAME}


def is_held(
    state: State,
    clean: State,
    mean: State | None,
    cases: Sequence[tuple[State, bool]],
    *,
    gone: bool,
    perturbed: bool,
) -> bool:
    """Whether a task is known to be no worse.

    ``cases`` pairs blocking states with whether a waiver excludes them from the mean.
    """
    waived = [each for each, is_waived in cases if is_waived]
    if mean is None and perturbed and (not waived or len(waived) < len(cases)):
        return False
    held = {"accepted", "no worse", "improved", *SAME}
    return state != "regressed" and not gone and {clean, *([] if mean is None else [mean]), *waived} <= held


def compare_task(task: Task, cases: Sequence[Case], runs: Runs, gate: Gate, today: date) -> Compared:
    """Judges the losses of the ``cases`` in the new run.

    The mean gets half the level (1 - confidence) / 2, the baseline a quarter, cases and groups a quarter.
    """
    family = family_of(task, cases, runs.reference, gate)
    clean, floor = family.clean, family.floor
    perturbed = [case for case in cases if case.name != BASELINE]
    of_clean = CaseSubject(clean, floor, family, runs, today)
    subjects = [
        CaseSubject(case, name, family, runs, today)
        for case in (clean, *perturbed)
        if case.id in runs.new and case.id in runs.reference
        for name in family.limits(case)
        if (case, name) != (clean, floor)
    ]
    clusters = sorted({cluster for each in (of_clean, *subjects) for cluster in each.clusters})
    draws = Draws(clusters, gate.resamples, few=family.few(runs))
    level = (1 - gate.confidence) / 2
    (overall,) = of_clean.tests(draws)
    tests = {each: [*each.tests(draws)] for each in subjects}
    in_mean = [InMean(each, own[0]) for each, own in tests.items() if each.in_mean and _has_loss(own[0])]
    labels = ByLabel(of_clean, family, draws)
    panel = panel_in(runs)
    early = any(may_stop(each.notes) for each in runs.new.values())
    pooled = None
    if panel is not None:
        pooled = pool_subjects(subjects, panel, family, runs)
        labels.pool([] if pooled is None else pooled.parts, 1)
    else:
        labels.pool([(part.subject, weight) for part, weight in zip(in_mean, weights_of(in_mean), strict=True)])
    by_label = [
        *labels.clean,
        *(leave_unjudged(labels.pooled, "not judged", COUNTED_APART) if early else labels.pooled),
    ]
    singles = [family.testable(test) for own in tests.values() for test in own]
    further = [*by_label, *singles]
    present = family.count(case.id for case in (clean, *perturbed) if case.id in runs.new)
    present += family.pooled(labels.pooled)
    hypotheses = family.size
    if panel is not None:
        mean, losses = judge_panel(pooled, by_label, singles, draws, panel, gate)
        present = hypotheses = sum(not math.isnan(loss.level) and loss.blocking for loss in losses)
    elif early:
        mean = mean_apart(in_mean, draws, level, runs, gate.mean_limit)
        losses = _judge_apart(further, level * CASES_PART / max(1, family.size), level, runs, gate)
    else:
        together = mean_over(in_mean, draws, gate.mean_limit)
        mean = None if together is None else judge_whole(together, level * MEAN_PART, level, gate)
        losses = judge_losses(further, level * CASES_PART * present / max(1, family.size), level, gate)
    if mean is not None and panel is None:
        told = sum(each.in_mean or bool(each.reason) for each in subjects if each.perturbs and not each.waived)
        mean = replace(mean, because_of=reasons_of_mean(mean, in_mean, losses), cases=len(in_mean), of_cases=told)
        weights = {part.test.loss.case: weight for part, weight in zip(in_mean, weights_of(in_mean), strict=True)}
        losses = [
            replace(loss, weight=weights.get(loss.case, 0.0)) if loss.group is None and loss.metric == floor else loss
            for loss in losses
        ]
    losses = [replace(loss, stopped_early=_stopped([loss.case], runs), moved=labels.moved(loss)) for loss in losses]
    if mean is not None:
        ended = panel.stopped if panel is not None else _stopped([part.subject.case.id for part in in_mean], runs)
        mean = replace(mean, stopped_early=ended)
    turned, limited = dict[str, Newly](), list[Loss]()
    for each, frame in [(of_clean, overall.loss), *((each, own[0].loss) for each, own in tests.items() if own)]:
        found = each.turned(gate.confidence)
        if found is not None:
            turned[each.case.id] = found
        if each.limits_newly_wrong:
            at = level_at(runs.new[each.case.id].notes if each.case.id in runs.new else {}, level)
            limited.append(judge_newly_wrong(each.case, frame, found, at))
    known, counted = {case.id for case in (clean, *perturbed)}, count_labels(task, clean, floor, runs)
    in_cases = [
        replace(each, case=case.id)
        for case in perturbed
        if case.blocking and not case.probe.variants_from_model(case)
        for each in count_labels(task, case, floor, runs)
        if is_lost(each)
    ]
    missed = {each.type for each in counted if not each.now}
    gone = [each for each in counted if each.found and not each.now]
    return Compared(
        judge_whole(overall, level * CLEAN_PART, level, gate),
        mean,
        (*losses, *limited, *(loss for each in subjects for loss in each.label_numbers())),
        present,
        hypotheses,
        tuple(case.id for case in perturbed if case.id in runs.new and case.id not in runs.reference),
        tuple(sorted(runs.reference.keys() - known - runs.new.keys())),
        tuple(replace(each, moved=labels.lost(each.type)) for each in gone if is_lost(each)),
        (
            *(replace(each, case="") for each in gone if not is_lost(each)),
            *(each for each in in_cases if each.type not in missed),
        ),
        tuple(fallen_labels(counted, clean, losses)),
        labels.shifted(losses, missed, level, gate),
        turned,
        labels.reason,
        any(case.id in runs.new and case.probe.perturbs for case in perturbed),
        panel is not None,
    )


def of_each_training(task: Task, cases: Sequence[Case], runs: Runs, gate: Gate, today: date) -> list[Compared]:
    """Compares each of several trainings separately."""
    count = max((int(each.trainings.max()) + 1 for each in runs.new.values() if len(each)), default=1)
    parts = [{name: _of_training(each, k) for name, each in runs.new.items()} for k in range(count)]
    return [compare_task(task, cases, replace(runs, new=part), gate, today) for part in parts] if count > 1 else []


def _of_training(evidence: Evidence, training: int) -> Evidence:
    part = evidence.only(evidence.trainings == training)
    return replace(part, trainings=np.zeros_like(part.trainings))


def compare_early(case: Case, cases: Sequence[Case], task: Task, runs: Runs, gate: Gate, today: date) -> list[Loss]:
    """The losses of a case that may stop early."""
    level = (1 - gate.confidence) / 2
    family = family_of(task, cases, runs.reference, gate)
    subjects = [CaseSubject(case, name, family, runs, today) for name in family.limits(case)]
    clusters = sorted({cluster for each in subjects for cluster in each.clusters})
    draws = Draws(clusters, gate.resamples, few=family.few(runs))
    tests = [family.testable(test) for each in subjects for test in each.tests(draws)]
    losses = _judge_apart(tests, level * CASES_PART / max(1, family.size), level, runs, gate)
    if all(loss.state == "not comparable" for loss in losses):
        return losses
    missing = family.count([case.id]) - len(losses)
    return [*losses, *[_too_few(case)] * missing]


def _too_few(case: Case) -> Loss:
    return Loss(case.id, None, "", 0.0, "can't tell", blocking=case.blocking)


def _has_loss(test: Hypothesis) -> bool:
    loss = test.loss
    return loss.blocking and loss.state in ("can't tell", *SAME) and not math.isnan(loss.loss.value)


def _stopped(cases: Iterable[str], runs: Runs) -> bool:
    return any(stopped(runs.new[case].notes) for case in cases if case in runs.new)


def _judge_apart(tests: Sequence[Hypothesis], share: float, alone: float, runs: Runs, gate: Gate) -> list[Loss]:
    found = []
    for test in tests:
        corrected = test.loss.blocking and gate.correction != "none"
        notes = runs.new[test.loss.case].notes if test.loss.case in runs.new else {}
        found.append(by_itself(test, level_at(notes, share if corrected else alone)))
    return found
