"""Compares a run with an accepted model's run on the same examples.

A positive loss means that the new run is worse.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import compress

import numpy as np

from abalo.comparison.test.label_losses import (
    F1,
    LABEL_F1,
    PRECISION,
    RECALL,
    LabelTable,
    Weighed,
    label_metric,
    label_tests,
    measured,
    moved_in,
    pool_labels,
    shifted_labels,
    table_of,
)
from abalo.comparison.test.newly import Newly
from abalo.comparison.test.pooling import Pooled, pool
from abalo.comparison.test.turned import can_turn, exact_metric, judge_newly_wrong, turned_in
from abalo.core.documents.losses_found import Counted, ShiftedLabel
from abalo.core.protocols.probe import Case, baseline_of
from abalo.core.protocols.task import Task, floor_of
from abalo.core.records.gate import Gate
from abalo.core.statistics.ends import few_at_no_loss
from abalo.core.statistics.estimates import FEWEST_CLUSTERS, UNDEFINED, Estimate
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.few_events import FEWEST, Few, MeanLaw, few_between, few_in_net, few_mean, gains_in_pairs
from abalo.core.statistics.losses import (
    STATES,
    Draws,
    Hypothesis,
    Loss,
    Moved,
    State,
    by_itself,
    certain,
    exact,
    judge_losses,
    state_of,
    too_few,
)
from abalo.core.statistics.metrics import Difference, Floats, Metric, Share, over_trainings
from abalo.core.statistics.pairing import UNCHANGED, Matched, NotComparable, Paired, holding, match_runs, pair_runs
from abalo.core.statistics.panel import PanelNotes, notes_of
from abalo.core.statistics.plan import BASELINE, Parameters
from abalo.core.statistics.sequential import level_at, may_stop, stopped
from abalo.core.statistics.verdicts import FEWEST_HOLDING

MEAN_PART, CLEAN_PART, CASES_PART = 1 / 2, 1 / 4, 1 / 4
"""Parts of the level."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The comparison of one task.

    * ``mean``: loss over perturbed cases, weighted by `pool_weights`; None without any.
    * ``losses``: losses of labels on the clean corpus and over the cases (`TYPES`), then of cases and, not judged, of
      labels in each.
    * ``hypotheses`` and ``present``: those in the thresholds file, and how many were judged.
    * ``lost`` and ``vanished``: labels that the new run no longer finds; lost ones fail.
    * ``fell``: labels found less often, not significantly.
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
    lost: tuple[Counted, ...] = ()
    vanished: tuple[Counted, ...] = ()
    fell: tuple[Counted, ...] = ()
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
        gone = bool(self.lost or self.vanished)
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


