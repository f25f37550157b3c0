"""A part of the corpus, compared with the rest."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from abalo.core.protocols.entries import Entries
from abalo.core.protocols.probe import Case, Probe, Ran, RunContext, metrics_of
from abalo.core.protocols.probe_report import CleanReport
from abalo.core.protocols.task import Task, tasks
from abalo.core.records.configuring import describe_settings
from abalo.core.records.example import JsonObject
from abalo.core.records.gate import Gate
from abalo.core.records.outcome import Outcome
from abalo.core.records.settings import LANGUAGE, Entry
from abalo.core.statistics.estimates import FEWEST_CLUSTERS, UNDEFINED, Estimate, Measurement, measure, measure_metrics
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.metrics import Metric
from abalo.core.statistics.numbers import estimate_of
from abalo.core.statistics.plan import Parameters, Plan
from abalo.core.statistics.verdicts import FEWEST_HOLDING, Bound
from abalo.corpora import Corpus
from abalo.errors import AbaloError
from abalo.probes.meanings import OF_SLICES
from abalo.probes.parameters import check_parameters
from abalo.probes.sizes import sizes
from abalo.slices import Cut, Slice, slices
from abalo.slices import blocks as report
from abalo.slices.blocks import OF
from abalo.slices.facts import SliceFields
from abalo.slices.slice import S, labels_of
from abalo.sources.model_backed import NONE
from abalo.sources.resources import other_language
from perturbations.suggestions import did_you_mean

SLICE = "slice"

_TRAINING = "training"

_NEEDED = {
    _TRAINING: 'a corpus that the model has learned from: training = "FILE"',
    "label": 'a label of the corpus: label = "NAME"',
}


@dataclass(frozen=True, slots=True)
class SlicePlan(Parameters):
    """A slice with its parameters."""

    @property
    def labels(self) -> Sequence[str]:
        return (self.params["label"],) if self.of.of_labels else ()


class SliceEntries(Entries):
    """Entries of slices."""

    def parameters(self, entry: Entry, task: Task) -> Sequence[str]:
        part = _find_slice(entry)
        parts = _slices(task).values() if part is None else (part,)
        return tuple(dict.fromkeys((OF, *(name for each in parts for name in each.parameters()))))

    def described(self, table: str, task: Task) -> Mapping[str, Mapping[str, object]]:
        ways: dict[str, list[Mapping[str, object]]] = {}
        for part in _slices(task).values():
            for name, schema in describe_settings(part.settings, {}).items():
                ways[name] = [*ways.get(name, []), {key: schema[key] for key in schema if key != "default"}]
        distinct = {
            name: [each for k, each in enumerate(found) if each not in found[:k]] for name, found in ways.items()
        }
        found = {OF: {"enum": list(_slices(task))}} | {
            name: dict(each[0]) if len(each) == 1 else {"anyOf": each} for name, each in distinct.items()
        }
        return {name: {**each, "description": OF_SLICES.get(name, "")} for name, each in found.items()}

    def refused_settings(self, entry: Entry, task: Task) -> Mapping[str, str]:
        subject = f"a {SLICE}" if _find_slice(entry) is None else f"{entry.values[OF]} is a slice, and"
        return dict.fromkeys(("view", "seeds", "span_source"), f"{subject} perturbs nothing; leave it out")

    def parse(self, entry: Entry, task: Task) -> Sequence[Plan]:
        fit = _slices(task)
        name, known = entry.values.get(OF), ", ".join(fit)
        if name is None:
            entry.problem(f'which slice? expected {OF} = "NAME" with one of {known}')
        elif not isinstance(name, str) or name not in slices():
            entry.problem(f"{name!r}: no such slice{did_you_mean(str(name), fit)}; there are {known}", OF)
        elif name not in fit:
            part = slices()[name]
            of = "entities" if part.of_entities else "pairs of sentences" if part.of_pairs else "labels of the whole"
            of = "answers to questions" if part.of_answers else of
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
        assert isinstance(plan, Parameters)
        if _TRAINING in plan.of.needs and plan.params[_TRAINING] == NONE:
            return f"{plan.params[OF]} needs {_NEEDED[_TRAINING]}"
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
    """Compares the clean predictions of some examples with all others.

    A comparison covers all clusters; its n counts the slice's clusters that hold something to count.
    """

    name = SLICE
    entries = SliceEntries(SLICE)
    report = SliceReport()
    result_fields = SliceFields
    perturbs = False

    def headline(self, task: Task) -> str:
        return f"{task.floor}_gap"

    def meaningless(self, metric: Metric, task: Task) -> str | None:
        fit = _on_slices(task)
        return None if metric.name in fit else f"has no meaning where nothing is perturbed; use {', '.join(fit)}"

    def run(self, case: Case, engine: RunContext, search: object = None) -> Ran:
        assert isinstance(case.plan, Parameters)
        part, language = case.plan.of, engine.resources.language
        params = ({LANGUAGE: language} if language in part.languages else {}) | dict(case.params)
        settings = part.configured(**{name: value for name, value in params.items() if name != OF})
        examples = engine.examples[: case.limit]
        cut, scale = _cut(part, engine.corpus.first(case.limit), settings), engine.predictor.scale()
        looked_at = labels_of if part.of_labels else attrgetter("whole")
        outcomes = [
            Outcome(example, 0, clean, None, clean, scale, outside=not cut.holds(looked_at(example)))
            for example, clean in zip(examples, engine.predictor.clean(), strict=False)  # of a longer corpus, too
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
        metrics = metrics_of(self, task).values()
        sided = [metric for metric in metrics if self.name in metric.probes]
        own = measure(evidence.only(~evidence.outside), task.views, [m for m in metrics if m not in sided], gate)
        gaps = measure_metrics(evidence, case.view, sided, gate)
        known = {group for group, held in measure_metrics(_rest(evidence), case.view, (), gate).support.items() if held}
        return {view: _join_measurements(each, gaps, known, task.floor) for view, each in own.items()}

    def undecidable(self, case: Case, bound: Bound, evidence: Evidence) -> str | None:
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
        return f"{task.noun}s in the slice"

    def refreshed(self, facts: JsonObject, case: Case, evidence: Evidence, task: Task, gate: Gate) -> JsonObject:
        rest = measure_metrics(_rest(evidence), case.view, [task.metrics()[task.floor]], gate)
        known = estimate_of(rest.estimate(task.floor)) if any(rest.support.values()) else None
        return {**facts, SLICE: {**facts[SLICE], "rest": {**facts[SLICE]["rest"], task.floor: known}}}


def _cut(part: Slice[S], corpus: Corpus, settings: S) -> Cut:
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


def _find_slice(entry: Entry) -> Slice[Any] | None:
    return slices().get(str(entry.values.get(OF)))


def _slices(task: Task) -> Mapping[str, Slice[Any]]:
    return {name: part for name, part in slices().items() if part.fits(task)}


def _on_slices(task: Task) -> list[str]:
    return [name for name, metric in task.metrics().items() if metric.of_clean]


def _rest(evidence: Evidence) -> Evidence:
    return evidence.only(evidence.outside & (evidence.held > 0).any(axis=1))


def _join_measurements(own: Measurement, gaps: Measurement, known: Set[str], floor: str) -> Measurement:
    compared = {
        group: row if group in known else dict.fromkeys(row, UNDEFINED) for group, row in gaps.per_group.items()
    }
    per_group = {
        group: {**row, **_keep_sized(compared.get(group, {}), row, floor)} for group, row in own.per_group.items()
    }
    return replace(own, overall={**own.overall, **_keep_sized(gaps.overall, own.overall, floor)}, per_group=per_group)


def _keep_sized(gaps: Mapping[str, Estimate], own: Mapping[str, Estimate], floor: str) -> dict[str, Estimate]:
    inside = own.get(floor, UNDEFINED)
    return {
        name: gap if math.isnan(gap.value) else replace(gap, n=inside.n, distinct=inside.distinct)
        for name, gap in gaps.items()
    }


PROBE = SliceProbe()
