"""Judges a case from its evidence and bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from abalo.core.protocols.probe import Case, metrics_of
from abalo.core.protocols.task import Task
from abalo.core.records import words
from abalo.core.records.gate import Gate
from abalo.core.running.noise import beyond, beyond_noise, is_beyond
from abalo.core.statistics import invariance
from abalo.core.statistics.detectable import detectable_loss_of
from abalo.core.statistics.estimates import Estimate, Measurement, measure
from abalo.core.statistics.evidence import LEFT_OUT, REPEATS, Evidence
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.repeating import ONCE
from abalo.core.statistics.sequential import level_at, may_stop
from abalo.core.statistics.verdicts import Bound, Judgement, Verdict, judge, judge_undecided, level_of
from abalo.errors import visible

UNBREAKABLE = "nothing can break this limit"

TOO_NARROW = "its intervals cover the truth too seldom to pass a bound"

_WORST_FIRST: tuple[Verdict, ...] = ("fail", "inconclusive", "pass")


def worst_of(verdicts: Sequence[Verdict]) -> Verdict | None:
    """The worst verdict; None without a bound."""
    return next((worst for worst in _WORST_FIRST if worst in verdicts), None)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Decided:
    """A case with the judgement on each bound."""

    case: Case
    judgements: Sequence[Judgement]

    def __repr__(self) -> str:
        return f"<{self.case.id}: {self.verdict}>"

    @property
    def verdict(self) -> Verdict | None:
        """The worst verdict; None without bounds."""
        return worst_of([judgement.verdict for judgement in self.judgements])

    @property
    def deciding(self) -> Judgement | None:
        """The judgement behind the verdict."""
        same = [judgement for judgement in self.judgements if judgement.verdict == self.verdict]
        return min(same, key=lambda judgement: 1.0 if judgement.p is None else judgement.p, default=None)

    @property
    def holds(self) -> bool:
        """Whether no blocking bound failed."""
        return self.verdict != "fail" or not self.case.blocking

    @property
    def explanation(self) -> str:
        """One line per bound, failed ones first."""
        by_verdict = sorted(self.judgements, key=lambda judgement: _WORST_FIRST.index(judgement.verdict))
        if by_verdict:
            return "\n".join(map(explain_judgement, by_verdict))
        return f"{self.case.id}: measured; {'no bound of it is decided' if self.case.bounds else 'it has no bound'}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Judged(Decided):
    """A judged case; ``impossible`` explains why no loss can occur."""

    evidence: Evidence
    measurements: Mapping[str, Measurement]
    blocking_bounds: int = 1
    impossible: str | None = None

    @property
    def bound_view(self) -> Measurement:
        """The measurement in the view of the bounds."""
        return self.measurements[self.case.view]


def judge_case(case: Case, task: Task, evidence: Evidence, gate: Gate, blocking_bounds: int) -> Judged:
    """Measures the evidence and judges the bounds."""
    measurements = case.probe.measure(case, evidence, task, gate)
    measurements = beyond(measurements, metrics_of(case.probe, task), evidence, gate)
    if may_stop(evidence.notes):
        alone = level_at(evidence.notes, (1 - gate.confidence) / 2)
        measurements = {
            view: each.at_level(alone, gate.confidence, task.metrics()) for view, each in measurements.items()
        }
    impossible = invariance.impossible(evidence)
    judgements = [] if impossible else _judgements(case, task, evidence, measurements[case.view], gate, blocking_bounds)
    return Judged(case, judgements, evidence, measurements, blocking_bounds, impossible)


def judge_early(case: Case, task: Task, evidence: Evidence, gate: Gate, blocking_bounds: int) -> Sequence[Judgement]:
    """Only the judgements of `judge_case`."""
    metrics = [task.metrics()[name] for name in dict.fromkeys(bound.metric for bound in case.bounds)]
    alone = level_at(evidence.notes, (1 - gate.confidence) / 2)
    found = measure(evidence, [case.view], metrics, gate)[case.view].at_level(alone, gate.confidence, task.metrics())
    return _judgements(case, task, evidence, found, gate, blocking_bounds)


def _judgements(
    case: Case,
    task: Task,
    evidence: Evidence,
    bound_view: Measurement,
    gate: Gate,
    blocking_bounds: int,
) -> list[Judgement]:
    found = [_judgement(bound, case, task, evidence, bound_view, gate, blocking_bounds) for bound in case.bounds]
    return [each for each in found if not (case.name == BASELINE and _is_silent(each))]


def _is_silent(judgement: Judgement) -> bool:
    labelled, undecided_still = judgement.bound.type is not None, judgement.verdict == "inconclusive"
    return labelled and undecided_still and judgement.p is not None and judgement.reason != UNBREAKABLE


def _judgement(
    bound: Bound, case: Case, task: Task, evidence: Evidence, measurement: Measurement, gate: Gate, blocking_bounds: int
) -> Judgement:
    estimate, metric = measurement.estimate(bound.metric, bound.type), task.metrics()[bound.metric]
    reason = case.probe.undecidable(case, bound, evidence)
    if evidence.notes.get(LEFT_OUT):
        asked = words.count(evidence.notes[LEFT_OUT], "input")
        reason = f"out of calls: {asked} {'was' if evidence.notes[LEFT_OUT] == 1 else 'were'} not asked about"
    elif evidence.notes.get(REPEATS) == 1:
        reason = ONCE
    if reason is None:
        plain = case.probe.decided(bound, metric, evidence, estimate)
        if plain is not None:
            return plain
        where = case.name if evidence.outside.any() else "corpus"
        reason = task.undecidable(bound, measurement, evidence, where)
        reason = reason or case.probe.out_of_reach(case, bound, evidence)
    if reason is not None:
        return judge_undecided(bound, estimate, reason)
    corrected, spend = gate.correction != "none", partial(level_at, evidence.notes)
    found = judge(
        bound,
        estimate,
        confidence=gate.confidence,
        blocking_bounds=blocking_bounds,
        corrected=corrected,
        spend=spend,
        unit="changed " * metric.changed_only + case.probe.unit(task),
        fewest=task.fields.fewest_clusters,
    )
    if found.p is None:
        return found
    if metric.keeps(bound.side, bound.limit):
        return replace(found, verdict="inconclusive", uncorrected="inconclusive", reason=UNBREAKABLE, needed=None)
    if bound.type is not None or not is_beyond(metric, evidence):
        found = beyond_noise(found, metric, evidence.notes, gate.confidence)
    if not metric.covered and found.uncorrected == "pass":
        found = replace(found, verdict="inconclusive", uncorrected="inconclusive", reason=TOO_NARROW)
    level = spend(level_of(gate.confidence, blocking_bounds, corrected=corrected))
    return replace(found, detectable_loss=detectable_loss_of(bound, estimate, metric, gate.confidence, level))


def explain_judgement(judgement: Judgement) -> str:
    """A judgement such as ``flip_rate 0.310 [0.262, 0.358] is above max_flip_rate 0.25``."""
    bound = judgement.bound
    kind, holding = (f" of {visible(bound.type)}", f" with {visible(bound.type)}") if bound.type else ("", "")
    line = (
        f"{bound.metric}{kind} {show_estimate(judgement.estimate)} {_relation(judgement)} {bound.name} {bound.limit:g}"
    )
    if judgement.reason:
        line += f": {judgement.reason}"
    if judgement.needed is not None:
        line += f"; about {judgement.needed} distinct {judgement.unit}{holding} would settle it"
    return line


def _relation(judgement: Judgement) -> str:
    if judgement.p is None or judgement.reason == UNBREAKABLE:
        return "is not judged against"
    beyond = "is above" if judgement.bound.side == "max" else "is below"
    return {"pass": "is within", "fail": beyond, "inconclusive": "cannot be told from"}[judgement.verdict]


def show_estimate(estimate: Estimate) -> str:
    """An estimate, such as ``0.310 [0.262, 0.358]``."""
    return f"{estimate.value:z.3f} [{estimate.low:z.3f}, {estimate.high:z.3f}]"
