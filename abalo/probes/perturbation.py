"""Examples perturbed once per seed."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, get_args

from abalo.attacks import attacks
from abalo.core.documents.document import Document
from abalo.core.documents.found import DrawnFields, PerturbationFields, Result
from abalo.core.protocols.entries import Entries
from abalo.core.protocols.probe import Case, Probe, Ran, RunContext, Taught
from abalo.core.protocols.probe_report import ProbeReport
from abalo.core.protocols.task import ResourceFinder, Task, cluster_noun, tasks
from abalo.core.records import words
from abalo.core.records.settings import LANGUAGE, Entry, one_of
from abalo.core.records.values import schema_of
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.plan import Plan
from abalo.core.statistics.reach import reach, worst
from abalo.core.statistics.verdicts import Bound
from abalo.errors import AbaloError
from abalo.invariances import invariances
from abalo.probes.drawing import DRAWN_WITH, FIELD, NOT_HIT, UNFIT, Drawing, WantedVariants, lessons
from abalo.probes.meanings import EVERY_PERTURBATION
from abalo.probes.parameters import check_parameters
from abalo.sources.resources import editions, masks_as_model, why_other_language, why_unfit
from abalo.validators.requirements import REQUIRE, check_required, shown_requirements
from perturbations import Perturbation, find, members
from perturbations.languages import ANY
from perturbations.levels import TargetLevel
from perturbations.perturbation import EXPERIMENTAL_IN
from perturbations.scripts import script_of

SpanSource = Literal["oracle", "predicted"]
"""Gold spans, or the model's clean predictions [stage 4, "Span sources"]."""

SPAN_SOURCE = "span_source"

EXPERIMENTAL = "experimental"
"""Perturbations with many variants that readers called wrong."""


@dataclass(frozen=True, slots=True)
class PerturbationPlan(Plan):
    """A perturbation with its parameters.

    ``span_source`` is None if it is not aimed at spans. Variants outside ``require`` are dropped. ``field`` is "" for
    the usual fields.
    """

    perturbation: Perturbation
    params: Mapping[str, object] = field(default_factory=dict)
    span_source: SpanSource | None = None
    require: Mapping[str, Any] = field(default_factory=dict)
    field: str = ""

    @property
    def leading(self) -> Sequence[str]:
        return [] if self.span_source is None else [self.span_source]

    @property
    def shown(self) -> Mapping[str, object]:
        return {**self.params, **({FIELD: self.field} if self.field else {}), **shown_requirements(self.require)}

    @property
    def turns(self) -> bool:
        return self.perturbation.meaning == "turns"


class PerturbationEntries(Entries):
    """Entries of perturbations."""

    def tables(self, task: Task) -> Sequence[str]:
        taken = {*attacks(), *invariances()}
        return [name for name, member in members().items() if name not in taken and task.accepts(member)]

    def parameters(self, entry: Entry, task: Task) -> Sequence[str]:
        member = find(entry.name)
        source = [SPAN_SOURCE] if isinstance(member, TargetLevel) else []
        return ["rate", *member.parameters(), *source, *field_key(task), REQUIRE]

    def described(self, table: str, task: Task) -> Mapping[str, Mapping[str, object]]:
        member, meanings = find(table), EVERY_PERTURBATION
        found = {"rate": {"type": "number", "minimum": 0, "maximum": 1, "default": member.rate}} | {
            name: schema_of(each.annotation) | _default(member.params.get(name))
            for name, each in member.parameters().items()
        }
        if isinstance(member, TargetLevel):
            found[SPAN_SOURCE] = {"enum": list(get_args(SpanSource)), "default": "oracle"}
        found |= described_fields(task) | {REQUIRE: {"type": "object"}}
        return {name: each | _meaning(name, meanings) for name, each in found.items()}

    def refused_settings(self, entry: Entry, task: Task) -> Mapping[str, str]:
        if isinstance(find(entry.name), TargetLevel):
            return {}
        return {SPAN_SOURCE: f"{entry.name} is not aimed at spans; leave it out"}

    def parse(self, entry: Entry, task: Task) -> Sequence[Plan]:
        member, values = find(entry.name), dict(entry.values)
        require, source = values.pop(REQUIRE, {}), values.pop(SPAN_SOURCE, None)
        if isinstance(member, TargetLevel):
            source = "oracle" if source is None else source
            if source not in get_args(SpanSource):
                entry.problem(f"{source!r}; expected {one_of(get_args(SpanSource)).words}", SPAN_SOURCE)
                source = "oracle"
        require = check_required(require, f"{entry.place} {REQUIRE}", entry.problems)
        field = checked_field(values.pop(FIELD, ""), task, entry)
        params = check_parameters(member, values, entry.place, entry.problems)
        ordered = {name: params[name] for name in ["rate", *member.parameters()] if name in params}
        return (PerturbationPlan(member, ordered, source, require, field),)

    def usual_view(self, task: Task, plan: Plan) -> str:
        assert isinstance(plan, PerturbationPlan)
        return task.resized_view if plan.perturbation.resizes else task.usual_view

    def skipped(self, plan: Plan, language: str) -> str | None:
        assert isinstance(plan, PerturbationPlan)
        return why_unfit(plan.perturbation, plan.params, language)

    def lacks_resource(self, plan: Plan, language: str) -> bool:
        assert isinstance(plan, PerturbationPlan)
        fits = why_other_language(plan.perturbation, plan.params, language) is None
        return fits or super().lacks_resource(plan, language)


