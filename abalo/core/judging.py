"""Judging: a pure function of the evidence in a case and its bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from abalo.core import promised
from abalo.core.detectable import detectable
from abalo.core.evidence import Evidence
from abalo.core.gate import Gate
from abalo.core.noise import beyond_noise
from abalo.core.plan import BASELINE
from abalo.core.probe import Case
from abalo.core.sequential import level_at, may_stop
from abalo.core.statistics import Estimate, Measurement, measure
from abalo.core.task import Task
from abalo.core.verdicts import Bound, Judgement, Verdict, judge, level_of, undecided
from abalo.errors import visible

UNBREAKABLE = "nothing can break this limit"
"""Why a limit at the end of the range of its metric decides nothing."""

_WORST_FIRST: tuple[Verdict, ...] = ("fail", "inconclusive", "pass")


def worst_of(verdicts: Sequence[Verdict]) -> Verdict | None:
    """The verdict of a case by those on its bounds; None without a bound."""
    return next((worst for worst in _WORST_FIRST if worst in verdicts), None)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Decided:
    """A case and the judgement on each of its bounds."""

    case: Case
    judgements: Sequence[Judgement]

    def __repr__(self) -> str:
        return f"<{self.case.id}: {self.verdict}>"

    @property
    def verdict(self) -> Verdict | None:
        """The worst over the bounds; None where there are none."""
        return worst_of([judgement.verdict for judgement in self.judgements])

    @property
    def deciding(self) -> Judgement | None:
        """The judgement that made the verdict, of several the one with the smallest p."""
        same = [judgement for judgement in self.judgements if judgement.verdict == self.verdict]
        return min(same, key=lambda judgement: 1.0 if judgement.p is None else judgement.p, default=None)

    @property
    def holds(self) -> bool:
        """Whether nothing here should stop a release: no bound of a blocking case failed."""
        return self.verdict != "fail" or not self.case.blocking

    @property
    def explanation(self) -> str:
        """One line per bound, failed ones first: the number with its interval, the limit, the verdict, its reason."""
        by_verdict = sorted(self.judgements, key=lambda judgement: _WORST_FIRST.index(judgement.verdict))
        if by_verdict:
            return "\n".join(map(explained, by_verdict))
        return f"{self.case.id}: measured; {'no bound of it is decided' if self.case.bounds else 'it has no bound'}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Judged(Decided):
    """A case with its evidence and what was measured in each view; its bounds are about the view that is bound.

    They were corrected for ``blocking_bounds``, those of their family. If a loss is ``impossible`` here, for the reason
    given, no bound is judged.
    """

    evidence: Evidence
    measurements: Mapping[str, Measurement]
    blocking_bounds: int = 1
    impossible: str | None = None

    @property
    def bound_view(self) -> Measurement:
        """The measurement in the view that the bounds are about."""
        return self.measurements[self.case.view]


def judged(case: Case, task: Task, evidence: Evidence, gate: Gate, blocking_bounds: int) -> Judged:
    """The evidence measured in every view, and the bounds of the case judged by it.

    Bounds are corrected for ``blocking_bounds``, those of the family.
    """
    measurements = case.probe.measure(case, evidence, task, gate)
    if may_stop(evidence.notes):
        alone = level_at(evidence.notes, (1 - gate.confidence) / 2)
        measurements = {
            view: each.at_level(alone, gate.confidence, task.metrics()) for view, each in measurements.items()
        }
    impossible = promised.impossible(evidence)
    judgements = [] if impossible else _judgements(case, task, evidence, measurements[case.view], gate, blocking_bounds)
    return Judged(case, judgements, evidence, measurements, blocking_bounds, impossible)


def judged_early(case: Case, task: Task, evidence: Evidence, gate: Gate, blocking_bounds: int) -> Sequence[Judgement]:
    """The same judgements of a case that may stop early, with nothing else measured."""
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
    """Whether a floor of a label was judged and is undecided.

    On the clean corpus such a floor is left out, as if it had no limit: of many labels one is often undecided by chance
    alone. A floor that could not be judged at all is shown with its reason.
    """
    labelled, undecided_still = judgement.bound.type is not None, judgement.verdict == "inconclusive"
    return labelled and undecided_still and judgement.p is not None and judgement.reason != UNBREAKABLE


def _judgement(
    bound: Bound, case: Case, task: Task, evidence: Evidence, measurement: Measurement, gate: Gate, blocking_bounds: int
) -> Judgement:
    """The bound judged, unless the evidence shows nothing about it."""
    estimate, metric = measurement.estimate(bound.metric, bound.type), task.metrics()[bound.metric]
    reason = case.probe.undecidable(case, bound, evidence)
    if reason is None:
        plain = case.probe.decided(bound, metric, evidence, estimate)
        if plain is not None:
            return plain
        where = case.name if evidence.outside.any() else "corpus"
        reason = task.undecidable(bound, measurement, evidence, where)
        reason = reason or case.probe.out_of_reach(case, bound, evidence)
    if reason is not None:
        return undecided(bound, estimate, reason)
    corrected, spend = gate.correction != "none", partial(level_at, evidence.notes)
    found = judge(
        bound,
        estimate,
        confidence=gate.confidence,
        blocking_bounds=blocking_bounds,
        corrected=corrected,
        spend=spend,
        unit="changed " * metric.changed_only + case.probe.unit(task),
    )
    if found.p is None:
        return found
    if metric.keeps(bound.side, bound.limit):
        return replace(found, verdict="inconclusive", uncorrected="inconclusive", reason=UNBREAKABLE, needed=None)
    found = beyond_noise(found, metric, evidence.notes, gate.confidence)
    level = spend(level_of(gate.confidence, blocking_bounds, corrected=corrected))
    return replace(found, sight=detectable(bound, estimate, metric, gate.confidence, level))


def explained(judgement: Judgement) -> str:
    """A judgement as a line, such as ``flip_rate 0.310 [0.262, 0.358] is above max_flip_rate 0.25``."""
    bound = judgement.bound
    kind, holding = (f" of {visible(bound.type)}", f" with {visible(bound.type)}") if bound.type else ("", "")
    line = f"{bound.metric}{kind} {shown(judgement.estimate)} {_relation(judgement)} {bound.name} {bound.limit:g}"
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


def shown(estimate: Estimate) -> str:
    """An estimate with its interval, such as ``0.310 [0.262, 0.358]``."""
    return f"{estimate.value:z.3f} [{estimate.low:z.3f}, {estimate.high:z.3f}]"
