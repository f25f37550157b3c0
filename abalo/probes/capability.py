"""Filled templates that test what a model can do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from statistics import NormalDist
from typing import Any

from abalo.capabilities import blocks as report
from abalo.capabilities.capability import SETTINGS, Capability, read, slots_in
from abalo.capabilities.drawing import Drawn, TemplateStratum, draw_strata
from abalo.capabilities.expectations import Pair, Undecided
from abalo.capabilities.facts import CapabilityFields
from abalo.capabilities.fillers import Means
from abalo.core.protocols.entries import Entries
from abalo.core.protocols.predictor import Predictor
from abalo.core.protocols.probe import Case, Probe, Ran, RunContext, Taught
from abalo.core.protocols.probe_report import CleanReport
from abalo.core.protocols.task import Task
from abalo.core.protocols.units import check_of
from abalo.core.records.example import JsonObject
from abalo.core.records.gate import AUTO, Gate
from abalo.core.records.outcome import Check, Outcome
from abalo.core.records.rounding import ROUNDING
from abalo.core.records.settings import Entry
from abalo.core.statistics import few_events
from abalo.core.statistics.estimates import Estimate, Measurement
from abalo.core.statistics.evidence import EXIST, Evidence
from abalo.core.statistics.few_events import FEW, Ends, Few, few_in_strata, few_mean
from abalo.core.statistics.metrics import Floats, Metric
from abalo.core.statistics.passing import CAPABILITY, PASS_RATE
from abalo.core.statistics.plan import Plan
from abalo.core.statistics.verdicts import Bound, Judgement, Verdict
from abalo.errors import AbaloError
from abalo.sources.resources import other_language

_KEPT = 12


class CapabilityEntries(Entries):
    """Entries of capabilities."""

    def tables(self, task: Task) -> Sequence[str]:
        return (CAPABILITY,) if task.templates.fields else ()

    def parameters(self, entry: Entry, task: Task) -> Sequence[str]:
        return [*SETTINGS, *slots_in(entry.values)]

    def described(self, table: str, task: Task) -> Mapping[str, Mapping[str, object]]:
        slots = {"description": "Values of the slot of this name in the templates: a list, or the name of a list."}
        return {name: each.described() for name, each in SETTINGS.items()} | {"": slots}

    def refused_settings(self, entry: Entry, task: Task) -> Mapping[str, str]:
        return {
            "view": "fillings are compared with their own gold; leave it out",
            "seeds": "fillings are drawn under the first seed of the run; leave it out",
            "limit": 'limits a corpus; write "sample" for the number of fillings',
            "span_source": "a capability is not aimed at spans; leave it out",
        }

    def parse(self, entry: Entry, task: Task) -> Sequence[Plan]:
        found = read(entry, task)
        return () if found is None else (found,)

    def refused_bounds(self, bounds: Sequence[Bound], plan: Plan, task: Task) -> Iterator[tuple[str, str]]:
        for bound in bounds:
            if bound.type is not None:
                yield f"{bound.name} {bound.type}", "a bound is about all templates; make a capability of the one"

    def skipped(self, plan: Plan, language: str) -> str | None:
        own = _capability(plan).language
        return None if not own or language == AUTO else other_language((own,), language)


class CapabilityReport(CleanReport):
    """Capabilities in reports."""

    tabled = True

    def scores(self, task: Task) -> Sequence[str]:
        return (PASS_RATE.name,)

    title = staticmethod(report.title)
    extent = staticmethod(report.extent)
    remedy = staticmethod(report.remedy)
    findings = staticmethod(report.findings)
    detail = staticmethod(report.detail)


class CapabilityProbe(Probe):
    """Fills templates and judges each filling by its gold, or by what may change between two of them.

    Intervals treat templates as fixed. If all fillings were run, the number itself decides.
    """

    name = CAPABILITY
    entries = CapabilityEntries(CAPABILITY)
    report = CapabilityReport()
    result_fields = CapabilityFields
    perturbs = False
    scored = False
    apart = True

    def asked(self, case: Case, engine: RunContext) -> int:
        plan = _capability(case.plan)
        return plan.sample * (2 if plan.change else 1)

    def drawn_under(self, case: Case, seeds: Sequence[int]) -> Sequence[int]:
        return seeds[:1]

    def run(self, case: Case, engine: RunContext, search: object = None) -> Ran:
        plan, seed = _capability(case.plan), engine.seeds_of(case)[0]
        strata = draw_strata(plan, engine.task, engine.corpus, engine.examples, _means(plan, engine), seed)
        fillings = [each for stratum in strata for each in stratum.drawn]
        sides = [side for each in fillings for side in (each.before, each.after) if side is not None]
        foreign = engine.task.templates.foreign(sides, {each.label for each in fillings} - {""}, engine)
        if foreign and not plan.ships:
            raise AbaloError(f"[[{case.task}.{CAPABILITY}]] {plan.name!r}: {foreign}; correct the templates")
        inputs = [engine.task.input(side.example) for side in sides]

        def outcomes_of(predictions: Sequence[object], scale: object) -> list[Outcome]:
            answers = iter(predictions)
            return [
                _outcome(each, plan, engine.task, next(answers), next(answers) if each.after else None, scale, seed)
                for each in fillings
            ]

        def again(other: Predictor[Any, Any]) -> list[Outcome]:
            return outcomes_of(other.ask(inputs), engine.predictor.scale())

        predicted = engine.predictor.predict(inputs)
        outcomes = outcomes_of(predicted.predictions, engine.predictor.scale())
        notes = {f"{EXIST}{stratum.name}": stratum.exist for stratum in strata}
        found = Ran(
            outcomes,
            plan.params,
            (seed,),
            {"sentences": len(outcomes), "distinct": len(outcomes), "changed": 0, "variants": 0},
            predicted.inputs,
            facts={CAPABILITY: _facts(plan, strata, outcomes, foreign, with_text=engine.with_text)},
            notes=notes | ({_FOREIGN: 1} if foreign else {}),
            again=again,
        )
        return replace(found, join=lambda repeats: _join(found, repeats, with_text=engine.with_text))

    def lessons(self, case: Case, engine: RunContext, seed: int, most: int) -> Sequence[Taught]:
        plan = replace(_capability(case.plan), sample=most)
        strata = draw_strata(plan, engine.task, engine.corpus, engine.examples, _means(plan, engine), seed)
        sides = [side for stratum in strata for each in stratum.drawn for side in (each.before, each.after)]
        return [Taught(side.example, None) for side in sides if side is not None][:most]

    def meaningless(self, metric: Metric, task: Task) -> str | None:
        return None if metric.name == PASS_RATE.name else f"says nothing of fillings; write min_{PASS_RATE.name}"

    def measure(self, case: Case, evidence: Evidence, task: Task, gate: Gate) -> Mapping[str, Measurement]:
        plain = super().measure(case, evidence, task, gate)
        return {view: _with_strata(each, evidence, gate) for view, each in plain.items()}

    def undecidable(self, case: Case, bound: Bound, evidence: Evidence) -> str | None:
        if evidence.notes.get(_FOREIGN):
            return "its templates have labels that neither corpus nor model has"
        if not _counts(evidence)[:, 0, 1].any():
            return "the model gives no confidence, which is what the capability is about"
        return None

    def decided(self, bound: Bound, metric: Metric, evidence: Evidence, estimate: Estimate) -> Judgement | None:
        if metric.name != PASS_RATE.name or not evidence.whole:
            return None
        if metric.keeps(bound.side, bound.limit):
            return None
        excess = bound.excess(estimate.value)
        verdict: Verdict = "fail" if excess > ROUNDING else "pass"
        detectable_loss = max(0.0, -excess)
        return Judgement(
            bound,
            estimate,
            verdict,
            verdict,
            float(verdict == "pass"),
            unit="fillings",
            detectable_loss=detectable_loss,
        )

    def compared_by(self, task: Task) -> str | None:
        return PASS_RATE.name

    def variants_from_model(self, case: Case) -> bool:
        return False

    def unit(self, task: Task) -> str:
        return "fillings"

    def headline(self, task: Task) -> str:
        return PASS_RATE.name


_FOREIGN = "foreign"


def _capability(plan: Plan) -> Capability:
    assert isinstance(plan, Capability)
    return plan


def _means(plan: Capability, engine: RunContext) -> Means:
    return Means.of(plan.language or engine.language, partial(_resource, engine), plan.folder)


def _resource(engine: RunContext, name: str, kind: type) -> object:
    try:
        return engine.resources.called(name, kind)
    except TypeError as error:
        raise AbaloError(f"{name}: {error}; list the values") from error


def _outcome(
    each: Drawn, plan: Capability, task: Task, first: object, second: object, scale: object, seed: int
) -> Outcome:
    before, after, templates = each.before, each.after, task.templates
    example = replace(before.example, id=each.id, cluster=each.id)
    if after is None:
        fault = templates.fault(before, first)
        shown = (
            ("right", templates.said(before.example)),
            ("predicted", templates.said(before.example, first)),
        )
        return Outcome(example, seed, first, None, first, scale, check=Check(each.stratum, fault, each.values, shown))
    decided, fault = True, ""
    try:
        fault = plan.expectation.fault(Pair(before, first, after, second, scale), task, each.label)
    except Undecided:
        decided = False
    except ValueError as error:
        raise AbaloError(f"[[{task.name}.{CAPABILITY}]] {plan.name!r}: {error}; correct the templates") from error
    shown = (
        ("original", templates.said(before.example, first)),
        ("perturbed", templates.said(after.example, second)),
    )
    check = Check(each.stratum, fault, each.values, shown, decided)
    return Outcome(example, seed, first, templates.variant(before, after), second, scale, check=check)


def _join(ran: Ran, repeats: Sequence[Sequence[Outcome]], *, with_text: bool) -> Ran:
    """Takes the check of most repeats; a tie passes."""
    outcomes = [_usual_outcome(each) for each in zip(*repeats, strict=True)]
    facts = ran.facts[CAPABILITY]
    found = _checks(outcomes, [each["name"] for each in facts["templates"]], with_text=with_text)
    templates = [{**each, **new} for each, new in zip(facts["templates"], found["templates"], strict=True)]
    return replace(ran, outcomes=outcomes, facts={CAPABILITY: {**facts, **found, "templates": templates}}, again=None)


def _usual_outcome(repeats: Sequence[Outcome]) -> Outcome:
    faulty = [each for each in repeats if check_of(each).fault]
    return faulty[0] if 2 * len(faulty) > len(repeats) else next(each for each in repeats if each not in faulty)


def _facts(
    plan: Capability, strata: Sequence[TemplateStratum], outcomes: Sequence[Outcome], foreign: str, *, with_text: bool
) -> JsonObject:
    found = _checks(outcomes, [stratum.name for stratum in strata], with_text=with_text)
    return {
        "name": plan.name,
        "capability": plan.row,
        "kind": plan.kind,
        "change": plan.change or None,
        "expect": plan.expect or None,
        "exist": sum(stratum.exist for stratum in strata),
        "run": len(outcomes),
        **found,
        "census": all(stratum.census for stratum in strata),
        "foreign": foreign or None,
        "templates": [
            {
                "name": stratum.name,
                "template": stratum.written,
                "exist": stratum.exist,
                "run": len(stratum.drawn),
                **own,
            }
            for stratum, own in zip(strata, found["templates"], strict=True)
        ],
    }


def _checks(outcomes: Sequence[Outcome], templates: Sequence[str], *, with_text: bool) -> JsonObject:
    checks = [check_of(outcome) for outcome in outcomes]
    broken = {name: [each for each in checks if each.stratum == name and each.fault] for name in templates}
    return {
        "failed": sum(map(len, broken.values())),
        "undecided": sum(not each.decided for each in checks),
        "templates": [{"failed": len(broken[name])} for name in templates],
        "failures": [_failure(each) for each in _spread(broken.values())] if with_text else [],
    }


def _spread(broken: Iterable[Sequence[Check]]) -> list[Check]:
    parts = list(broken)
    turns = max(map(len, parts), default=0)
    return [part[turn] for turn in range(turns) for part in parts if turn < len(part)][:_KEPT]


def _failure(check: Check) -> JsonObject:
    return {
        "template": check.stratum,
        "values": dict(check.values),
        "fault": check.fault,
        "shown": [{"which": which, "text": text} for which, text in check.shown],
    }


def _strata(evidence: Evidence, training: int = 0) -> list[few_events.Stratum]:
    own = evidence.only(evidence.trainings == training)
    found = []
    for k, group in enumerate(own.groups, start=1):
        passed, run = map(int, _counts(own)[:, k].sum(axis=0))
        held = int((own.held[:, k - 1] > 0).sum())
        exist = evidence.notes.get(f"{EXIST}{group}", held) - (held - run)
        found.append(few_events.Stratum(passed, run, exist))
    left = [name for name in evidence.notes if name.startswith(EXIST) and name.removeprefix(EXIST) not in own.groups]
    return [*found, *(few_events.Stratum(0, 0, evidence.notes[name]) for name in left)]


def _counts(evidence: Evidence) -> Floats:
    return evidence.counts(PASS_RATE, next(iter(evidence.tables)))


def _with_strata(plain: Measurement, evidence: Evidence, gate: Gate) -> Measurement:
    name = PASS_RATE.name
    trainings = range(int(evidence.trainings.max()) + 1 if len(evidence) else 0)
    strata = [_strata(evidence, training) for training in trainings]
    overall = {name: _finite_interval(plain.estimate(name), strata, gate)}
    per_group = {
        group: {name: _finite_interval(plain.estimate(name, group), [[part[k]] for part in strata], gate)}
        for k, group in enumerate(evidence.groups)
    }
    return replace(plain, overall=overall, per_group=per_group)


def _finite_interval(plain: Estimate, by_training: Sequence[Sequence[few_events.Stratum]], gate: Gate) -> Estimate:
    if not by_training or not all(sum(part.trials for part in strata) for strata in by_training):
        return plain
    if all(part.trials == part.exist for strata in by_training for part in strata):
        law = Ends(plain.value, (plain.value, plain.value), gate.confidence)
        return replace(plain, low=plain.value, high=plain.value, se=0.0, events=None, law=law)
    found: Few = few_mean([few_in_strata(strata) for strata in by_training])
    alpha = (1 - gate.confidence) / 2
    low, high = min(found.law.low(alpha), plain.value), max(found.law.high(alpha), plain.value)
    se = (high - low) / (2 * NormalDist().inv_cdf(1 - alpha))
    return replace(plain, low=low, high=high, se=se, events=found.events if found.events < FEW else None, law=found.law)


PROBE = CapabilityProbe()
