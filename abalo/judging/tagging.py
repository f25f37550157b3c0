"""A case about tags: run, measured in every view and judged against its bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial

from abalo.judging.decided import Decided
from abalo.judging.slices import compared, untold
from abalo.metrics import metrics
from abalo.outcomes import Outcome
from abalo.runs import CaseRun
from abalo.statistics import Bootstrap, Measurement, cluster_count, measure
from abalo.tasks.ner import VIEWS, View
from abalo.thresholds import Gate
from abalo.verdicts import FEWEST_SENTENCES, Bound, Judgement, judge, undecided
from perturbations import unchanged


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Judged(Decided):
    """A case about tags with what was measured in each view; its bounds are about the view that is bound."""

    run: CaseRun
    measurements: Mapping[View, Measurement]
    rest: Measurement | None = None
    """Of a slice, what was measured on all other sentences."""

    @property
    def bound_view(self) -> Measurement:
        """The measurement in the view that the bounds are about."""
        return self.measurements[self.case.view]


def judged(run: CaseRun, gate: Gate, blocking_bounds: int) -> Judged:
    """Measure the run in every view and judge its bounds, corrected for ``blocking_bounds`` in the whole run."""
    measurements, rest = (
        _measurements(run, _bootstrap(cluster_count(run.outcomes), gate.resamples), gate.confidence),
        None,
    )
    if run.sliced is not None:
        measurements, rest = compared(run, measurements, partial(_bootstrap, resamples=gate.resamples), gate.confidence)
    bound_view = measurements[run.case.view]
    judgements = [_judgement(bound, run, bound_view, gate, blocking_bounds) for bound in run.case.bounds]
    return Judged(run.case, judgements, run, measurements, rest)


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
        return undecided(bound, estimate, "no variant is as required" if run.filtered else "no sentence was changed")
    if (reason := untold(bound, run)) is not None:
        return undecided(bound, estimate, reason)
    if not any(measurement.support.values()):
        where = "corpus" if run.sliced is None else "slice"
        return undecided(bound, estimate, f"the {where} holds no entity")
    if "_drop" in bound.metric and _nothing_to_lose(bound, measurement):
        return undecided(bound, estimate, "the clean F1 is 0, so there is nothing to lose")
    return judge(
        bound,
        estimate,
        confidence=gate.confidence,
        blocking_bounds=blocking_bounds,
        corrected=gate.correction != "none",
        unit="sentences" if run.sliced is None else "sentences in the slice",
    )


def _nothing_to_lose(bound: Bound, measurement: Measurement) -> bool:
    """Whether the clean F1, which is what is left and what was lost, is 0; a model that finds nothing drops nothing."""
    clean = measurement.estimate("f1", bound.type).value + measurement.estimate("f1_drop", bound.type).value
    return abs(clean) < _ROUNDING


_ROUNDING = 1e-9


@cache
def _bootstrap(clusters: int, resamples: int) -> Bootstrap:
    return Bootstrap(clusters, resamples)
