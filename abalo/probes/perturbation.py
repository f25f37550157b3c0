"""Examples perturbed once per seed, by draws from the catalogue."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, Literal, get_args

from abalo.attacks import attacks
from abalo.core import words
from abalo.core.entries import Entries
from abalo.core.evidence import Evidence
from abalo.core.plan import Plan
from abalo.core.probe import Case, Probe, Ran, RunContext, Taught
from abalo.core.probe_report import ProbeReport
from abalo.core.reach import reach, worst
from abalo.core.settings import LANGUAGE, Entry, one_of
from abalo.core.task import Resources, Task, tasks
from abalo.core.value_schemas import schema_of_values
from abalo.core.verdicts import Bound
from abalo.errors import AbaloError
from abalo.probes.drawing import DRAWN_WITH, FIELD, NOT_HIT, UNCHANGED, Drawing, Wanted, lessons
from abalo.probes.meanings import EVERY_PERTURBATION
from abalo.probes.parameters import check_parameters
from abalo.promises import promises
from abalo.sources.resources import editions, masks_as_model, unfit
from abalo.validators.requirements import REQUIRE, check_required, shown_requirements
from perturbations import Perturbation, find, members
from perturbations.languages import ANY
from perturbations.levels import TargetLevel
from perturbations.perturbation import EXPERIMENTAL_IN
from perturbations.scripts import script_of

SpanSource = Literal["oracle", "predicted"]
"""Where targets come from: gold spans, or the model's own clean predictions [stage 4, "Span sources"]."""

SPAN_SOURCE = "span_source"

EXPERIMENTAL = "experimental"
"""The field of a result that says of which perturbations readers found many variants wrong, a sentence each."""


@dataclass(frozen=True, slots=True)
class PerturbationPlan(Plan):
    """A perturbation with its parameters.

    ``span_source`` is None for what is not aimed at spans. Variants that do not keep what is ``require``d, limits by
    validator, are filtered out. ``field`` says which fields of an example change; empty for the usual ones.
    """

    perturbation: Perturbation
    params: Mapping[str, Any] = field(default_factory=dict)
    span_source: SpanSource | None = None
    require: Mapping[str, Any] = field(default_factory=dict)
    field: str = ""

    @property
    def leading(self) -> Sequence[str]:
        """The span source."""
        return [] if self.span_source is None else [self.span_source]

    @property
    def shown(self) -> Mapping[str, Any]:
        """The parameters, the field and the requirements."""
        return {**self.params, **({FIELD: self.field} if self.field else {}), **shown_requirements(self.require)}

    @property
    def turns(self) -> bool:
        """Whether the perturbation does."""
        return self.perturbation.meaning == "turns"


class PerturbationEntries(Entries):
    """The entries of perturbations, each of which has a table."""

    def tables(self, task: Task) -> Sequence[str]:
        """A table for each perturbation that fits the task."""
        taken = {*attacks(), *promises()}
        return [name for name, member in members().items() if name not in taken and task.accepts(member)]

    def parameters(self, entry: Entry, task: Task) -> Sequence[str]:
        """Rate, own parameters, span source of what is aimed at spans, field where a case can choose, requirements."""
        member = find(entry.name)
        source = [SPAN_SOURCE] if isinstance(member, TargetLevel) else []
        return ["rate", *member.parameters(), *source, *field_key(task), REQUIRE]

    def described(self, table: str, task: Task) -> Mapping[str, Mapping[str, Any]]:
        """The types and defaults of the parameters; meanings of those that every perturbation has."""
        member, meanings = find(table), EVERY_PERTURBATION
        found = {"rate": {"type": "number", "minimum": 0, "maximum": 1, "default": member.rate}} | {
            name: schema_of_values(each.annotation) | _default(member.params.get(name))
            for name, each in member.parameters().items()
        }
        if isinstance(member, TargetLevel):
            found[SPAN_SOURCE] = {"enum": list(get_args(SpanSource)), "default": "oracle"}
        found |= described_fields(task) | {REQUIRE: {"type": "object"}}
        return {name: each | _meaning(name, meanings) for name, each in found.items()}

    def refused_settings(self, entry: Entry, task: Task) -> Mapping[str, str]:
        """The span source of what is not aimed at spans."""
        if isinstance(find(entry.name), TargetLevel):
            return {}
        return {SPAN_SOURCE: f"{entry.name} is not aimed at spans; leave it out"}

    def parse(self, entry: Entry, task: Task) -> Sequence[Plan]:
        """The one plan of an entry."""
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
        """The view of the task, another where whole labelled spans may change their length."""
        assert isinstance(plan, PerturbationPlan)
        return task.resized_view if plan.perturbation.resizes else task.usual_view

    def skipped(self, plan: Plan, language: str) -> str | None:
        """It is for other languages, or needs a model and names none."""
        assert isinstance(plan, PerturbationPlan)
        return unfit(plan.perturbation, plan.params, language)