_TRAINING = "training"


class PerturbationReport(ProbeReport):
    """Perturbations in reports."""

    def title(self, result: Result) -> str:
        return title_of(result.name)

    def settings(self, result: Result) -> Sequence[str]:
        aimed = PerturbationFields.of(result).span_source
        source = [] if aimed is None else [f"{aimed} spans"]
        params = {name: value for name, value in result.params.items() if name not in (LANGUAGE, FIELD, _TRAINING)}
        return [*source, *doubt_words(result), *unusual_in_words(result.name, params), *settings_told(result)]

    def remarks(self, results: Sequence[Result], document: Document) -> Sequence[str]:
        return remarks_of_readers(results)

    def remedy(self, result: Result, task: Task) -> str:
        return trained_on(task)


class DrawnProbe(Probe):
    """Changes examples at random, seed by seed, and compares them with gold and with the clean predictions."""

    redrawn = True
    result_fields = DrawnFields

    @abstractmethod
    def begun(self, case: Case, engine: RunContext) -> Drawing: ...

    def run(self, case: Case, engine: RunContext, search: object = None) -> Ran:
        return self.begun(case, engine).whole()

    def undecidable(self, case: Case, bound: Bound, evidence: Evidence) -> str | None:
        if evidence.changed.any():
            return None
        unfit = next((name.removeprefix(UNFIT) for name in evidence.notes if name.startswith(UNFIT)), None)
        if unfit is not None:
            return unfit
        if evidence.notes.get("filtered"):
            return "no variant meets the limits of require"
        noun = tasks()[case.task].noun
        if NOT_HIT not in evidence.notes:
            return f"no {noun} was changed"
        return f"no {noun} {'was drawn for a change' if evidence.notes[NOT_HIT] else 'has a place for this change'}"

    def out_of_reach(self, case: Case, bound: Bound, evidence: Evidence) -> str | None:
        task = tasks()[case.task]
        metric, over_changed = task.metrics()[bound.metric], task.metrics().get(f"{bound.metric}_changed")
        if (
            metric.changed_only
            or metric.keeps(bound.side, bound.limit)
            or metric.more_is_better != (bound.side == "min")
        ):
            return None
        possible = worst(metric, evidence, case.view)
        if possible is None:
            return None
        value = float(possible[1 + evidence.groups.index(bound.type) if bound.type in evidence.groups else 0])
        if not bound.excess(value) <= 0:
            return None
        changed = evidence.only(evidence.changed).distinct
        end = "least" if bound.side == "min" else "most"
        counted = f"{changed:,} of {evidence.distinct:,} distinct {cluster_noun(task)}s changed"
        said = f"it cannot fail: at {end} {value:.3f} is possible here, {counted}"
        fewer = over_changed is not None and changed < evidence.distinct
        asked = f"{bound.side}_{bound.metric}_changed = {bound.limit:g}" if fewer else None
        return f"{said}; {asked} asks it of those" if asked and bound.type is None else said

    def reach(self, case: Case, evidence: Evidence, task: Task) -> float:
        drop = task.metrics().get(f"{task.floor}_drop")
        return math.nan if drop is None else reach(drop, evidence, case.view)


