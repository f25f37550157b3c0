"""Several perturbations in turn, named or drawn from the catalogue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Annotated, Any, Literal

from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.protocols.entries import Entries
from abalo.core.protocols.probe import Case, RunContext, Taught
from abalo.core.protocols.probe_report import ProbeReport
from abalo.core.protocols.task import Task
from abalo.core.records import words
from abalo.core.records.gate import AUTO, UNDETERMINED
from abalo.core.records.json_records import Positive
from abalo.core.records.settings import LANGUAGE, Entry, Problems
from abalo.core.records.values import AS_WHOLE, fits, schema_of
from abalo.core.statistics.plan import Plan, ascii_words
from abalo.errors import AbaloError
from abalo.probes.drawing import DRAWN_WITH, FIELD, Drawing, WantedVariants, lessons
from abalo.probes.meanings import OF_PIPELINES
from abalo.probes.parameters import check_named, check_parameter
from abalo.probes.perturbation import (
    EXPERIMENTAL,
    DrawnProbe,
    checked_field,
    described_fields,
    doubt_words,
    doubts,
    field_key,
    remarks_of_readers,
    settings_told,
    title_of,
    trained_on,
    unusual_in_words,
)
from abalo.sources.resources import corpus_is, editions, masks_as_model, why_unfit
from abalo.validators.requirements import REQUIRE, check_required, shown_requirements
from perturbations import Perturbation, Pipeline, UnknownPerturbation, find, members
from perturbations.pipelines import combinations, languages, sampled_combinations
from perturbations.suggestions import did_you_mean

PIPELINE = "pipeline"

STEPS = "steps"

_SAMPLED, _OF = "sampled", "of"

KEYS = (STEPS, _SAMPLED, _OF, LANGUAGE)

SIZES = {2: "pairs", 3: "triples"}

_SIZE: Any = Annotated[Literal[*SIZES], AS_WHOLE]

_EXAMPLE = 'such as steps = ["accents", {name = "character_noise", rate = 0.05}]'


@dataclass(frozen=True, slots=True)
class Read:
    """A pipeline and its steps; ``languages`` is empty if it was not drawn."""

    pipeline: Pipeline
    steps: list[Any]
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PipelinePlan(Plan):
    """A pipeline; ``steps`` are as in thresholds.toml, other fields as in `PerturbationPlan` and `Read`."""

    pipeline: Pipeline
    steps: Sequence[Any]
    require: Mapping[str, Any] = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    field: str = ""

    @property
    def params(self) -> Mapping[str, Any]:
        return {STEPS: self.steps}

    @property
    def leading(self) -> Sequence[str]:
        return ["+".join(map(_words, self.steps))]

    @property
    def shown(self) -> Mapping[str, object]:
        return {**({FIELD: self.field} if self.field else {}), **shown_requirements(self.require)}

    def members(self) -> Sequence[tuple[Perturbation, str, dict[str, object]]]:
        """Perturbation, name and parameters of each step."""
        return [(member, *step_of(step)) for member, step in zip(self.pipeline.steps, self.steps, strict=True)]


class PipelineEntries(Entries):
    """Entries of pipelines."""

    def parameters(self, entry: Entry, task: Task) -> Sequence[str]:
        return (*KEYS, *field_key(task), REQUIRE)

    def described(self, table: str, task: Task) -> Mapping[str, Mapping[str, object]]:
        step = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}
        found: dict[str, dict[str, Any]] = {
            STEPS: {"type": "array", "items": {"anyOf": [{"type": "string"}, step]}, "minItems": 1},
            _SAMPLED: schema_of(Positive),
            _OF: schema_of(_SIZE),
            LANGUAGE: {"type": "string"},
            **described_fields(task),
            REQUIRE: {"type": "object"},
        }
        return {name: {**each, "description": OF_PIPELINES[name]} for name, each in found.items()}

    def refused_settings(self, entry: Entry, task: Task) -> Mapping[str, str]:
        return {"span_source": "steps that are aimed at spans take the gold ones in a pipeline; leave it out"}

    def parse(self, entry: Entry, task: Task) -> Sequence[Plan]:
        require = check_required(entry.values.get(REQUIRE, {}), f"{entry.place} {REQUIRE}", entry.problems)
        seeds = entry.settings.get("seeds", entry.gate.seeds)
        read = read_pipelines(entry, seeds[0], task)
        field = checked_field(entry.values.get(FIELD, ""), task, entry)
        return [PipelinePlan(each.pipeline, each.steps, require, each.languages, field) for each in read]

    def usual_view(self, task: Task, plan: Plan) -> str:
        assert isinstance(plan, PipelinePlan)
        return task.resized_view if plan.pipeline.resizes else task.usual_view

    def skipped(self, plan: Plan, language: str) -> str | None:
        assert isinstance(plan, PipelinePlan)
        if plan.languages and not set(plan.languages) & set(_possible(language)):
            return f"drawn for corpora in {' and '.join(map(_language_name, plan.languages))}; {corpus_is(language)}"
        reasons = ((name, why_unfit(member, params, language)) for member, name, params in plan.members())
        return next((reason if name in reason else f"{name}: {reason}" for name, reason in reasons if reason), None)


class PipelineReport(ProbeReport):
    """Pipelines in reports."""

    def settings(self, result: Result) -> Sequence[str]:
        steps = map(step_of, result.params[STEPS])
        said = [
            " ".join(
                [
                    words.inline(title_of(name)),
                    *unusual_in_words(name, {key: own[key] for key in own if key != LANGUAGE}),
                ]
            )
            for name, own in steps
        ]
        return [", then ".join(said), *doubt_words(result), *settings_told(result)]

    def remarks(self, results: Sequence[Result], document: Document) -> Sequence[str]:
        return remarks_of_readers(results)

    def remedy(self, result: Result, task: Task) -> str:
        return trained_on(task)


class PipelineProbe(DrawnProbe):
    """Perturbs examples by several perturbations in turn."""

    name = PIPELINE
    entries = PipelineEntries(PIPELINE)
    report = PipelineReport()

    def ahead(self, plan: Plan) -> bool:
        assert isinstance(plan, PipelinePlan)
        return plan.pipeline.cost == "text" and not plan.require

    def begun(self, case: Case, engine: RunContext) -> Drawing:
        assert isinstance(case.plan, PipelinePlan)
        plan, resources = case.plan, engine.resources
        pipeline = _configure(plan, case, engine)
        named = [(name, resources.named(member, params)) for member, name, params in plan.members()]
        params = {STEPS: [{"name": name, **params} if params else name for name, params in named]}
        steps = [(member, params) for (member, *_), (_, params) in zip(plan.members(), named, strict=True)]
        found = {
            f"{k} {name}": edition
            for k, step in enumerate(pipeline.steps, start=1)
            for name, edition in editions(step).items()
        }
        facts = {EXPERIMENTAL: doubts(steps, engine), DRAWN_WITH: found}
        return Drawing(case, engine, WantedVariants(pipeline, params, plan.require, facts, field=plan.field))

    def lessons(self, case: Case, engine: RunContext, seed: int, most: int) -> Sequence[Taught]:
        assert isinstance(case.plan, PipelinePlan)
        made = _configure(case.plan, case, engine)
        return lessons(case, made, engine, seed, most, case.plan.require, field=case.plan.field)

    def variants_from_model(self, case: Case) -> bool:
        assert isinstance(case.plan, PipelinePlan)
        return any(masks_as_model(member, params) for member, _, params in case.plan.members())


def _configure(plan: PipelinePlan, case: Case, engine: RunContext) -> Pipeline:
    try:
        return Pipeline(tuple(engine.resources.configured(member, params) for member, _, params in plan.members()))
    except AbaloError as error:
        raise AbaloError(f"{case.id} {error}") from error


def step_of(step: Any) -> tuple[str, dict[str, object]]:
    """Name and parameters of a step."""
    if isinstance(step, str):
        return step, {}
    return step["name"], {name: value for name, value in step.items() if name != "name"}


def _words(step: object) -> str:
    name, params = step_of(step)
    shown = (f"{ascii_words(key)}-{ascii_words(value)}" for key, value in params.items())
    return ".".join([ascii_words(name), *shown])


def read_pipelines(entry: Entry, seed: int, task: Task) -> list[Read]:
    """The pipelines of an entry, drawn by ``seed`` for its language or every possible one; empty after a problem."""
    given, place, problems = entry.values, entry.place, entry.problems
    drawn = [key for key in (_SAMPLED, _OF, LANGUAGE) if key in given]
    if STEPS in given and drawn:
        problems.add(f"{place} {drawn[0]}", "the steps are given, so there is nothing to draw; leave one out")
    elif STEPS in given:
        return _read_given(given[STEPS], f"{place} {STEPS}", problems, task)
    elif _SAMPLED in given:
        return _draw_pipelines(entry, seed, task)
    else:
        problems.add(place, f"nothing to do in turn; give {STEPS}, {_EXAMPLE}, or {_SAMPLED} = 20 and {_OF} = 2")
    return []


def _read_given(steps: object, place: str, problems: Problems, task: Task) -> list[Read]:
    if not isinstance(steps, list) or len(steps) < 2:
        problems.add(place, f"{steps!r}; expected a list of two steps or more, {_EXAMPLE}")
        return []
    found = [_step(step, f"{place} number {number}", problems, task) for number, step in enumerate(steps, start=1)]
    members_found = tuple(member for member in found if member is not None)
    return [Read(Pipeline(members_found), steps)] if len(members_found) == len(steps) else []


def _step(step: object, place: str, problems: Problems, task: Task) -> Perturbation | None:
    if not isinstance(step, str) and not (isinstance(step, dict) and isinstance(step.get("name"), str)):
        problems.add(place, f"{step!r}; expected a name, or a table with one, {_EXAMPLE}")
        return None
    name, params = step_of(step)
    try:
        member = find(name)
    except UnknownPerturbation:
        problems.add(place, f"{name!r}: no such perturbation{did_you_mean(name, members())}")
        return None
    if not task.accepts(member):
        problems.add(place, f"{name!r} does nothing to examples of the task {task.name}; leave it out")
    if member.name != name:
        problems.add(place, f"{name!r} is called {member.name!r} here; write {member.name!r}")
    for key, value in params.items():
        known = ["rate", *member.parameters()]
        if key in known:
            check_parameter(member, key, value, f"{place} {key}", problems, params.get(LANGUAGE))
        else:
            near = did_you_mean(key, known)
            problems.add(f"{place} {key}", f"no such parameter of {name}{near}; there are {', '.join(known)}")
    check_named(member, params, place, problems)
    return member


def _draw_pipelines(entry: Entry, seed: int, task: Task) -> list[Read]:
    given, usual, place = entry.values, entry.gate.language, entry.place
    count, of, language = given[_SAMPLED], given.get(_OF, 2), given.get(LANGUAGE, usual)
    wrong = []
    if not fits(of, _SIZE):
        wrong.append((_OF, f"{of!r}; expected 2 or 3, for pairs or triples"))
    if LANGUAGE in given and language not in languages():
        wrong.append((LANGUAGE, f"{language!r}; expected one of {', '.join(languages())}"))
    if not fits(count, Positive):
        wrong.append((_SAMPLED, f"{count!r}; expected a whole number from 1"))
    elif not wrong:
        count, of = int(count), int(of)
        there_are = max(len(list(islice(combinations(of, each, task.accepts), count))) for each in _possible(language))
        if there_are < count:
            wrong.append((_SAMPLED, f"{count}; the catalogue has {there_are:,} {SIZES[of]}"))
    for key, problem in wrong:
        entry.problems.add(f"{place} {key}", problem)
    if wrong:
        return []
    if LANGUAGE in given:
        drawn = sampled_combinations(count, of, language, task.accepts, seed=seed)
        return [Read(Pipeline(steps), [_write_step(member, language, usual) for member in steps]) for steps in drawn]
    found: dict[str, Read] = {}
    for each in _possible(language):
        for steps in sampled_combinations(count, of, each, task.accepts, seed=seed):
            names = [step.name for step in steps]
            drawn_for = found[str(names)].languages if str(names) in found else ()
            found[str(names)] = Read(Pipeline(steps), names, (*drawn_for, each))
    return list(found.values())


def _possible(language: str) -> Sequence[str]:
    if language == AUTO:
        return (*languages(), UNDETERMINED)
    return (language if language in languages() else UNDETERMINED,)


def _language_name(language: str) -> str:
    return "other languages" if language == UNDETERMINED else language


def _write_step(member: Perturbation, language: str, usual: str) -> object:
    plain = language == usual or LANGUAGE not in member.params
    return member.name if plain else {"name": member.name, LANGUAGE: language}


PROBE = PipelineProbe()
