"""A run judged against the run of an accepted model: what each case lost on the same examples.

A loss is the reference's value of a metric minus that of the new run, so positive is worse; of metrics where less is
better it is the other way round. All losses of a task are resampled together, over the same clusters, so that they can
be corrected for each other.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from abalo.core.case import BASELINE, Case
from abalo.core.evidence import Evidence
from abalo.core.few_events import Few, few_between, few_mean
from abalo.core.gate import Gate
from abalo.core.losses import STATES, Draws, Hypothesis, Loss, State, by_itself, exact, judged, state_of
from abalo.core.metrics import Metric, Share, over_trainings
from abalo.core.pairing import NotComparable, Paired, holding, paired
from abalo.core.sequential import level_at, may_stop
from abalo.core.session import baseline_of
from abalo.core.statistics import UNDEFINED, Estimate
from abalo.core.task import Task
from abalo.core.verdicts import FEWEST_HOLDING


@dataclass(frozen=True, slots=True)
class Compared:
    """The comparison of one task.

    ``baseline`` is the loss on the clean corpus, ``mean`` the mean loss over the perturbed cases, each name of a case
    with the same weight; None where there is none. ``losses`` are those of groups on the clean corpus, then those of
    cases and their groups in the order of the cases. ``present`` of the ``hypotheses`` of the thresholds file could be
    judged. ``only_new`` and ``only_reference`` are cases that one of the runs has alone.
    """

    baseline: Loss
    mean: Loss | None
    losses: tuple[Loss, ...]
    present: int
    hypotheses: int
    only_new: tuple[str, ...]
    only_reference: tuple[str, ...]

    @property
    def all(self) -> tuple[Loss, ...]:
        """Every loss, the most general first."""
        return (self.baseline, *([] if self.mean is None else [self.mean]), *self.losses)

    @property
    def state(self) -> State:
        """The worst state of all that can stop a release; where nothing can, of others never a regression."""
        found = {loss.state for loss in self.all if loss.blocking}
        if not found:
            found = {"can't tell" if loss.state == "regressed" else loss.state for loss in self.all}
        return next((state for state in STATES if state in found), "not comparable")

    @property
    def decided(self) -> bool:
        """Whether it is known that the model is no worse, on the clean corpus and in the mean over cases."""
        held = {"no worse", "improved", "identical"}
        whole = [self.baseline, *([] if self.mean is None else [self.mean])]
        return self.state != "regressed" and {loss.state for loss in whole} <= held


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """The evidence of two runs of one task by case; ``same_model`` says whether both are of one model.

    ``other_gold`` is the reason why nothing in them can be compared, empty where there is none.
    """

    new: Mapping[str, Evidence]
    reference: Mapping[str, Evidence]
    same_model: bool = False
    other_gold: str = ""


def compared(task: Task, cases: Sequence[Case], runs: Runs, gate: Gate, today: date) -> Compared:
    """The losses of the ``cases`` of a thresholds file that the new run has, judged together.

    Of the level (1 - confidence) / 2 a quarter is for the loss of the baseline, a quarter for the mean loss, and a half
    for cases and groups. A run that has only some of the hypotheses of the file has that part of the last half.
    """
    clean = next((case for case in cases if case.name == BASELINE), baseline_of(task))
    perturbed = [case for case in cases if case.name != BASELINE]
    floor = _floor(task, clean, runs.reference)
    of_clean = _Subject(clean, task.metrics()[floor], _limits(clean, task, gate, floor)[floor], runs, today)
    subjects = [
        _Subject(case, task.metrics()[name], limit, runs, today)
        for case in (clean, *perturbed)
        if case.id in runs.new and case.id in runs.reference
        for name, limit in _limits(case, task, gate, floor).items()
        if (case, name) != (clean, floor)
    ]
    draws = Draws(sorted({cluster for each in (of_clean, *subjects) for cluster in each.clusters}), gate.resamples)
    level = (1 - gate.confidence) / 2
    overall, *by_group = of_clean.tests(draws)
    tests = {each: [*each.tests(draws)] for each in subjects}
    counted = {case.id: _hypotheses(case, task, gate, runs.reference) for case in (clean, *perturbed)}
    present, every = sum(count for case, count in counted.items() if case in runs.new), sum(counted.values())
    known = {case.id for case in (clean, *perturbed)}
    in_mean = [own[0] for each, own in tests.items() if each.in_mean(floor)]
    further = [*by_group, *(test for own in tests.values() for test in own)]
    if any(may_stop(each.notes) for each in runs.new.values()):
        mean = _mean_apart(in_mean, level / 4, runs)
        losses = _judged_apart(further, level / 2 / max(1, every), level, runs, gate)
    else:
        together = _mean(in_mean)
        mean = None if together is None else judged([together], level / 4, level, gate)[0]
        losses = judged(further, level / 2 * present / max(1, every), level, gate)
    return Compared(
        judged([overall], level / 4, level, gate)[0],
        mean,
        tuple(losses),
        present,
        every,
        tuple(case.id for case in perturbed if case.id in runs.new and case.id not in runs.reference),
        tuple(sorted(runs.reference.keys() - known - runs.new.keys())),
    )


def compared_early(case: Case, cases: Sequence[Case], task: Task, runs: Runs, gate: Gate, today: date) -> list[Loss]:
    """The losses of a case that may stop early, as `compared` will judge them, and those that need more examples.

    ``cases`` are those of the thresholds file, by which the losses are corrected.
    """
    level = (1 - gate.confidence) / 2
    clean = next((case for case in cases if case.name == BASELINE), baseline_of(task))
    perturbed = [case for case in cases if case.name != BASELINE]
    every = sum(_hypotheses(each, task, gate, runs.reference) for each in (clean, *perturbed))
    floor = _floor(task, clean, runs.reference)
    subjects = [
        _Subject(case, task.metrics()[name], limit, runs, today)
        for name, limit in _limits(case, task, gate, floor).items()
    ]
    draws = Draws(sorted({cluster for each in subjects for cluster in each.clusters}), gate.resamples)
    tests = [test for each in subjects for test in each.tests(draws)]
    losses = _judged_apart(tests, level / 2 / max(1, every), level, runs, gate)
    if all(loss.state == "not comparable" for loss in losses):
        return losses
    missing = _hypotheses(case, task, gate, runs.reference) - len(losses)
    return [*losses, *[_too_few(case)] * missing]


def _too_few(case: Case) -> Loss:
    return Loss(case.id, None, "", 0.0, "can't tell", blocking=case.blocking)


def _floor(task: Task, clean: Case, reference: Mapping[str, Evidence]) -> str:
    """The metric that says how good the model of the reference is."""
    return task.floor_of(reference[clean.id]) if clean.id in reference else task.floor


def _limits(case: Case, task: Task, gate: Gate, floor: str) -> Mapping[str, float]:
    """The largest loss allowed, by metric: that of the gate for the usual metric, unless the case says otherwise."""
    usual = case.probe.compared_by(task)
    usual = floor if usual == task.floor else usual
    return {**({} if usual is None else {usual: gate.max_loss}), **case.max_losses}


def _hypotheses(case: Case, task: Task, gate: Gate, reference: Mapping[str, Evidence]) -> int:
    """How many losses of a case can be judged, by what the reference holds; the one of the baseline not among them."""
    limits = _limits(case, task, gate, _floor(task, baseline_of(task), reference))
    if not case.blocking or not limits or case.id not in reference:
        return 0
    groups = sum(count >= FEWEST_HOLDING for count in holding(reference[case.id]).values())
    counted = sum(1 + groups * task.metrics()[name].per_group for name in limits)
    return counted - (case.name == BASELINE)


class _Subject:
    """One metric of one case in two runs."""

    def __init__(self, case: Case, metric: Metric, limit: float, runs: Runs, today: date) -> None:
        self.case, self._metric, self._same_model = case, metric, runs.same_model
        self._waived = case.waiver is not None and today <= case.waiver.until
        self._limit = max(limit, case.waiver.accepted_loss) if case.waiver is not None and self._waived else limit
        self._paired: Paired | None = None
        self._whole = False
        self._reason = ""
        if case.id not in runs.new or case.id not in runs.reference:
            self._reason = "one of the runs has no evidence of it"
            return
        if runs.other_gold:
            self._reason = runs.other_gold
            return
        both = runs.new[case.id], runs.reference[case.id]
        from_model = case.probe.variants_from_model(case)
        self._whole = all(map(case.probe.whole, both))
        try:
            self._paired = paired(*both, metric, case.view, from_model=from_model, whole=self._whole)
        except NotComparable as error:
            self._reason = str(error)

    @property
    def clusters(self) -> Sequence[str]:
        """The clusters that are compared; none where nothing can be."""
        return () if self._paired is None else self._paired.clusters

    def in_mean(self, floor: str) -> bool:
        """Whether the mean loss is over this case among others; a waived one would loosen it."""
        shown = self._paired is not None and self.case.probe.perturbs and not self._waived
        return shown and self._metric.name == floor

    def tests(self, draws: Draws) -> Iterator[Hypothesis]:
        """The loss overall, then that of each group that enough clusters hold."""
        pair = self._paired
        if pair is None:
            yield Hypothesis(replace(self._loss(None, "not comparable"), reason=self._reason))
            return
        new, reference = (over_trainings(self._metric.value(each.sum(axis=0))) for each in (pair.new, pair.reference))
        drawn = [
            over_trainings(self._metric.value(draws.sums(pair.clusters, each))) for each in (pair.reference, pair.new)
        ]
        resampled = self._sign * (drawn[0] - drawn[1])
        held = [None, *(pair.groups if self._metric.per_group else ())]
        for k, group in enumerate(held):
            if group is not None and pair.holding[k] < FEWEST_HOLDING:
                continue
            value = self._sign * (reference[k] - new[k])
            found = replace(
                self._loss(group, "can't tell"),
                by=pair.by,
                new=float(new[k]),
                reference=float(reference[k]),
                loss=Estimate(float(value), float(value), float(value), 0.0, len(pair.clusters)),
                discordant=pair.discordant(k),
                share=pair.share,
            )
            if math.isnan(value):
                yield Hypothesis(replace(found, loss=UNDEFINED, reason=f"{self._metric.words} has no value here"))
            elif self._same_model and pair.same:
                yield Hypothesis(replace(found, state="identical"))
            elif self._whole:  # nothing is left to chance
                yield Hypothesis(exact(found))
            else:
                yield Hypothesis(found, resampled[:, k], self._few(pair, k), self._metric.high - self._metric.low)

    def _few(self, pair: Paired, group: int) -> Few | None:
        """The law of a loss that few clusters show; None of a metric that does not say what its events are."""
        value = self._metric.value
        if not isinstance(value, Share):
            return None
        sides = (pair.reference, pair.new) if self._sign > 0 else (pair.new, pair.reference)
        trainings = max(side.shape[1] for side in sides)
        if any(side.shape[1] not in (1, trainings) for side in sides):
            return None
        first, second = (np.broadcast_to(side, (len(side), trainings, *side.shape[2:]))[:, :, group] for side in sides)
        found = [few_between(value, first[:, k], second[:, k]) for k in range(trainings)]
        return few_mean([each for each in found if each is not None]) if None not in found else None

    @property
    def _sign(self) -> int:
        return 1 if self._metric.more_is_better else -1

    def _loss(self, group: str | None, state: State) -> Loss:
        case = self.case
        return Loss(case.id, group, self._metric.name, self._limit, state, blocking=case.blocking, waiver=case.waiver)


def _mean(tests: Sequence[Hypothesis]) -> Hypothesis | None:
    """The mean over cases against the mean of their limits; those of one name are taken together first."""
    weighted = _weights(tests)
    if not weighted:
        return None
    used = [test for test, _ in weighted]

    def over(values: Iterable[float]) -> float:
        return math.fsum(weight * value for (_, weight), value in zip(weighted, values, strict=True))

    first = used[0].loss
    value = over(test.loss.loss.value for test in used)
    mean = replace(
        first,
        case="",
        by=None,
        new=over(test.loss.new for test in used),
        reference=over(test.loss.reference for test in used),
        loss=replace(first.loss, value=value, n=max(test.loss.loss.n for test in used)),
        discordant=max(test.loss.discordant for test in used),
        waiver=None,
        limit=over(test.loss.limit for test in used),
    )
    resampled = [weight * test.draws for test, weight in weighted if test.draws is not None]
    if not resampled:
        return Hypothesis(replace(mean, state="identical"))
    return Hypothesis(mean, np.sum(resampled, axis=0), most=used[0].most)


def _weights(tests: Sequence[Hypothesis]) -> list[tuple[Hypothesis, float]]:
    """The losses that the mean is over, each with its weight: those of one name weigh as much as any other name."""
    by_name: dict[str, list[Hypothesis]] = defaultdict(list)
    for test in tests:
        if (
            test.loss.blocking
            and test.loss.state in ("can't tell", "identical")
            and not math.isnan(test.loss.loss.value)
        ):
            by_name[test.loss.case.partition("[")[0]].append(test)
    return [(test, 1 / len(by_name) / len(own)) for own in by_name.values() for test in own]


# Cases that stop early ----------------------------------------------------------------------------------------------


def _judged_apart(tests: Sequence[Hypothesis], share: float, alone: float, runs: Runs, gate: Gate) -> list[Loss]:
    """The same where cases stop early: each loss that can stop a release has its Bonferroni ``share`` of the level.

    Of that it may spend what the look at which its case stopped allows.
    """
    found = []
    for test in tests:
        corrected = test.loss.blocking and gate.correction != "none"
        found.append(by_itself(test, level_at(runs.new[test.loss.case].notes, share if corrected else alone)))
    return found


def _mean_apart(tests: Sequence[Hypothesis], level: float, runs: Runs) -> Loss | None:
    """The mean over cases where they stop early: its ends are the means of theirs, as if all were off together.

    So it does not matter which case stopped where. Each case has the same share of the level.
    """
    plain = _mean(tests)
    if plain is None or plain.draws is None:
        return None if plain is None else plain.loss
    weights = _weights(tests)
    shared = level / len(weights)
    judged = [
        (weight, by_itself(test, level_at(runs.new[test.loss.case].notes, shared)).loss) for test, weight in weights
    ]
    low = math.fsum(weight * each.low for weight, each in judged)
    high = math.fsum(weight * each.high for weight, each in judged)
    loss = plain.loss
    state = state_of(low > loss.limit, high, loss.limit)
    return replace(loss, state=state, loss=replace(loss.loss, low=low, high=high))
