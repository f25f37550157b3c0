"""Perturbations in turn, named one by one or drawn from the catalogue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from abalo.core import words
from abalo.core.entries import Entries
from abalo.core.gate import AUTO, UNDETERMINED
from abalo.core.plan import Plan, ascii_words
from abalo.core.probe import Case, RunContext, Taught
from abalo.core.probe_report import ProbeReport
from abalo.core.settings import LANGUAGE, Entry, Problems, is_whole
from abalo.core.task import Task
from abalo.errors import AbaloError
from abalo.probes.drawing import DRAWN_WITH, FIELD, Drawing, Wanted, lessons
from abalo.probes.meanings import OF_PIPELINES
from abalo.probes.parameters import check_named, check_parameter
from abalo.probes.perturbation import (
    EXPERIMENTAL,
    DrawnProbe,
    checked_field,
    described_fields,
    doubted,
    doubts,
    field_key,
    remarks_of_readers,
    titled,
    told,
    trained_on,
    unusual_in_words,
)
from abalo.sources.resources import corpus_is, editions, masks_as_model, unfit
from abalo.validators.requirements import REQUIRE, check_required, shown_requirements
from perturbations import Perturbation, Pipeline, UnknownPerturbation, find, members
from perturbations.pipelines import combinations, languages, sampled_combinations
from perturbations.suggestions import did_you_mean

PIPELINE = "pipeline"
"""The name of the table."""

STEPS = "steps"
"""The parameter that holds the steps: names, or tables of a name and parameters."""

_SAMPLED, _OF = "sampled", "of"

KEYS = (STEPS, _SAMPLED, _OF, LANGUAGE)
"""The keys of an entry besides settings and bounds: the steps, or how many combinations of how many to draw."""

SIZES = {2: "pairs", 3: "triples"}

_EXAMPLE = 'such as steps = ["accents", {name = "character_noise", rate = 0.05}]'


@dataclass(frozen=True, slots=True)
class Read:
    """A pipeline, and its steps as the file has them, or would have.

    ``languages`` are those of the corpora that it was drawn for, none where it was not drawn.
    """

    pipeline: Pipeline
    steps: list[Any]
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PipelinePlan(Plan):
    """Perturbations in turn; ``steps`` are as thresholds.toml writes them. Variants keep what is ``require``d.

    ``languages`` are those of the corpora that it was drawn for, none where it was not drawn. ``field`` is as in
    `PerturbationPlan`.
    """

    pipeline: Pipeline
    steps: Sequence[Any]
    require: Mapping[str, Any] = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    field: str = ""

    @property
    def params(self) -> Mapping[str, Any]:
        """The steps."""
        return {STEPS: self.steps}

    @property
    def leading(self) -> Sequence[str]:
        """The steps with their parameters."""
        return ["+".join(map(_words, self.steps))]

    @property
    def shown(self) -> Mapping[str, Any]:
        """The field and the requirements."""
        return {**({FIELD: self.field} if self.field else {}), **shown_requirements(self.require)}

    def members(self) -> Sequence[tuple[Perturbation, str, dict[str, Any]]]:
        """The perturbation of each step, the name it is given by, and its parameters."""
        return [(member, *step_of(step)) for member, step in zip(self.pipeline.steps, self.steps, strict=True)]


class PipelineEntries(Entries):
    """The entries of the one table of pipelines: steps, or how many combinations to draw."""

    def parameters(self, entry: Entry, task: Task) -> Sequence[str]:
        """Steps, or how many to draw, field where a case can choose, and requirements."""
        return (*KEYS, *field_key(task), REQUIRE)

    def described(self, table: str, task: Task) -> Mapping[str, Mapping[str, Any]]:
        """The types and meanings of the keys."""
        step = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}
        found: dict[str, dict[str, Any]] = {
            STEPS: {"type": "array", "items": {"anyOf": [{"type": "string"}, step]}, "minItems": 1},
            _SAMPLED: {"type": "integer", "minimum": 1},
            _OF: {"enum": list(SIZES)},
            LANGUAGE: {"type": "string"},
            **described_fields(task),
            REQUIRE: {"type": "object"},
        }
        return {name: {**each, "description": OF_PIPELINES[name]} for name, each in found.items()}

    def refused_settings(self, entry: Entry, task: Task) -> Mapping[str, str]:
        """The span source."""
        return {"span_source": "steps that are aimed at spans take the gold ones in a pipeline; leave it out"}

    def parse(self, entry: Entry, task: Task) -> Sequence[Plan]:
        """One plan for steps that are given, or as many as the entry asks to sample."""
        require = check_required(entry.values.get(REQUIRE, {}), f"{entry.place} {REQUIRE}", entry.problems)
        seeds = entry.settings.get("seeds", entry.gate.seeds)
        read = read_pipelines(entry.values, seeds[0], entry.gate.language, entry.place, entry.problems)
        field = checked_field(entry.values.get(FIELD, ""), task, entry)
        return [PipelinePlan(each.pipeline, each.steps, require, each.languages, field) for each in read]

    def usual_view(self, task: Task, plan: Plan) -> str:
        """The view of the task, another where whole labelled spans may change their length."""
        assert isinstance(plan, PipelinePlan)
        return task.resized_view if plan.pipeline.resizes else task.usual_view

    def skipped(self, plan: Plan, language: str) -> str | None:
        """It was drawn for other languages, a step is for others, or needs a model and names none."""
        assert isinstance(plan, PipelinePlan)
        if plan.languages and not set(plan.languages) & set(_possible(language)):
            return f"drawn for corpora in {' and '.join(map(_named, plan.languages))}; {corpus_is(language)}"
        reasons = ((name, unfit(member, params, language)) for member, name, params in plan.members())
        return next((reason if name in reason else f"{name}: {reason}" for name, reason in reasons if reason), None)


class PipelineReport(ProbeReport):
    """Pipelines in reports."""

    def settings(self, result: Mapping[str, Any]) -> Sequence[str]:
        """The steps, such as ``accents left out, then typos rate 0.1``, and doubts of readers."""
        steps = map(step_of, result["params"][STEPS])
        said = [
            " ".join(
                [words.inline(titled(name)), *unusual_in_words(name, {key: own[key] for key in own if key != LANGUAGE})]
            )
            for name, own in steps
        ]
        return [", then ".join(said), *doubted(result), *told(result)]

    def remarks(self, results: Sequence[Mapping[str, Any]], document: Mapping[str, Any]) -> Sequence[str]:
        """The perturbations of which readers found many variants wrong."""
        return remarks_of_readers(results)

    def remedy(self, result: Mapping[str, Any], task: Task) -> str:
        """Training data with such variants."""
        return trained_on(task)


class PipelineProbe(DrawnProbe):
    """Examples perturbed by several perturbations in turn."""

    name = PIPELINE
    entries = PipelineEntries(PIPELINE)
    report = PipelineReport()

    def ahead(self, plan: Plan) -> bool:
        """Variants that are drawn from texts alone, and filtered by nothing."""
        assert isinstance(plan, PipelinePlan)
        return plan.pipeline.cost == "text" and not plan.require

    def begun(self, case: Case, session: RunContext) -> Drawing:
        """The variants of the case, none of them drawn yet."""
        assert isinstance(case.plan, PipelinePlan)
        plan, resources = case.plan, session.resources
        pipeline = _configured(plan, case, session)
        named = [(name, resources.named(member, params)) for member, name, params in plan.members()]
        params = {STEPS: [{"name": name, **params} if params else name for name, params in named]}
        steps = [(member, params) for (member, *_), (_, params) in zip(plan.members(), named, strict=True)]
        found = {
            f"{k} {name}": edition
            for k, step in enumerate(pipeline.steps, start=1)
            for name, edition in editions(step).items()
        }
        facts = {EXPERIMENTAL: doubts(steps, session), DRAWN_WITH: found}
        return Drawing(case, session, Wanted(pipeline, params, plan.require, facts, field=plan.field))

    def lessons(self, case: Case, session: RunContext, seed: int, most: int) -> Sequence[Taught]:
        """Variants."""
        assert isinstance(case.plan, PipelinePlan)
        made = _configured(case.plan, case, session)
        return lessons(case, made, session, seed, most, case.plan.require, field=case.plan.field)

    def variants_from_model(self, case: Case) -> bool:
        """A step masks words as the model does."""
        assert isinstance(case.plan, PipelinePlan)
        return any(masks_as_model(member, params) for member, _, params in case.plan.members())


def _configured(plan: PipelinePlan, case: Case, session: RunContext) -> Pipeline:
    try:
        return Pipeline(tuple(session.resources.configured(member, params) for member, _, params in plan.members()))
    except AbaloError as error:
        raise AbaloError(f"{case.id} {error}") from error


def step_of(step: Any) -> tuple[str, dict[str, Any]]:
    """Name and parameters of a step as thresholds.toml writes it: its name, or a table."""
    if isinstance(step, str):
        return step, {}
    return step["name"], {name: value for name, value in step.items() if name != "name"}


def _words(step: Any) -> str:
    name, params = step_of(step)
    shown = (f"{ascii_words(key)}-{ascii_words(value)}" for key, value in params.items())
    return ".".join([ascii_words(name), *shown])


def read_pipelines(entry: Mapping[str, Any], seed: int, language: str, place: str, problems: Problems) -> list[Read]:
    """The pipelines that an entry asks for; ``seed`` decides which are drawn. None where it has a problem.

    ``language`` is that of the corpus, for which they are drawn unless the entry gives another. Where it is not known
    yet, they are drawn for every language that it could be.
    """
    drawn = [key for key in (_SAMPLED, _OF, LANGUAGE) if key in entry]
    if STEPS in entry and drawn:
        problems.add(f"{place} {drawn[0]}", "the steps are given, so there is nothing to draw; leave one out")
    elif STEPS in entry:
        return _given(entry[STEPS], f"{place} {STEPS}", problems)
    elif _SAMPLED in entry:
        return _drawn(entry, seed, language, place, problems)
    else:
        problems.add(place, f"nothing to do in turn; give {STEPS}, {_EXAMPLE}, or {_SAMPLED} = 20 and {_OF} = 2")
    return []


def _given(steps: Any, place: str, problems: Problems) -> list[Read]:
    if not isinstance(steps, list) or len(steps) < 2:
        problems.add(place, f"{steps!r}; expected a list of two steps or more, {_EXAMPLE}")
        return []
    found = [_step(step, f"{place} number {number}", problems) for number, step in enumerate(steps, start=1)]
    members_found = tuple(member for member in found if member is not None)
    return [Read(Pipeline(members_found), steps)] if len(members_found) == len(steps) else []


def _step(step: Any, place: str, problems: Problems) -> Perturbation | None:
    """The perturbation of a step, its parameters checked; None where there is none of that name."""
    if not isinstance(step, str) and not (isinstance(step, dict) and isinstance(step.get("name"), str)):
        problems.add(place, f"{step!r}; expected a name, or a table with one, {_EXAMPLE}")
        return None
    name, params = step_of(step)
    try:
        member = find(name)
    except UnknownPerturbation:
        problems.add(place, f"{name!r}: no such perturbation{did_you_mean(name, members())}")
        return None
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


def _drawn(entry: Mapping[str, Any], seed: int, usual: str, place: str, problems: Problems) -> list[Read]:
    count, of, language = entry[_SAMPLED], entry.get(_OF, 2), entry.get(LANGUAGE, usual)
    wrong = []
    if not is_whole(of) or of not in SIZES:
        wrong.append((_OF, f"{of!r}; expected 2 or 3, for pairs or triples"))
    if LANGUAGE in entry and language not in languages():
        wrong.append((LANGUAGE, f"{language!r}; expected one of {', '.join(languages())}"))
    if not is_whole(count) or count < 1:
        wrong.append((_SAMPLED, f"{count!r}; expected a whole number from 1"))
    elif not wrong:
        there_are = max(len(list(islice(combinations(of, each), count))) for each in _possible(language))
        if there_are < count:
            wrong.append((_SAMPLED, f"{count}; the catalogue has {there_are:,} {SIZES[of]}"))
    for key, problem in wrong:
        problems.add(f"{place} {key}", problem)
    if wrong:
        return []
    if LANGUAGE in entry:
        drawn = sampled_combinations(count, of, seed=seed, language=language)
        return [Read(Pipeline(steps), [_written(member, language, usual) for member in steps]) for steps in drawn]
    found: dict[str, Read] = {}
    for each in _possible(language):
        for steps in sampled_combinations(count, of, seed=seed, language=each):
            names = [step.name for step in steps]
            drawn_for = found[str(names)].languages if str(names) in found else ()
            found[str(names)] = Read(Pipeline(steps), names, (*drawn_for, each))
    return list(found.values())


def _possible(language: str) -> Sequence[str]:
    """The languages of the catalogue that a corpus can be in, where `UNDETERMINED` stands for all others."""
    if language == AUTO:
        return (*languages(), UNDETERMINED)
    return (language if language in languages() else UNDETERMINED,)


def _named(language: str) -> str:
    return "other languages" if language == UNDETERMINED else language


def _written(member: Perturbation, language: str, usual: str) -> Any:
    """The step in the file: its name, and the language where it is another than that of the corpus."""
    plain = language == usual or LANGUAGE not in member.params
    return member.name if plain else {"name": member.name, LANGUAGE: language}


PROBE = PipelineProbe()
