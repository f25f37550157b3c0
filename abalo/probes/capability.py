"""Templates filled and put to the model: what it must be able to do, and how it may change its mind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from statistics import NormalDist
from typing import Any, ClassVar

from abalo.capabilities import blocks as report
from abalo.capabilities.capability import SETTINGS, Capability, read, slots_in
from abalo.capabilities.drawing import Drawn, Stratum, drawn
from abalo.capabilities.expectations import Pair, Undecided
from abalo.capabilities.fillers import Means
from abalo.core import few_events
from abalo.core.entries import Entries
from abalo.core.evidence import EXIST, Evidence
from abalo.core.example import Json
from abalo.core.few_events import FEW, Ends, Few, few_in_strata, few_mean
from abalo.core.gate import AUTO, Gate
from abalo.core.metrics import Floats, Metric
from abalo.core.numbers import STORED
from abalo.core.outcome import Check, Outcome
from abalo.core.passing import CAPABILITY, PASS_RATE
from abalo.core.plan import Plan
from abalo.core.probe import Case, Probe, Ran, RunContext, Taught
from abalo.core.probe_report import CleanReport
from abalo.core.rounding import ROUNDING
from abalo.core.settings import Entry
from abalo.core.statistics import Estimate, Measurement
from abalo.core.task import Task
from abalo.core.units import check_of
from abalo.core.verdicts import Bound, Judgement, Verdict
from abalo.errors import AbaloError
from abalo.sources.resources import other_language

_KEPT = 12
"""How many broken fillings a result tells of, shared out over its templates."""


class CapabilityEntries(Entries):
    """The entries of the one table of capabilities."""

    def tables(self, task: Task) -> Sequence[str]:
        """The one table of all capabilities; none for a task without templates."""
        return (CAPABILITY,) if task.templates.fields else ()

    def parameters(self, entry: Entry, task: Task) -> Sequence[str]:
        """The settings, and the fillers of the slots that templates have."""
        return [*SETTINGS, *slots_in(entry.values)]

    def described(self, table: str, task: Task) -> Mapping[str, Mapping[str, Any]]:
        """The types and meanings of the settings; any other key is a slot, with its values."""
        slots = {"description": "Values of the slot of this name in the templates: a list, or the name of a list."}
        return {name: each.described() for name, each in SETTINGS.items()} | {"": slots}

    def refused_settings(self, entry: Entry, task: Task) -> Mapping[str, str]:
        """The view, seeds and the limit."""
        return {
            "view": "fillings are compared with their own gold; leave it out",
            "seeds": "fillings are drawn under the first seed of the run; leave it out",
            "limit": 'is that of a corpus; write "sample" for how many fillings are run',
            "span_source": "a capability is not aimed at spans; leave it out",
        }

    def parse(self, entry: Entry, task: Task) -> Sequence[Plan]:
        """The one plan of an entry."""
        found = read(entry, task)
        return () if found is None else (found,)

    def refused_bounds(self, bounds: Sequence[Bound], plan: Plan, task: Task) -> Iterator[tuple[str, str]]:
        """Bounds on single templates."""
        for bound in bounds:
            if bound.type is not None:
                yield f"{bound.name} {bound.type}", "a bound is about all templates; make a capability of the one"

    def skipped(self, plan: Plan, language: str) -> str | None:
        """Its templates are in another language than the corpus."""
        own = _capability(plan).language
        return None if not own or language == AUTO else other_language((own,), language)


class CapabilityReport(CleanReport):
    """Capabilities in reports."""

    tabled = True

    def scores(self, task: Task) -> Sequence[str]:
        """The pass rate alone."""
        return (PASS_RATE.name,)

    title = staticmethod(report.title)
    extent = staticmethod(report.extent)
    remedy = staticmethod(report.remedy)
    findings = staticmethod(report.findings)
    detail = staticmethod(report.detail)


class CapabilityProbe(Probe):
    """Fillings of templates, judged by their gold, or by what may change between two of them."""

    name = CAPABILITY
    entries = CapabilityEntries(CAPABILITY)
    report = CapabilityReport()
    teaches = True
    result_fields: ClassVar[Mapping[str, Any]] = {CAPABILITY: None}
    perturbs = False
    scored = False
    apart = True

    def asked(self, case: Case, session: RunContext) -> int:
        """The fillings that are drawn at most, twice where something changes."""
        plan = _capability(case.plan)
        return plan.sample * (2 if plan.change else 1)

    def drawn_under(self, case: Case, seeds: Sequence[int]) -> Sequence[int]:
        """The first."""
        return seeds[:1]

    def run(self, case: Case, session: RunContext, search: Any = None) -> Ran:
        """One outcome per filling."""
        plan, seed = _capability(case.plan), session.seeds_of(case)[0]
        strata = drawn(plan, session.task, session.corpus, session.examples, _means(plan, session), seed)
        fillings = [each for stratum in strata for each in stratum.drawn]
        sides = [side for each in fillings for side in (each.before, each.after) if side is not None]
        foreign = session.task.templates.foreign(sides, {each.label for each in fillings} - {""}, session)
        if foreign and not plan.ships:
            raise AbaloError(f"[[{case.task}.{CAPABILITY}]] {plan.name!r}: {foreign}; correct the templates")
        predicted = session.predictor.predict([session.task.input(side.example) for side in sides])
        answers = iter(predicted.predictions)
        scale = session.predictor.scale()
        outcomes = [
            _outcome(each, plan, session.task, next(answers), next(answers) if each.after else None, scale, seed)
            for each in fillings
        ]
        notes = {f"{EXIST}{stratum.name}": stratum.exist for stratum in strata}
        return Ran(
            outcomes,
            plan.params,
            (seed,),
            {"sentences": len(outcomes), "distinct": len(outcomes), "changed": 0, "variants": 0},
            predicted.forwards,
            facts={CAPABILITY: _facts(plan, strata, outcomes, foreign, with_text=session.with_text)},
            notes=notes | ({_FOREIGN: 1} if foreign else {}),
        )

    def lessons(self, case: Case, session: RunContext, seed: int, most: int) -> Sequence[Taught]:
        """Fillings, also those that they change to."""
        plan = replace(_capability(case.plan), sample=most)
        strata = drawn(plan, session.task, session.corpus, session.examples, _means(plan, session), seed)
        sides = [side for stratum in strata for each in stratum.drawn for side in (each.before, each.after)]
        return [Taught(side.example, None) for side in sides if side is not None][:most]

    def meaningless(self, metric: Metric, task: Task) -> str | None:
        """Any metric but the pass rate is about examples of a corpus."""
        return None if metric.name == PASS_RATE.name else f"says nothing of fillings; write min_{PASS_RATE.name}"

    def measure(self, case: Case, evidence: Evidence, task: Task, gate: Gate) -> Mapping[str, Measurement]:
        """The pass rate; its interval knows that templates are fixed, and of how many fillings some were drawn.

        Where all were run there is nothing else to know: the interval is the number itself.
        """
        plain = super().measure(case, evidence, task, gate)
        return {view: _with_strata(each, evidence, gate) for view, each in plain.items()}

    def undecidable(self, case: Case, bound: Bound, evidence: Evidence) -> str | None:
        """The model could have no filling right, or cannot say what is asked."""
        if evidence.notes.get(_FOREIGN):
            return "its templates have labels that neither corpus nor model has"
        if not _counts(evidence)[:, 0, 1].any():
            return "the model gives no confidence, which is what the capability is about"
        return None

    def decided(self, bound: Bound, metric: Metric, evidence: Evidence, estimate: Estimate) -> Judgement | None:
        """Where every filling was run, the number alone decides."""
        if metric.name != PASS_RATE.name or not evidence.whole:
            return None
        if metric.keeps(bound.side, bound.limit):
            return None
        excess = bound.excess(estimate.value)
        verdict: Verdict = "fail" if excess > ROUNDING else "pass"
        sight = max(0.0, -excess)
        return Judgement(bound, estimate, verdict, verdict, float(verdict == "pass"), unit="fillings", sight=sight)

    def decided_in(self, result: Mapping[str, Any], judgement: Mapping[str, Any]) -> Verdict | None:
        """By the stored pass rate, or by p if the pass rate lies on the limit."""
        side, _, name = judgement["bound"].partition("_")
        if name != PASS_RATE.name or not result[CAPABILITY]["census"] or judgement["p"] is None:
            return None
        if PASS_RATE.keeps(side, judgement["limit"]):
            return None
        excess = Bound(name, side, judgement["limit"]).excess(judgement["value"])
        on_limit = abs(excess) <= STORED
        return "pass" if (judgement["p"] > 0 if on_limit else excess < 0) else "fail"

    def compared_by(self, task: Task) -> str | None:
        """The pass rate."""
        return PASS_RATE.name

    def variants_from_model(self, case: Case) -> bool:
        """Only where a language model or the corpus gives the values; these are the same for every model."""
        return False

    def unit(self, task: Task) -> str:
        """Fillings."""
        return "fillings"

    def headline(self, task: Task) -> str:
        """The pass rate."""
        return PASS_RATE.name


_FOREIGN = "foreign"
"""The note that says that templates have labels which neither corpus nor model has."""


def _capability(plan: Plan) -> Capability:
    assert isinstance(plan, Capability)
    return plan


def _means(plan: Capability, session: RunContext) -> Means:
    return Means.of(plan.language or session.language, partial(_resource, session), plan.folder)


def _resource(session: RunContext, name: str, kind: type) -> Any:
    try:
        return session.resources.called(name, kind)
    except TypeError as error:
        raise AbaloError(f"{name}: {error}; list the values") from error


def _outcome(each: Drawn, plan: Capability, task: Task, first: Any, second: Any, scale: Any, seed: int) -> Outcome:
    """The outcome of a filling. Its example stands for the pair where there are two."""
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
        ("before", templates.said(before.example, first)),
        ("after", templates.said(after.example, second)),
    )
    check = Check(each.stratum, fault, each.values, shown, decided)
    return Outcome(example, seed, first, templates.variant(before, after), second, scale, check=check)


def _facts(
    plan: Capability, strata: Sequence[Stratum], outcomes: Sequence[Outcome], foreign: str, *, with_text: bool
) -> Json:
    """The capability as the document has it."""
    checks = [check_of(outcome) for outcome in outcomes]
    broken = {
        stratum.name: [each for each in checks if each.stratum == stratum.name and each.fault] for stratum in strata
    }
    return {
        "name": plan.name,
        "capability": plan.row,
        "kind": plan.kind,
        "change": plan.change or None,
        "expect": plan.expect or None,
        "exist": sum(stratum.exist for stratum in strata),
        "run": len(checks),
        "failed": sum(map(len, broken.values())),
        "undecided": sum(not each.decided for each in checks),
        "census": all(stratum.census for stratum in strata),
        "foreign": foreign or None,
        "templates": [
            {
                "name": stratum.name,
                "template": stratum.written,
                "exist": stratum.exist,
                "run": len(stratum.drawn),
                "failed": len(broken[stratum.name]),
            }
            for stratum in strata
        ],
        "failures": [_failure(each) for each in _spread(broken.values())] if with_text else [],
    }


def _spread(broken: Iterable[Sequence[Check]]) -> list[Check]:
    """The first of each template, then the second of each, until there are enough."""
    parts = list(broken)
    turns = max(map(len, parts), default=0)
    return [part[turn] for turn in range(turns) for part in parts if turn < len(part)][:_KEPT]


def _failure(check: Check) -> Json:
    return {
        "template": check.stratum,
        "values": dict(check.values),
        "fault": check.fault,
        "shown": [{"which": which, "text": text} for which, text in check.shown],
    }


def _strata(evidence: Evidence, training: int = 0) -> list[few_events.Stratum]:
    """Per template how many fillings broke, were run, and there are, of one training of the model.

    Those about which the model says nothing count as neither run nor there. Templates of which none was run come last.
    """
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
    """Of each filling, overall and per template, whether it passed and whether it was judged; any view has the same."""
    return evidence.counts(PASS_RATE, next(iter(evidence.tables)))


def _with_strata(plain: Measurement, evidence: Evidence, gate: Gate) -> Measurement:
    """The measurement with intervals that know the strata, overall and for each of them."""
    name = PASS_RATE.name
    trainings = range(int(evidence.trainings.max()) + 1 if len(evidence) else 0)
    strata = [_strata(evidence, training) for training in trainings]
    overall = {name: _known(plain.estimate(name), strata, gate)}
    per_group = {
        group: {name: _known(plain.estimate(name, group), [[part[k]] for part in strata], gate)}
        for k, group in enumerate(evidence.groups)
    }
    return replace(plain, overall=overall, per_group=per_group)


def _known(plain: Estimate, by_training: Sequence[Sequence[few_events.Stratum]], gate: Gate) -> Estimate:
    """The estimate with the interval of a stratified sample; with none to speak of where all fillings were run."""
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