class PerturbationReport(ProbeReport):
    """Perturbations in reports."""

    def title(self, result: Mapping[str, Any]) -> str:
        """The title of the perturbation."""
        return titled(result["perturbation"])

    def settings(self, result: Mapping[str, Any]) -> Sequence[str]:
        """Span source, first so that no cut hides it, parameters that are not as usual, and doubts of readers."""
        source = [f"{result[SPAN_SOURCE]} spans"] if result.get(SPAN_SOURCE) is not None else []
        params = {name: value for name, value in result["params"].items() if name not in (LANGUAGE, FIELD)}
        return [*source, *doubted(result), *unusual_in_words(result["perturbation"], params), *told(result)]

    def remarks(self, results: Sequence[Mapping[str, Any]], document: Mapping[str, Any]) -> Sequence[str]:
        """The perturbations of which readers found many variants wrong."""
        return remarks_of_readers(results)

    def remedy(self, result: Mapping[str, Any], task: Task) -> str:
        """Training data with such variants."""
        return trained_on(task)


class DrawnProbe(Probe):
    """Examples changed at random, seed by seed, against gold and against the clean predictions."""

    teaches = redrawn = True
    result_fields: ClassVar[Mapping[str, Any]] = {
        REQUIRE: [],
        "filtered": 0,
        EXPERIMENTAL: [],
        **UNCHANGED,
        DRAWN_WITH: {},
    }

    @abstractmethod
    def begun(self, case: Case, session: RunContext) -> Drawing:
        """The variants of the case, none of them drawn yet."""

    def run(self, case: Case, session: RunContext, search: Any = None) -> Ran:
        """One outcome per seed and example, seed by seed, each in the order of the corpus."""
        return self.begun(case, session).whole()

    def undecidable(self, case: Case, bound: Bound, evidence: Evidence) -> str | None:
        """Why no example was changed; None where one was."""
        if evidence.changed.any():
            return None
        if evidence.notes.get("filtered"):
            return "no variant is as required"
        if NOT_HIT not in evidence.notes:
            return "no sentence was changed"
        return "chance has hit no sentence" if evidence.notes[NOT_HIT] else "nothing fits in any sentence"

    def out_of_reach(self, case: Case, bound: Bound, evidence: Evidence) -> str | None:
        """Why no value that is possible here breaks a bound on a number over all examples; None where one does."""
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
        said = (
            f"at {end} {value:.3f} is possible here, {changed:,} of {evidence.distinct:,} distinct {task.noun}s changed"
        )
        fewer = over_changed is not None and changed < evidence.distinct
        asked = f"{bound.side}_{bound.metric}_changed = {bound.limit:g}" if fewer else None
        return f"{said}; {asked} asks it of those" if asked and bound.type is None else said

    def reach(self, case: Case, evidence: Evidence, task: Task) -> float:
        """How far the score over all can drop if all changed examples are lost; NaN of a task without such a drop."""
        drop = task.metrics().get(f"{task.floor}_drop")
        return math.nan if drop is None else reach(drop, evidence, case.view)


class PerturbationProbe(DrawnProbe):
    """Perturbed examples, against gold and against the clean predictions."""

    name = "perturbation"
    entries = PerturbationEntries()
    report = PerturbationReport()
    result_fields: ClassVar[Mapping[str, Any]] = {"kind": None, SPAN_SOURCE: None, **DrawnProbe.result_fields}

    def ahead(self, plan: Plan) -> bool:
        """Variants that are drawn from texts alone, and filtered by nothing."""
        assert isinstance(plan, PerturbationPlan)
        return plan.perturbation.cost == "text" and not plan.require

    def begun(self, case: Case, session: RunContext) -> Drawing:
        """The variants of the case, none of them drawn yet."""
        assert isinstance(case.plan, PerturbationPlan)
        plan = case.plan
        configured = _configured(plan, case, session.resources)
        params = session.resources.named(plan.perturbation, plan.params)
        facts = {
            "kind": plan.perturbation.kind,
            SPAN_SOURCE: plan.span_source,
            EXPERIMENTAL: doubts([(plan.perturbation, params)], session),
            DRAWN_WITH: editions(configured),
        }
        return Drawing(case, session, Wanted(configured, params, plan.require, facts, plan.span_source, plan.field))

    def lessons(self, case: Case, session: RunContext, seed: int, most: int) -> Sequence[Taught]:
        """Variants."""
        assert isinstance(case.plan, PerturbationPlan)
        plan = case.plan
        made, aimed = _configured(plan, case, session.resources), plan.span_source is not None
        return lessons(case, made, session, seed, most, plan.require, aimed=aimed, field=plan.field)

    def variants_from_model(self, case: Case) -> bool:
        """They are aimed at predicted spans, or words are masked as the model does."""
        assert isinstance(case.plan, PerturbationPlan)
        plan = case.plan
        return plan.span_source == "predicted" or masks_as_model(plan.perturbation, plan.params)