class PerturbationProbe(DrawnProbe):
    """Perturbs examples and compares the predictions with gold and with the clean predictions."""

    name = "perturbation"
    entries = PerturbationEntries()
    report = PerturbationReport()
    result_fields = PerturbationFields

    def ahead(self, plan: Plan) -> bool:
        assert isinstance(plan, PerturbationPlan)
        return plan.perturbation.cost == "text" and not plan.require

    def begun(self, case: Case, engine: RunContext) -> Drawing:
        assert isinstance(case.plan, PerturbationPlan)
        plan = case.plan
        configured = _configure(plan, case, engine.resources)
        params = engine.resources.named(plan.perturbation, plan.params)
        facts = {
            "kind": plan.perturbation.kind,
            SPAN_SOURCE: plan.span_source,
            EXPERIMENTAL: doubts([(plan.perturbation, params)], engine),
            DRAWN_WITH: editions(configured),
        }
        return Drawing(
            case, engine, WantedVariants(configured, params, plan.require, facts, plan.span_source, plan.field)
        )

    def lessons(self, case: Case, engine: RunContext, seed: int, most: int) -> Sequence[Taught]:
        assert isinstance(case.plan, PerturbationPlan)
        plan = case.plan
        made, aimed = _configure(plan, case, engine.resources), plan.span_source is not None
        return lessons(case, made, engine, seed, most, plan.require, aimed=aimed, field=plan.field)

    def variants_from_model(self, case: Case) -> bool:
        assert isinstance(case.plan, PerturbationPlan)
        plan = case.plan
        return plan.span_source == "predicted" or masks_as_model(plan.perturbation, plan.params)


def described_fields(task: Task) -> dict[str, dict[str, object]]:
    """Possible values of `field_key`."""
    return {FIELD: {"enum": list(task.fields.choices)}} if task.fields.choices else {}


def _default(value: object) -> dict[str, object]:
    return {"default": value} if isinstance(value, str | int | float) else {}


def _meaning(name: str, meanings: Mapping[str, str]) -> dict[str, str]:
    return {"description": meanings[name]} if name in meanings else {}


def field_key(task: Task) -> Sequence[str]:
    """The key for the fields to change; empty if the task offers no choice."""
    return [FIELD] if task.fields.choices else []


def checked_field(field: object, task: Task, entry: Entry) -> str:
    """The fields that an entry names; "" and a problem if they do not exist."""
    if field == "" or field in task.fields.choices:
        return str(field)
    entry.problem(f"{field!r}; expected {one_of(tuple(task.fields.choices)).words}", FIELD)
    return ""


def doubts(steps: Iterable[tuple[Perturbation, Mapping[str, object]]], engine: RunContext) -> list[str]:
    """Perturbations that are experimental in the language or script of the corpus."""
    language, script = engine.resources.language, _script(engine)
    said = (member.experimental(_language_of(params, language), script) for member, params in steps)
    return [each for each in dict.fromkeys(said) if each]


_LOOKED_AT = 50


def _script(engine: RunContext) -> str:
    return script_of(example.whole.text for example in engine.examples[:_LOOKED_AT])


def _language_of(params: Mapping[str, Any], language: str) -> str:
    own = params.get(LANGUAGE, language)
    return language if own == ANY else own


def doubt_words(result: Result) -> list[str]:
    """Marks a case that is experimental in its language; an unread script is only a remark."""
    return [EXPERIMENTAL] if any(EXPERIMENTAL_IN in said for said in DrawnFields.of(result).experimental) else []


def remarks_of_readers(results: Sequence[Result]) -> list[str]:
    """The distinct doubts of readers about these results."""
    return [
        f"{each}." for each in dict.fromkeys(said for result in results for said in DrawnFields.of(result).experimental)
    ]


def trained_on(task: Task) -> str:
    """How to make a model more robust; training data can be written for labelled spans."""
    train = f"Train on {task.noun}s that are changed in this way"
    return f"{train}; abalo augment TRAIN --out FILE writes them." if task.labelled == "spans" else f"{train}, too."


def title_of(perturbation: str) -> str:
    """Title of a perturbation; its name in words if an extension's is not installed."""
    known = members().get(perturbation)
    return words.sentence_case(words.identifier_in_words(perturbation)) if known is None else known.title


def settings_told(result: Result) -> list[str]:
    """Language and field, if the case gives them."""
    given = {key: value for key, value in result.params.items() if key in (LANGUAGE, FIELD)}
    return words.parameters({key: value for key, value in given.items() if f"{key}-" in result.id})


def unusual_in_words(perturbation: str, params: Mapping[str, object]) -> list[str]:
    """Parameters that differ from the defaults, in words."""
    known = members().get(perturbation)
    return words.parameters(words.unusual(params, {} if known is None else _usual(perturbation, known.function)))


@cache
def _usual(perturbation: str, _defined_by: object) -> Mapping[str, object]:
    found = members()[perturbation]
    return {"rate": found.rate, **found.params, **{name: found.params[name].name for name in found.resources()}}


def _configure(plan: PerturbationPlan, case: Case, resources: ResourceFinder) -> Perturbation:
    try:
        return resources.configured(plan.perturbation, plan.params)
    except AbaloError as error:
        raise AbaloError(f"{case.id} {error}") from error


PROBE = PerturbationProbe()
