"""A part of the corpus by itself, compared with the rest of it; nothing is perturbed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, ClassVar

from abalo.core.configuring import described
from abalo.core.entries import Entries
from abalo.core.evidence import Evidence
from abalo.core.example import Json
from abalo.core.gate import Gate
from abalo.core.metrics import Metric
from abalo.core.numbers import estimate_of
from abalo.core.outcome import Outcome
from abalo.core.plan import Parameters, Plan
from abalo.core.probe import Case, Probe, Ran, RunContext
from abalo.core.probe_report import CleanReport
from abalo.core.settings import LANGUAGE, Entry
from abalo.core.statistics import FEWEST_CLUSTERS, UNDEFINED, Estimate, Measurement, measure, measured
from abalo.core.task import Task, tasks
from abalo.core.verdicts import FEWEST_HOLDING, Bound
from abalo.errors import AbaloError
from abalo.probes.meanings import OF_SLICES
from abalo.probes.parameters import check_parameters
from abalo.probes.sizes import sizes
from abalo.slices import Cut, Slice, slices
from abalo.slices import blocks as report
from abalo.slices.blocks import OF
from abalo.slices.slice import labels_of
from abalo.sources.model_backed import NONE
from abalo.sources.resources import other_language
from perturbations.suggestions import did_you_mean

SLICE = "slice"
"""The table of all cases about a part of the corpus."""

_TRAINING = "training"

_NEEDED = {
    _TRAINING: 'a corpus that the model has learned from: training = "FILE"',
    "label": 'a label of the corpus: label = "NAME"',
}
"""The settings that a slice can need, in words."""


@dataclass(frozen=True, slots=True)
class SlicePlan(Parameters):
    """A slice with its parameters."""

    @property
    def labels(self) -> Sequence[str]:
        """The label of which it has the examples, if it is one of labels."""
        return (self.params["label"],) if self.of.of_labels else ()


class SliceEntries(Entries):
    """The entries of the one table of slices."""

    def parameters(self, entry: Entry, task: Task) -> Sequence[str]:
        """Which slice, and its settings; those of all slices where it is not said which."""
        part = _named(entry)
        parts = _slices(task).values() if part is None else (part,)
        return tuple(dict.fromkeys((OF, *(name for each in parts for name in each.parameters()))))

    def described(self, table: str, task: Task) -> Mapping[str, Mapping[str, Any]]:
        """The names of the slices, and what the settings of any of them can be."""
        ways: dict[str, list[Mapping[str, Any]]] = {}
        for part in _slices(task).values():
            for name, schema in described(part.settings, {}).items():
                ways[name] = [*ways.get(name, []), {key: schema[key] for key in schema if key != "default"}]
        distinct = {
            name: [each for k, each in enumerate(found) if each not in found[:k]] for name, found in ways.items()
        }
        found = {OF: {"enum": list(_slices(task))}} | {
            name: dict(each[0]) if len(each) == 1 else {"anyOf": each} for name, each in distinct.items()
        }
        return {name: {**each, "description": OF_SLICES.get(name, "")} for name, each in found.items()}

    def refused_settings(self, entry: Entry, task: Task) -> Mapping[str, str]:
        """The settings of variants."""
        subject = f"a {SLICE}" if _named(entry) is None else f"{entry.values[OF]} is a slice, and"
        return dict.fromkeys(("view", "seeds", "span_source"), f"{subject} perturbs nothing; leave it out")

    def parse(self, entry: Entry, task: Task) -> Sequence[Plan]:
        """The one plan of an entry."""
        fit = _slices(task)
        name, known = entry.values.get(OF), ", ".join(fit)
        if name is None:
            entry.problem(f'which slice? expected {OF} = "NAME" with one of {known}')
        elif not isinstance(name, str) or name not in slices():
            entry.problem(f"{name!r}: no such slice{did_you_mean(str(name), fit)}; there are {known}", OF)
        elif name not in fit:
            part = slices()[name]
            of = "entities" if part.of_entities else "pairs of sentences" if part.of_pairs else "labels of the whole"
            entry.problem(f"{name!r} is a slice by {of}, which the task {task.name} has none of; use {known}", OF)
        else:
            part = slices()[name]
            for key in part.needs:
                if entry.values.get(key, "") == "":
                    entry.problem(f"{name} needs {key}, {_NEEDED[key]}")
            checked = check_parameters(part, entry.values, entry.place, entry.problems, free=(OF,))
            return (SlicePlan({key: checked[key] for key in (OF, *part.parameters()) if key in checked}, part),)
        return ()

    def skipped(self, plan: Plan, language: str) -> str | None:
        """The slice needs training data, given as "none", or is for other languages than that of the corpus."""
        assert isinstance(plan, Parameters)
        if _TRAINING in plan.of.needs and plan.params[_TRAINING] == NONE:
            return f"{plan.params[OF]} needs {_TRAINING}, given as {NONE!r}; expected {_NEEDED[_TRAINING]}"
        return None if LANGUAGE in plan.params else other_language(plan.of.languages, language)


class SliceReport(CleanReport):
    """Slices in reports."""

    tabled = True
    title = staticmethod(report.title)
    settings = staticmethod(report.settings)
    extent = staticmethod(report.extent)
    remedy = staticmethod(report.remedy)
    blocks = staticmethod(report.summary)
    detail = staticmethod(report.detail)


class SliceProbe(Probe):
    """The clean predictions of some examples, and those of all others."""

    name = SLICE
    entries = SliceEntries(SLICE)
    report = SliceReport()
    result_fields: ClassVar[Mapping[str, Any]] = {SLICE: None}
    perturbs = False

    def headline(self, task: Task) -> str:
        """The gap between the rest and the slice."""
        return f"{task.floor}_gap"

    def meaningless(self, metric: Metric, task: Task) -> str | None:
        """Why a bound on the metric says nothing where nothing is perturbed."""
        fit = _on_slices(task)
        return None if metric.name in fit else f"has no meaning where nothing is perturbed; use {', '.join(fit)}"

    def run(self, case: Case, session: RunContext, search: Any = None) -> Ran:
        """The clean predictions, told apart; like the baseline it has one seed, 0."""
        assert isinstance(case.plan, Parameters)
        part, language = case.plan.of, session.resources.language
        params = ({LANGUAGE: language} if language in part.languages else {}) | dict(case.params)
        settings = part.configured(**{name: value for name, value in params.items() if name != OF})
        examples = session.examples[: case.limit]
        cut, scale = _cut(part, session.corpus.first(case.limit), settings), session.predictor.scale()
        looked_at = labels_of if part.of_labels else attrgetter("whole")
        outcomes = [
            Outcome(example, 0, clean, None, clean, scale, outside=not cut.holds(looked_at(example)))
            for example, clean in zip(examples, session.predictor.clean(), strict=False)  # of a longer corpus, too
        ]
        inside, rest = ([outcome for outcome in outcomes if outcome.outside is side] for side in (False, True))
        facts = {
            SLICE: {
                "of": params[OF],
                "text": cut.text,
                "rest": {"sentences": len(rest), "distinct": len({each.example.cluster for each in rest})},
            }
        }
        return Ran(outcomes, params, (0,), sizes([each.example for each in inside], inside), facts=facts)

    def measure(self, case: Case, evidence: Evidence, task: Task, gate: Gate) -> Mapping[str, Measurement]:
        """The metrics inside of the slice, together with how it compares to the rest.

        A comparison is over all clusters; its n is how many of them are in the slice and hold something to count. A
        group that the rest lacks has none.
        """
        metrics = self.metrics(task).values()
        sided = [metric for metric in metrics if self.name in metric.probes]
        own = measure(evidence.only(~evidence.outside), task.views, [m for m in metrics if m not in sided], gate)
        gaps = measured(evidence, case.view, sided, gate)
        known = {group for group, held in measured(_rest(evidence), case.view, (), gate).support.items() if held}
        return {view: _joined(each, gaps, known, task.floor) for view, each in own.items()}

    def undecidable(self, case: Case, bound: Bound, evidence: Evidence) -> str | None:
        """There is too little in the slice, or too little outside of it to compare with."""
        if evidence.outside.all():
            return f"fewer than {FEWEST_CLUSTERS} distinct sentences in the slice (0)"
        if self.name not in tasks()[case.task].metrics()[bound.metric].probes:
            return None
        outside, holding = evidence.only(evidence.outside).distinct, _rest(evidence).distinct
        if outside < FEWEST_CLUSTERS:
            return f"fewer than {FEWEST_CLUSTERS} distinct sentences outside of the slice ({outside})"
        if holding < FEWEST_HOLDING:
            held = f"fewer than {FEWEST_HOLDING} of {outside} distinct sentences outside of the slice"
            return f"{held} hold anything to compare with ({holding})"
        return None

    def unit(self, task: Task) -> str:
        """The examples in the slice."""
        return f"{task.noun}s in the slice"

    def refreshed(self, facts: Json, case: Case, evidence: Evidence, task: Task, gate: Gate) -> Json:
        """With the floor metric of the rest that the slice is compared with; null where it holds nothing to count."""
        rest = measured(_rest(evidence), case.view, [task.metrics()[task.floor]], gate)
        known = estimate_of(rest.estimate(task.floor)) if any(rest.support.values()) else None
        return {**facts, SLICE: {**facts[SLICE], "rest": {**facts[SLICE]["rest"], task.floor: known}}}


def _cut(part: Slice[Any], corpus: Any, settings: Any) -> Cut:
    """The sentences of the slice; raises `AbaloError` if it asks for those of a corpus that has no ``sentences``."""
    try:
        return part.cut(corpus, settings)
    except AttributeError as error:
        if hasattr(corpus, "sentences") or error.name != "sentences":
            raise
        raise AbaloError(
            f"slice {part.name}: it reads corpus.sentences, which {type(corpus).__name__} of {corpus.name} lacks; "
            "expected a tuple of perturbations.Sentence, one for each example: add it to the corpus, or take 'slice' "
            "out of the probes of the task"
        ) from error


def _named(entry: Entry) -> Slice[Any] | None:
    """The slice that an entry names; None where it names none that there is."""
    return slices().get(str(entry.values.get(OF)))


def _slices(task: Task) -> Mapping[str, Slice[Any]]:
    """The slices that examples of the task can be in."""
    return {name: part for name, part in slices().items() if part.fits(task)}


def _on_slices(task: Task) -> list[str]:
    return [name for name, metric in task.metrics().items() if metric.of_clean]


def _rest(evidence: Evidence) -> Evidence:
    """The evidence outside of the slice, of examples that hold a gold label: those that a slice is compared with."""
    return evidence.only(evidence.outside & (evidence.held > 0).any(axis=1))


def _joined(own: Measurement, gaps: Measurement, known: Set[str], floor: str) -> Measurement:
    """With the numbers of both; for groups, of those that the slice knows. Of those not ``known`` there is no gap."""
    compared = {
        group: row if group in known else dict.fromkeys(row, UNDEFINED) for group, row in gaps.per_group.items()
    }
    per_group = {group: {**row, **_sized(compared.get(group, {}), row, floor)} for group, row in own.per_group.items()}
    return replace(own, overall={**own.overall, **_sized(gaps.overall, own.overall, floor)}, per_group=per_group)


def _sized(gaps: Mapping[str, Estimate], own: Mapping[str, Estimate], floor: str) -> dict[str, Estimate]:
    inside = own.get(floor, UNDEFINED)
    return {
        name: gap if math.isnan(gap.value) else replace(gap, n=inside.n, distinct=inside.distinct)
        for name, gap in gaps.items()
    }


PROBE = SliceProbe()