def compare_task(task: Task, cases: Sequence[Case], runs: Runs, gate: Gate, today: date) -> Compared:
    """Judges the losses of the ``cases`` in the new run.

    The mean gets half the level (1 - confidence) / 2, the baseline a quarter, cases and groups a quarter.
    """
    family = _family(task, cases, runs.reference, gate)
    clean, floor = family.clean, family.floor
    perturbed = [case for case in cases if case.name != BASELINE]
    of_clean = _Subject(clean, floor, family, runs, today)
    subjects = [
        _Subject(case, name, family, runs, today)
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
    in_mean = [_InMean(each, own[0]) for each, own in tests.items() if each.in_mean and _has_loss(own[0])]
    labels = _ByLabel(of_clean, family, draws)
    panel = _panel_of(runs)
    early = any(may_stop(each.notes) for each in runs.new.values())
    pooled = None
    if panel is not None:
        pooled = _pool_subjects(subjects, panel, family, runs)
        labels.pool([] if pooled is None else pooled.parts, 1)
    else:
        labels.pool([(part.subject, weight) for part, weight in zip(in_mean, _weights(in_mean), strict=True)])
    by_label = [*labels.clean, *(_unjudged(labels.pooled, "not judged", COUNTED_APART) if early else labels.pooled)]
    singles = [family.testable(test) for own in tests.values() for test in own]
    further = [*by_label, *singles]
    present = family.count(case.id for case in (clean, *perturbed) if case.id in runs.new)
    present += family.pooled(labels.pooled)
    hypotheses = family.size
    if panel is not None:
        mean, losses = _judge_panel(pooled, by_label, singles, draws, panel, gate)
        present = hypotheses = sum(not math.isnan(loss.level) and loss.blocking for loss in losses)
    elif early:
        mean = _mean_apart(in_mean, draws, level, runs, gate.mean_limit)
        losses = _judge_apart(further, level * CASES_PART / max(1, family.size), level, runs, gate)
    else:
        together = _mean(in_mean, draws, gate.mean_limit)
        mean = None if together is None else _judge_whole(together, level * MEAN_PART, level, gate)
        losses = judge_losses(further, level * CASES_PART * present / max(1, family.size), level, gate)
    if mean is not None and panel is None:
        told = sum(each.in_mean or bool(each.reason) for each in subjects if each.perturbs and not each.waived)
        mean = replace(mean, because_of=_because_of(mean, in_mean, losses), cases=len(in_mean), of_cases=told)
        weights = {part.test.loss.case: weight for part, weight in zip(in_mean, _weights(in_mean), strict=True)}
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
    known, counted = {case.id for case in (clean, *perturbed)}, _labels(task, clean, floor, runs)
    in_cases = [
        replace(each, case=case.id)
        for case in perturbed
        if case.blocking and not case.probe.variants_from_model(case)
        for each in _labels(task, case, floor, runs)
        if is_lost(each)
    ]
    missed = {each.type for each in counted if not each.now}
    gone = [each for each in counted if each.found and not each.now]
    return Compared(
        _judge_whole(overall, level * CLEAN_PART, level, gate),
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
        tuple(_fallen_labels(counted, clean, losses)),
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
    family = _family(task, cases, runs.reference, gate)
    subjects = [_Subject(case, name, family, runs, today) for name in family.limits(case)]
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


@dataclass(frozen=True, slots=True, eq=False)
class _Family:
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


def _family(task: Task, cases: Sequence[Case], reference: Mapping[str, Evidence], gate: Gate) -> _Family:
    """Drops hypotheses that cannot be significant [Tarone, Biometrics 46, 1990: 515-522]."""
    clean = next((case for case in cases if case.name == BASELINE), baseline_of(task))
    floor = floor_of(task, reference[clean.id]) if clean.id in reference else task.floor
    family = _Family(task, clean, floor, gate, {}, 0)
    every = (clean, *(case for case in cases if case.name != BASELINE))
    held = {case.id: [*_clusters_held(case, family, reference[case.id])] for case in every if case.id in reference}
    held[TYPES] = _pooled_holders(every, family, reference)
    level = (1 - gate.confidence) / 2 * CASES_PART
    counts = [each for own in held.values() for each in own]
    if gate.correction == "none":
        return replace(family, held=held, least=_clusters_needed((1 - gate.confidence) / 2))
    if family.few(Runs({}, reference)):  # flipped together, all can be significant
        return replace(family, held=held, least=_clusters_needed(level))
    return replace(family, held=held, least=_least_of(counts, level))


def count_hypotheses(task: Task, cases: Sequence[Case], reference: Mapping[str, Evidence], gate: Gate) -> int:
    """The losses of cases and labels that a comparison with this reference corrects for."""
    return _family(task, cases, reference, gate).size


def _least_of(counts: Sequence[int], level: float) -> int:
    fits = (
        share
        for share in range(1, len(counts) + 1)
        if sum(h >= _clusters_needed(level / share) for h in counts) <= share
    )
    return _clusters_needed(level / next(fits, 1))


def _clusters_needed(level: float) -> int:
    return math.ceil(-math.log2(level))


def _clusters_held(case: Case, family: _Family, evidence: Evidence) -> Iterator[int]:
    if not case.blocking or evidence.whole:
        return
    for name in family.limits(case):
        shown = evidence.only(~evidence.outside & (evidence.changed | (not _over_changed(case, family, name))))
        if len(shown) and (case.id, name) != (family.clean.id, family.floor):
            yield shown.distinct
    if case.name == BASELINE and family.by_label is not None:
        groups = [count for count in holding(evidence.only(~evidence.outside)).values() if count]
        yield from groups if len(groups) > 1 else ()


def _pooled_holders(cases: Sequence[Case], family: _Family, reference: Mapping[str, Evidence]) -> list[int]:
    holders: dict[str, set[str]] = defaultdict(set)
    for case in cases if family.by_label is not None else ():
        own = reference.get(case.id)
        if own is None or not case.blocking or own.whole or not _over_changed(case, family, family.floor):
            continue
        shown = own.only(~own.outside & own.changed)
        for k, group in enumerate(shown.groups):
            clusters = {*shown.clusters[shown.held[:, k] > 0].tolist()}
            if len(clusters) >= FEWEST_HOLDING:
                holders[group] |= clusters
    return [len(each) for each in holders.values()] if len(holders) > 1 else []


def _over_changed(case: Case, family: _Family, metric: str) -> bool:
    usual = case.probe.compared_by(family.task)
    return case.probe.perturbs and metric == family.floor and usual == family.task.floor


class _Subject:
    def __init__(self, case: Case, metric: str, family: _Family, runs: Runs, today: date) -> None:
        self.case, self._metric, self._same_model = case, family.task.metrics()[metric], runs.same_model
        self.waived = case.waiver is not None and today <= case.waiver.until
        self._usual = limit = family.limits(case)[metric]
        self._limit = max(limit, case.waiver.accepted_loss) if case.waiver is not None and self.waived else limit
        self._least, self._changed = family.least, _over_changed(case, family, metric)
        self._fewest = FEWEST if family.few(runs) else FEWEST_CLUSTERS
        self._family = family
        self._matched: Matched | None = None
        self._paired: Paired | None = None
        self._whole = False
        self._reason = ""
        self.panel = any(
            notes_of(side[case.id].notes) is not None for side in (runs.new, runs.reference) if case.id in side
        )
        if case.id not in runs.new or case.id not in runs.reference:
            self._reason = "one of the runs has no evidence of it"
            return
        if runs.other_gold:
            self._reason = runs.other_gold
            return
        both = runs.new[case.id], runs.reference[case.id]
        self._reference = both[1]
        self._whole = all(each.whole for each in both)
        try:
            self._matched = match_runs(
                *both,
                from_model=case.probe.variants_from_model(case),
                fewest=1 if self._whole or self.panel else self._fewest,
                changed=self._changed,
            )
            pair = self._matched.paired(self._metric, case.view)
        except NotComparable as error:
            self._reason = str(error)
            return
        if pair.same_answers is None and runs.other_answers:
            pair = replace(pair, same_answers=False)
        self._paired, self._reason = (pair, "") if pair.enough else (None, pair.few)

    def labels(self) -> LabelTable | None:
        """The labels of the case; None if it is not compared by the floor metric, or has fewer than two labels."""
        asked = self._family.by_label
        if self._paired is None or self._matched is None or asked is None or self._metric.name != self._family.floor:
            return None
        found = table_of(self.case.id, self._matched, asked, self.case.view, whole=self._whole)
        found = replace(found, same_answers=self._paired.same_answers)
        kept = [k for k, count in enumerate(found.holding) if count]
        return found.with_labels(kept) if len(kept) > 1 else None

    def label_row(self, label: str, metric: str = LABEL_F1) -> Loss:
        limit, waiver = self._family.gate.label_limit, self.case.waiver
        allowed = max(limit, waiver.accepted_loss) if waiver is not None and self.waived else limit
        frame = self._loss(label, "can't tell")
        return replace(frame, metric=metric, limit=allowed, usual=limit)

    def label_numbers(self) -> Iterator[Loss]:
        """Shown, never judged: a shift is one thing, not one in each case."""
        if self.panel or self.case.name == BASELINE:
            return
        try:
            table = self.labels()
        except NotComparable:
            return
        if table is not None:
            kept = [k for k, count in enumerate(table.holding) if count >= FEWEST_HOLDING]
            for loss in measured(table.with_labels(kept), F1, self.label_row) if len(kept) > 1 else ():
                yield replace(loss, state="not judged")

    @property
    def limits_newly_wrong(self) -> bool:
        return self.case.max_newly_wrong is not None and self._metric.name == self._family.floor

    def turned(self, confidence: float) -> Newly | None:
        """The examples that turned; None for metrics beside the usual one."""
        asked, is_usual = exact_metric(self._family.task), self._metric.name == self._family.floor
        if self._matched is None or asked is None or not is_usual or not can_turn(self.case.probe, self._family.task):
            return None
        return turned_in(self._matched, asked, self.case.view, confidence)

    @property
    def clusters(self) -> Sequence[str]:
        return () if self._paired is None else self._paired.clusters

    @property
    def differing(self) -> Sequence[str]:
        return () if self._paired is None else [*compress(self._paired.clusters, self._paired.differing(0))]

    @property
    def perturbs(self) -> bool:
        return self._changed and self.case.blocking

    @property
    def reason(self) -> str:
        return "" if self._reason == UNCHANGED else self._reason

    @property
    def pooled(self) -> Pooled | None:
        return None if self._paired is None else Pooled(self.case.name, self._paired, self._reference)

    @property
    def in_mean(self) -> bool:
        return self._paired is not None and self._changed and not self.waived

    def tests(self, draws: Draws) -> Iterator[Hypothesis]:
        pair = self._paired
        if pair is None and self._reason == UNCHANGED:
            return
        if pair is None:
            yield Hypothesis(replace(self._loss(None, "not comparable"), reason=self._reason))
            return
        new, reference = (over_trainings(self._metric.value(each.sum(axis=0))) for each in (pair.new, pair.reference))
        few = self._changed and len(pair.clusters) < self._fewest
        value = self._sign * (reference[0] - new[0])
        found = replace(
            self._loss(None, "can't tell"),
            by=pair.by,
            new=float(new[0]),
            reference=float(reference[0]),
            loss=Estimate(float(value), math.nan, math.nan, math.nan, len(pair.clusters)),
            discordant=int(pair.differing(0).sum()),
            share=pair.share,
        )
        if math.isnan(value):
            yield Hypothesis(replace(found, loss=UNDEFINED, reason=f"{self._metric.words} has no value here"))
        elif pair.equal:
            known = pair.same_answers or self._same_model
            yield Hypothesis(certain(replace(found, state="identical" if known else "same results")))
        elif self._whole:  # nothing is left to chance
            yield Hypothesis(exact(found))
        elif few and self.panel:
            yield Hypothesis(too_few(found, Hypothesis(found, parts=draws.parts(pair.clusters, pair.new))))
        else:
            width = self._metric.high - self._metric.low
            resampled = [draws.values(pair.clusters, each, self._value) for each in (pair.reference, pair.new)]
            law = self._few(pair, 0, always=few or draws.few)
            drawn = self._sign * (resampled[0] - resampled[1])
            counts = np.concatenate([pair.reference, pair.new], axis=1)
            yield Hypothesis(found, drawn, law, width, few, draws.parts(pair.clusters, counts))

    def _value(self, sums: Floats) -> Floats:
        """Of all groups together."""
        groups = sums if self._metric.macro else sums[..., :1, :]
        return over_trainings(self._metric.value(groups))[..., 0]

    def _few(self, pair: Paired, group: int, *, always: bool) -> Few | None:
        value, sides, extremes = self._metric.value, self._sides(pair), self._metric.extremes
        if extremes is not None and self._sign > 0:
            own = [few_at_no_loss(self._of_all, *side, extremes) for side in sides]
            return few_mean([each for each in own if each is not None]) if own and None not in own else None
        if not isinstance(value, Share | Difference) or not sides:
            return None
        found = [few_between(value, first[:, group], second[:, group], always=always) for first, second in sides]
        return few_mean([each for each in found if each is not None]) if None not in found else None

    def _of_all(self, sums: Floats) -> Floats:
        return self._metric.value(sums)[..., 0]

    def _sides(self, pair: Paired) -> list[tuple[Floats, Floats]]:
        sides = (pair.reference, pair.new) if self._sign > 0 else (pair.new, pair.reference)
        trainings = max(side.shape[1] for side in sides)
        if any(side.shape[1] not in (1, trainings) for side in sides):
            return []
        first, second = (np.broadcast_to(side, (len(side), trainings, *side.shape[2:])) for side in sides)
        return [(first[:, k], second[:, k]) for k in range(trainings)]

    def gains(self) -> list[tuple[Floats, Floats]]:
        value = self._metric.value
        if self._paired is None or not isinstance(value, Share) or value.scale != 1.0:
            return []
        found = []
        for better, worse in ((each[:, 0], other[:, 0]) for each, other in self._sides(self._paired)):
            trials = value.trials(better), value.trials(worse)
            held = trials[0].any() and trials[1].any()  # else there was nothing to find, and nothing is lost
            gained = gains_in_pairs(value.events(better), trials[0], value.events(worse), trials[1]) if held else 0.0
            found.append((gained + np.zeros(len(better)), (trials[0] + trials[1]) / 2))
        return found

    @property
    def _sign(self) -> int:
        return 1 if self._metric.more_is_better else -1

    def _loss(self, group: str | None, state: State) -> Loss:
        case, name = self.case, self._metric.name
        return Loss(
            case.id, group, name, self._limit, state, blocking=case.blocking, waiver=case.waiver, usual=self._usual
        )


# Panels --------------------------------------------------------------------------------------------------------------


TYPES = "types"


class _PooledSubject(_Subject):
    def __init__(self, asked: Sequence[_Subject], cases: Sequence[Pooled], family: _Family, missing: str) -> None:
        like = asked[0]
        task, view = family.task.name, like.case.view
        self.case = Case(task, TYPES, like.case.probe, Parameters(), view, view)
        self._metric, self._same_model = family.task.metrics()[family.floor], like._same_model
        self._limit = self._usual = family.gate.max_loss
        self._fewest, self._family = like._fewest, family
        self._changed, self._whole, self.waived, self.panel = True, False, False, False
        self._matched, self._paired, self._reason = None, pool(cases), ""
        self.missing, self.cases = missing, len(cases)
        times = Counter(each.case.name for each in asked)
        self.parts = [(each, 1 / times[each.case.name]) for each in asked]


def _panel_of(runs: Runs) -> PanelNotes | None:
    found = (notes_of(each.notes) for side in (runs.new, runs.reference) for each in side.values())
    return next((each for each in found if each is not None), None)


def _pool_subjects(
    subjects: Sequence[_Subject], panel: PanelNotes, family: _Family, runs: Runs
) -> _PooledSubject | None:
    side = runs.new if any(notes_of(each.notes) for each in runs.new.values()) else runs.reference
    drawn = {case for case, each in side.items() if notes_of(each.notes) is not None}
    own = [each for each in subjects if each.case.id in drawn and each.perturbs]
    asked = [each for each in own if not each.waived]
    cases = [each.pooled for each in asked if each.pooled is not None]
    if not cases:
        return None
    gaps = sorted(drawn - (runs.new.keys() & runs.reference.keys()))
    lacking = [each for each in asked if each.reason]
    missing = ""
    if len(drawn) < panel.cases:
        missing = f"{panel.cases - len(drawn)} of the {panel.cases} cases of the plan have no result"
    elif gaps:
        missing = f"one of the runs has no evidence of {gaps[0]}"
    elif lacking:
        missing = f"{lacking[0].case.id}: {lacking[0].reason}"
    return _PooledSubject([each for each in asked if each.pooled is not None], cases, family, missing)


def _judge_panel(
    pooled: _PooledSubject | None,
    by_label: Sequence[Hypothesis],
    singles: Sequence[Hypothesis],
    draws: Draws,
    panel: PanelNotes,
    gate: Gate,
) -> tuple[Loss | None, list[Loss]]:
    level = (1 - gate.confidence) / 2
    mean = None
    if pooled is not None:
        (overall,) = pooled.tests(draws)
        limit, loss = gate.mean_limit, overall.loss
        loss = replace(loss, case="", limit=limit, usual=limit, cases=pooled.cases, of_cases=panel.cases)
        if pooled.missing:
            mean = replace(loss, state="can't tell", reason=pooled.missing, loss=UNDEFINED)
        elif overall.draws is None:
            mean = loss
        else:
            share = panel.level(level * MEAN_PART), panel.level(level)
            mean = _judge_whole(replace(overall, loss=loss), *share, gate)
    clean = [test for test in by_label if not test.loss.case.endswith(f"/{TYPES}")]
    others = [*singles, *(test for test in by_label if test not in clean)]
    if panel.stopped:
        others = _unjudged(others, "can't tell", STOPPED)
    return mean, judge_losses([*clean, *others], level * CASES_PART, level, gate)


def _unjudged(tests: Sequence[Hypothesis], state: State, reason: str) -> list[Hypothesis]:
    asked = [test.loss.state == "can't tell" and not test.loss.reason for test in tests]
    return [
        Hypothesis(replace(test.loss, state=state, reason=reason)) if unknown else test
        for test, unknown in zip(tests, asked, strict=True)
    ]


STOPPED = "the run stopped early, which decides nothing about parts of the mean"

COUNTED_APART = "cases may stop at different examples, so their labels are not judged together"


# Labels ---------------------------------------------------------------------------------------------------------------


class _ByLabel:
    def __init__(self, clean: _Subject, family: _Family, draws: Draws) -> None:
        self._clean, self._family, self._draws = clean, family, draws
        self._table: LabelTable | None = None
        self._pooled: list[LabelTable] = []
        self.reason, self.pooled = "", list[Hypothesis]()
        try:
            self._table = clean.labels()
        except NotComparable as error:
            self.reason = str(error)
        self.clean = [] if self._table is None else self._tests(self._table, F1, clean)

    def _tests(self, table: LabelTable, value: Share, subject: _Subject, metric: str = LABEL_F1) -> list[Hypothesis]:
        def row(label: str) -> Loss:
            return subject.label_row(label, metric)

        return [*label_tests(table, value, self._draws, self._family.least, row)]

    def pool(self, cases: Sequence[tuple[_Subject, float]], least: int = FEWEST_HOLDING) -> None:
        if self.reason or not cases:
            return
        try:
            tables = [(each.labels(), weight) for each, weight in cases]
        except NotComparable as error:
            self.reason = str(error)
            return
        name = f"{self._family.task.name}/{TYPES}"
        self._pooled = [own for own, _ in tables if own is not None]
        table = pool_labels(name, [Weighed(own, weight) for own, weight in tables if own is not None], least)
        if table is None:
            return
        kept = [k for k, count in enumerate(table.holding) if count]
        if len(kept) > 1:
            limit = self._family.gate.label_limit

            def row(label: str) -> Loss:
                return Loss(name, label, LABEL_F1, limit, "can't tell", usual=limit)

            self.pooled = [*label_tests(table.with_labels(kept), F1, self._draws, self._family.least, row)]

    def moved(self, loss: Loss) -> tuple[Moved, ...]:
        """Returns the moves of a regressed label's answers, on the clean corpus or over the cases."""
        if loss.state != "regressed" or loss.group is None:
            return ()
        return moved_in(self._clean_tables if loss.case == self._clean.case.id else self._pooled, loss.group)

    def lost(self, label: str) -> list[Moved]:
        """Returns the labels that a label's places have now on the clean corpus."""
        # A list, since the default of `Counted.moved`, (), is not written.
        return [each for each in moved_in(self._clean_tables, label) if each.source == label]

    @property
    def _clean_tables(self) -> list[LabelTable]:
        return [] if self._table is None else [self._table]

    def shifted(self, losses: Sequence[Loss], missed: Set[str], level: float, gate: Gate) -> tuple[ShiftedLabel, ...]:
        """A family of its own, which takes nothing from the losses."""
        table = self._table
        if table is None or table.same_answers or table.whole:
            return ()
        needed = _least_of([count for count in table.holding for _ in range(2)], level)
        kept = [k for k, count in enumerate(table.holding) if count >= needed]
        own = table.with_labels(kept)
        tests = [
            test
            for name, value in (("recall", RECALL), ("precision", PRECISION))
            for test in self._tests(own, value, self._clean, name)
        ]
        blocking = [Hypothesis(replace(test.loss, blocking=True), test.draws, test.few, test.most) for test in tests]
        clean = self._clean.case.id
        fallen = {loss.group for loss in losses if loss.case == clean and loss.state == "regressed"}
        known = {*missed, *(str(label) for label in fallen)}
        return tuple(shifted_labels(judge_losses(blocking, level, level, gate), table, [*known]))


def _judge_whole(test: Hypothesis, level: float, alone: float, gate: Gate) -> Loss:
    (loss,) = judge_losses([test], level, alone, gate)
    return replace(loss, uncorrected_high=by_itself(test, (1 - gate.confidence) / 2).loss.high)


# The mean over cases --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _InMean:
    subject: _Subject
    test: Hypothesis


def _has_loss(test: Hypothesis) -> bool:
    loss = test.loss
    return loss.blocking and loss.state in ("can't tell", *SAME) and not math.isnan(loss.loss.value)


def pool_weights(cases: Sequence[tuple[str, Sequence[str]]]) -> list[float]:
    """Weights cases by the clusters that their name changed."""
    of_name: dict[str, list[Sequence[str]]] = defaultdict(list)
    for name, clusters in cases:
        of_name[name].append(clusters)
    distinct = {name: len(set().union(*own)) for name, own in of_name.items()}
    units = {name: sum(map(len, own)) for name, own in of_name.items()}
    whole = sum(distinct.values())
    return [distinct[name] / whole * len(clusters) / units[name] for name, clusters in cases]


def _weights(parts: Sequence[_InMean]) -> list[float]:
    return pool_weights([(each.subject.case.name, each.subject.clusters) for each in parts])


def _mean(parts: Sequence[_InMean], draws: Draws, limit: float) -> Hypothesis | None:
    if not parts:
        return None
    weights, tests = _weights(parts), [each.test for each in parts]

    def over(values: Iterable[float]) -> float:
        return math.fsum(weight * value for weight, value in zip(weights, values, strict=True))

    first, clusters = tests[0].loss, set().union(*(each.subject.clusters for each in parts))
    value = over(test.loss.loss.value for test in tests)
    mean = replace(
        first,
        case="",
        by=None,
        new=over(test.loss.new for test in tests),
        reference=over(test.loss.reference for test in tests),
        loss=replace(first.loss, value=value, n=len(clusters)),
        discordant=len(set().union(*(each.subject.differing for each in parts))),
        waiver=None,
        limit=limit,
        usual=limit,
    )
    resampled = [
        weight * (test.draws if draws.few else _known(test.draws, test.loss.loss.value))
        for test, weight in zip(tests, weights, strict=True)
        if test.draws is not None
    ]
    if not resampled:
        known = {test.loss.state for test in tests} == {"identical"}
        return Hypothesis(certain(replace(mean, state="identical" if known else "same results")))
    few = _few_in_mean(parts, weights, draws, mean.discordant)
    sizes = [(weight, test.parts) for test, weight in zip(tests, weights, strict=True) if test.parts is not None]
    whole = math.fsum(weight for weight, _ in sizes)
    together = np.sum([weight / whole * each for weight, each in sizes], axis=0) if sizes else None
    return Hypothesis(mean, np.sum(resampled, axis=0), few, most=tests[0].most, parts=together)


def _known(drawn: Floats, value: float) -> Floats:
    return np.where(np.isnan(drawn), value, drawn)  # a resample without its examples


def _few_in_mean(parts: Sequence[_InMean], weights: Sequence[float], draws: Draws, events: int) -> Few | None:
    gains = [each.subject.gains() for each in parts]
    trainings = {len(own) for own in gains}
    if trainings == {0}:
        return _mean_of_laws(parts, weights, events)
    if len(trainings) != 1:
        return None
    found = []
    for k in range(*trainings):
        sums = [own[k][1].sum() for own in gains]
        pooled_gains, pooled_trials = draws.zeros(), draws.zeros()
        for part, weight, own, total in zip(parts, weights, gains, sums, strict=True):
            if not total:
                continue
            rows, scale = draws.rows(part.subject.clusters), weight * sum(sums) / total
            pooled_gains[rows] += scale * own[k][0]
            pooled_trials[rows] += scale * own[k][1]
        found.append(few_in_net(pooled_gains, pooled_trials, always=draws.few))
    return few_mean([each for each in found if each is not None]) if None not in found else None


def _mean_of_laws(parts: Sequence[_InMean], weights: Sequence[float], events: int) -> Few | None:
    """Cases with the same answers lose nothing."""
    own = [(part.test.few, weight) for part, weight in zip(parts, weights, strict=True) if part.test.draws is not None]
    known = [(few.law, weight) for few, weight in own if few is not None]
    if len(known) < len(own):
        return None
    return Few(MeanLaw(*(tuple(each) for each in zip(*known, strict=True))), events)


def _because_of(mean: Loss, parts: Sequence[_InMean], losses: Sequence[Loss]) -> tuple[str, ...]:
    if mean.state != "regressed":
        return ()
    lost = {loss.case for loss in losses if loss.state == "regressed" and loss.group is None and loss.blocking}
    shares = [
        (each.subject.case.id, weight, each.test.loss.loss.value)
        for each, weight in zip(parts, _weights(parts), strict=True)
    ]
    return because_of(shares, lost, mean.limit)


def because_of(shares: Sequence[tuple[str, float, float]], lost: Set[str], limit: float) -> tuple[str, ...]:
    """The regressed cases that explain the mean's regression."""
    own, others = ([share for share in shares if (share[0] in lost) is told] for told in (True, False))
    left = math.fsum(weight * value for _, weight, value in others)
    rest = math.fsum(weight for _, weight, _ in others)
    if left > limit * rest or (len(shares) > 1 and len(own) > len(others)):
        return ()
    return tuple(case for case, _, _ in own)


# Labels that are gone -------------------------------------------------------------------------------------------------


def is_lost(label: Counted) -> bool:
    """Whether a label is found nowhere now, and was found in enough examples and half its places."""
    return not label.now and label.examples >= LEAST_FOUND and 2 * label.found >= label.places


LEAST_FOUND = 5
"""Fewest examples of a *lost* label; equal models often lose rarer ones."""


def _labels(task: Task, case: Case, floor: str, runs: Runs) -> tuple[Counted, ...]:
    metric = next((each for each in task.metrics().values() if each.hits), task.metrics()[floor])
    value = metric.value
    if runs.other_gold or not isinstance(value, Share) or not metric.per_group:
        return ()
    if case.id not in runs.new or case.id not in runs.reference:
        return ()
    try:
        pair = pair_runs(runs.new[case.id], runs.reference[case.id], metric, case.view, from_model=False)
    except NotComparable:
        return ()
    found = []
    for k, label in enumerate(pair.groups, start=1):
        hits, still = (value.events(side[:, :, k]) for side in (pair.reference, pair.new))
        places = round(float(value.trials(pair.reference[:, :, k]).mean(axis=1).sum()))
        before, now = (float(each.mean(axis=1).sum()) for each in (hits, still))
        found.append(Counted(label, places, before, int((hits > 0).any(axis=1).sum()), now))
    return tuple(found)


def _fallen_labels(labels: Iterable[Counted], clean: Case, losses: Iterable[Loss]) -> Iterator[Counted]:
    open_still = {
        loss.group
        for loss in losses
        if loss.case == clean.id and loss.state in ("can't tell", "not judged") and loss.loss.value > 0
    }
    yield from (each for each in labels if 0 < each.now < each.found and each.type in open_still)


# Cases that stop early ----------------------------------------------------------------------------------------------


def _stopped(cases: Iterable[str], runs: Runs) -> bool:
    return any(stopped(runs.new[case].notes) for case in cases if case in runs.new)


def _judge_apart(tests: Sequence[Hypothesis], share: float, alone: float, runs: Runs, gate: Gate) -> list[Loss]:
    found = []
    for test in tests:
        corrected = test.loss.blocking and gate.correction != "none"
        notes = runs.new[test.loss.case].notes if test.loss.case in runs.new else {}
        found.append(by_itself(test, level_at(notes, share if corrected else alone)))
    return found


def _mean_apart(parts: Sequence[_InMean], draws: Draws, level: float, runs: Runs, limit: float) -> Loss | None:
    """Averages the ends of intervals, so stopping times do not matter."""
    plain = _mean(parts, draws, limit)
    if plain is None or plain.draws is None:
        return None if plain is None else plain.loss
    low, high = _ends(parts, level * MEAN_PART / len(parts), runs)
    loss = plain.loss
    return replace(
        loss,
        state=state_of(low > limit, high, limit),
        loss=replace(loss.loss, low=low, high=high),
        uncorrected_high=_ends(parts, level, runs)[1],
    )


def _ends(parts: Sequence[_InMean], level: float, runs: Runs) -> tuple[float, float]:
    each = [by_itself(part.test, level_at(runs.new[part.test.loss.case].notes, level)).loss for part in parts]
    low, high = (
        math.fsum(weight * end for weight, end in zip(_weights(parts), ends, strict=True))
        for ends in zip(*((one.low, one.high) for one in each), strict=True)
    )
    return low, high
