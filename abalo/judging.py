"""A case, run, measured in every view and judged against its bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from abalo.errors import visible
from abalo.metrics import metrics
from abalo.outcomes import Outcome
from abalo.runs import CaseRun
from abalo.statistics import Bootstrap, Estimate, Measurement, cluster_count, measure
from abalo.tasks.ner import VIEWS, View
from abalo.thresholds import Gate
from abalo.verdicts import FEWEST_SENTENCES, Bound, Judgement, Verdict, judge, undecided
from perturbations import unchanged


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Judged:
    """A case with what was measured in each view, and what its bounds say in the view that is bound."""

    run: CaseRun
    measurements: Mapping[View, Measurement]
    judgements: Sequence[Judgement]

    def __repr__(self) -> str:
        return f"<{self.run.case.id}: {self.verdict}>"

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
    """A judgement as a line, such as ``f1_drop 0.310 [0.262, 0.358] is above max_f1_drop 0.25``."""
    bound = judgement.bound
    kind = f" of {visible(bound.type)}" if bound.type else ""
    line = f"{bound.metric}{kind} {shown(judgement.estimate)} {_relation(judgement)} {bound.name} {bound.limit:g}"
    if judgement.reason:
        line += f": {judgement.reason}"
    if judgement.needed is not None:
        line += f"; about {judgement.needed} distinct sentences would settle it"
    return line


def _relation(judgement: Judgement) -> str:
    if judgement.p is None:
        return "is not judged against"
    beyond = "is above" if judgement.bound.side == "max" else "is below"
    return {"pass": "is within", "fail": beyond, "inconclusive": "cannot be told from"}[judgement.verdict]


def shown(estimate: Estimate) -> str:
    """An estimate with its interval, such as ``0.310 [0.262, 0.358]``."""
    return f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"


def judged(run: CaseRun, gate: Gate, blocking_bounds: int) -> Judged:
    """Measure the run in every view and judge its bounds, corrected for ``blocking_bounds`` in the whole run."""
    bootstrap = _bootstrap(cluster_count(run.outcomes), gate.resamples)
    measurements = _measurements(run, bootstrap, gate.confidence)
    bound_view = measurements[run.case.view]
    judgements = [_judgement(bound, run, bound_view, gate, blocking_bounds) for bound in run.case.bounds]
    return Judged(run, measurements, judgements)


def _measurements(run: CaseRun, bootstrap: Bootstrap, confidence: float) -> dict[View, Measurement]:
    """Every view, measured once where all see the same."""
    attack, invariance = run.campaign is not None, run.promised is not None
    every = [metric for metric in metrics().values() if metric.fits(attack=attack, invariance=invariance)]
    if all(map(_stays_in_place, run.outcomes)):
        once = measure(run.outcomes, run.case.view, every, bootstrap, confidence, alike=True)
        return {view: once.seen_in(view, every) for view in VIEWS}
    return {view: measure(run.outcomes, view, every, bootstrap, confidence) for view in VIEWS}


def _stays_in_place(outcome: Outcome) -> bool:
    """Whether every token kept its place and label, so that all views compare the same."""
    perturbed = outcome.perturbed
    return perturbed is None or (
        perturbed.sentence.tags == outcome.gold.tags and perturbed.origins == unchanged(outcome.gold).origins
    )


def _judgement(bound: Bound, run: CaseRun, measurement: Measurement, gate: Gate, blocking_bounds: int) -> Judgement:
    """The bound judged, unless the run has shown nothing about it."""
    estimate = measurement.estimate(bound.metric, bound.type)
    if run.campaign is not None and not any(outcome.searched and outcome.searched.queries for outcome in run.outcomes):
        return undecided(bound, estimate, "there was no entity that the model finds and something could be done to")
    if run.promised is not None and not run.promised.trial.sentences:
        return undecided(bound, estimate, "no sentence has a place for such an edit and an entity that is surely found")
    if run.promised is not None and bound == Bound(bound.metric, "max", 0.0) and metrics()[bound.metric].promised:
        if run.promised.broken:
            return Judgement(bound, estimate, "fail", "fail", 0.0, "one edit that breaks the promise is too many")
        if estimate.n >= FEWEST_SENTENCES:
            return Judgement(bound, estimate, "pass", "pass", 1.0)
    if run.case.perturbation is not None and not any(outcome.changed for outcome in run.outcomes):
        return undecided(bound, estimate, "no sentence was changed")
    if not any(measurement.support.values()):
        return undecided(bound, estimate, "the corpus holds no entity")
    if "_drop" in bound.metric and _nothing_to_lose(bound, measurement):
        return undecided(bound, estimate, "the clean F1 is 0, so there is nothing to lose")
    corrected = gate.correction != "none"
    return judge(bound, estimate, confidence=gate.confidence, blocking_bounds=blocking_bounds, corrected=corrected)


def _nothing_to_lose(bound: Bound, measurement: Measurement) -> bool:
    """Whether the clean F1, which is what is left and what was lost, is 0; a model that finds nothing drops nothing."""
    clean = measurement.estimate("f1", bound.type).value + measurement.estimate("f1_drop", bound.type).value
    return abs(clean) < _ROUNDING


_ROUNDING = 1e-9


@cache
def _bootstrap(clusters: int, resamples: int) -> Bootstrap:
    return Bootstrap(clusters, resamples)