def described_fields(task: Task) -> dict[str, dict[str, Any]]:
    """The values of the key that says which fields change, where cases of the task can choose."""
    return {FIELD: {"enum": list(task.fields.choices)}} if task.fields.choices else {}


def _default(value: Any) -> dict[str, Any]:
    return {"default": value} if isinstance(value, str | int | float) else {}


def _meaning(name: str, meanings: Mapping[str, str]) -> dict[str, str]:
    return {"description": meanings[name]} if name in meanings else {}


def field_key(task: Task) -> Sequence[str]:
    """The key that says which fields change, where cases of the task can choose."""
    return [FIELD] if task.fields.choices else []


def checked_field(field: Any, task: Task, entry: Entry) -> str:
    """The choice of fields that an entry names; empty, and a problem more, for one that there is not."""
    if field == "" or field in task.fields.choices:
        return str(field)
    entry.problem(f"{field!r}; expected {one_of(tuple(task.fields.choices)).words}", FIELD)
    return ""


def doubts(steps: Iterable[tuple[Perturbation, Mapping[str, Any]]], session: RunContext) -> list[str]:
    """The perturbations, given with their parameters, that are experimental in the language or script of the corpus."""
    language, script = session.resources.language, _script(session)
    said = (member.experimental(_spoken(params, language), script) for member, params in steps)
    return [each for each in dict.fromkeys(said) if each]


_LOOKED_AT = 50
"""Examples whose letters tell the script of a corpus."""


def _script(session: RunContext) -> str:
    return script_of(example.whole.text for example in session.examples[:_LOOKED_AT])


def _spoken(params: Mapping[str, Any], language: str) -> str:
    """The language that a perturbation is set to, else that of the corpus."""
    own = params.get(LANGUAGE, language)
    return language if own == ANY else own


def doubted(result: Mapping[str, Any]) -> list[str]:
    """The word for a case that is experimental in its language; a script that nobody has read is only a remark."""
    return [EXPERIMENTAL] if any(EXPERIMENTAL_IN in said for said in result.get(EXPERIMENTAL) or ()) else []


def remarks_of_readers(results: Sequence[Mapping[str, Any]]) -> list[str]:
    """The doubts of readers about the perturbations of these results, each once."""
    return [f"{each}." for each in dict.fromkeys(said for result in results for said in result.get(EXPERIMENTAL) or ())]


def trained_on(task: Task) -> str:
    """The way to a model that bears variants better; training data can be written where spans are labelled."""
    train = f"Train on {task.noun}s that were changed in this way"
    return f"{train}: abalo augment TRAIN --out FILE writes them." if task.labelled == "spans" else f"{train}, too."


def titled(perturbation: str) -> str:
    """The title of a perturbation; the name in words if it is not known here, as one of another's extension."""
    known = members().get(perturbation)
    return words.sentence_case(words.spoken(perturbation)) if known is None else known.title


def told(result: Mapping[str, Any]) -> list[str]:
    """The language and the field, if the case itself gives them."""
    given = {key: value for key, value in result["params"].items() if key in (LANGUAGE, FIELD)}
    return words.parameters({key: value for key, value in given.items() if f"{key}-" in result["id"]})


def unusual_in_words(perturbation: str, params: Mapping[str, Any]) -> list[str]:
    """The parameters of a perturbation that are not as usual, in words."""
    return words.parameters(words.unusual(params, _usual(perturbation)))


@cache
def _usual(perturbation: str) -> Mapping[str, Any]:
    """The rate and the parameters of a perturbation unless a case says otherwise."""
    found = members().get(perturbation)
    if found is None:
        return {}
    return {"rate": found.rate, **found.params, **{name: found.params[name].name for name in found.resources()}}


def _configured(plan: PerturbationPlan, case: Case, resources: Resources) -> Perturbation:
    try:
        return resources.configured(plan.perturbation, plan.params)
    except AbaloError as error:
        raise AbaloError(f"{case.id} {error}") from error


PROBE = PerturbationProbe()
