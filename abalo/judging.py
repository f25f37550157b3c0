"""A case, run, measured in every view and judged against its bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from abalo.metrics import metrics
from abalo.runs import CaseRun
from abalo.statistics import (
    UNDEFINED,
    Bootstrap,
    Estimate,
    Judgement,
    Measurement,
    Verdict,
    cluster_count,
    judge,
    measure,
)
from abalo.tasks.ner import VIEWS, View
from abalo.thresholds import Gate


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A case with what was measured in each view, and what its bounds say in the view that is bound."""

    run: CaseRun
    measurements: Mapping[View, Measurement]
    judgements: Sequence[Judgement]

    @property
    def bound_view(self) -> Measurement:
        """The measurement in the view that the bounds are about."""
        return self.measurements[self.run.case.view]

    @property
    def verdict(self) -> Verdict | None:
        """The worst over the bounds; None where there are none."""
        verdicts = {judgement.verdict for judgement in self.judgements}
        return next((worst for worst in _WORST_FIRST if worst in verdicts), None)

    @property
    def deciding(self) -> Judgement | None:
        """The judgement that made the verdict, of several the one with the smallest p."""
        same = [judgement for judgement in self.judgements if judgement.verdict == self.verdict]
        return min(same, key=lambda judgement: 1.0 if judgement.p is None else judgement.p, default=None)

    @property
    def holds(self) -> bool:
        """Whether nothing here should stop a release: no bound of a blocking case failed."""
        return self.verdict != "fail" or not self.run.case.blocking

    @property
    def explanation(self) -> str:
        """One line per bound: the number with its interval, the limit, the verdict and its reason."""
        return "\n".join(map(explained, self.judgements)) or f"{self.run.case.id}: no bound in thresholds.toml"


_WORST_FIRST: tuple[Verdict, ...] = ("fail", "inconclusive", "pass")


def explained(judgement: Judgement) -> str:
    """A judgement as a line, such as ``f1_drop 0.31 [0.26, 0.36] is above max_f1_drop 0.25``."""
    bound, estimate = judgement.bound, judgement.estimate
    kind = f" of {bound.type}" if bound.type else ""
    beyond = "above" if bound.side == "max" else "below"
    relation = {"pass": "is within", "fail": f"is {beyond}", "inconclusive": "cannot be told from"}[judgement.verdict]
    line = f"{bound.metric}{kind} {shown(estimate)} {relation} {bound.name} {bound.limit:g}"
    if judgement.reason:
        line += f": {judgement.reason}"
    if judgement.needed is not None:
        line += f"; about {judgement.needed} distinct sentences would settle it"
    return line


def shown(estimate: Estimate) -> str:
    """An estimate with its interval, such as ``0.310 [0.262, 0.358]``."""
    return f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"


def judged(run: CaseRun, gate: Gate, blocking_bounds: int) -> Judged:
    """Measure the run in every view and judge its bounds, corrected for ``blocking_bounds`` in the whole run."""
    bootstrap = _bootstrap(cluster_count(run.outcomes), gate.resamples)
    asked = list(metrics().values())
    measurements = {view: measure(run.outcomes, view, asked, bootstrap, gate.confidence) for view in VIEWS}
    judgements = []
    for bound in run.case.bounds:
        measurement = measurements[run.case.view]
        found = measurement.overall if bound.type is None else measurement.per_type.get(bound.type, {})
        judgement = judge(
            bound,
            found.get(bound.metric, UNDEFINED),
            confidence=gate.confidence,
            blocking_bounds=blocking_bounds,
            corrected=gate.correction != "none",
        )
        judgements.append(_unless_nothing_changed(judgement, run))
    return Judged(run, measurements, judgements)


def _unless_nothing_changed(judgement: Judgement, run: CaseRun) -> Judgement:
    """A perturbation that fitted nowhere has shown nothing, so its bounds are not kept but undecided."""
    if run.case.perturbation is None or any(outcome.changed for outcome in run.outcomes):
        return judgement
    return replace(judgement, verdict="inconclusive", reason="no sentence was changed", needed=None)


@cache
def _bootstrap(clusters: int, resamples: int) -> Bootstrap:
    return Bootstrap(clusters, resamples)
