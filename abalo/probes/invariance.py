"""Invariance under single edits, tested edit by edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from abalo.attacks.blocks import remedy
from abalo.core.protocols.options import HUNTED, edits_at_most
from abalo.core.protocols.probe import Case, Ran, RunContext
from abalo.core.protocols.task import Task, tasks
from abalo.core.records.configuring import Lists
from abalo.core.statistics.estimates import FEWEST_CLUSTERS, Estimate
from abalo.core.statistics.evidence import REPEATS, Evidence
from abalo.core.statistics.invariance import ASKED, BROKEN, ONE_LABEL
from abalo.core.statistics.metrics import Metric
from abalo.core.statistics.plan import Plan
from abalo.core.statistics.verdicts import Bound, Judgement
from abalo.invariances import Hunt, Invariance, Trial, invariances
from abalo.invariances import blocks as report
from abalo.invariances.facts import InvarianceFields, invariance_facts
from abalo.invariances.trial import TriedInvariance
from abalo.probes.configured import ConfiguredEntries, ConfiguredProbe, ConfiguredReport
from abalo.probes.drawing import FIELD
from abalo.probes.meanings import OF_INVARIANCES
from abalo.probes.sizes import sizes

VIOLATIONS = "violations_per_thousand"


class InvarianceEntries(ConfiguredEntries[Invariance[Any]]):
    """Entries of invariances."""

    meanings = OF_INVARIANCES

    def members(self, task: Task) -> Mapping[str, Invariance[Any]]:
        return {name: invariance for name, invariance in invariances().items() if invariance.fits(task)}

    def lists(self, member: Invariance[Any]) -> Lists:
        return member.lists

    def usual_view(self, task: Task, plan: Plan) -> str:
        return task.resized_view


class InvarianceReport(ConfiguredReport):
    """Invariances in reports."""

    sized = "draws"

    extent = staticmethod(report.extent)
    findings = staticmethod(report.findings)
    remedy = staticmethod(remedy)
    blocks = staticmethod(report.summary)


class InvarianceProbe(ConfiguredProbe[Invariance[Any]]):
    """Draws single edits to estimate how often an invariance is broken, and searches for the smallest breaking edit.

    One edit breaks a limit of 0. A model that draws its outputs breaks any invariance now and then, so it gets no
    search.
    """

    name = "invariance"
    entries = InvarianceEntries()
    report = InvarianceReport(entries)
    sized = report.sized
    scored = False
    result_fields = InvarianceFields

    def headline(self, task: Task) -> str:
        return VIOLATIONS

    def asked(self, case: Case, engine: RunContext) -> int:
        draws: int = self._drawn(case, engine).draws
        return draws

    def most_asked(self, case: Case, engine: RunContext, repeats: int) -> int:
        drawn = self.asked(case, engine)
        return drawn * (1 + repeats) if repeats > 1 else drawn + HUNTED[engine.options.profile]

    def cost(self, case: Case, seeds: Sequence[int]) -> str:
        return f"{self.configured(case).draws:,} inputs, and a search"

    def run(self, case: Case, engine: RunContext, search: Hunt | None = None) -> Ran:
        invariance, corpus = self.member(case), engine.corpus.first(case.limit)
        settings, seeds, field = self._drawn(case, engine), engine.seeds_of(case), self.field(case, engine.task)
        trial = Trial(invariance, settings, engine.task, corpus, engine.predictor, field)
        outcomes = trial.drawn(seeds[0])
        hunts = search is not None and trial.examples and not engine.draws
        found = TriedInvariance(trial, outcomes, search(trial, outcomes) if search and hunts else None)
        facts = {"invariance": invariance_facts(found, with_text=engine.with_text, draws=engine.draws)}
        return Ran(
            outcomes,
            asdict(settings) | ({FIELD: field} if field else {}),
            tuple(seeds[:1]),
            sizes(engine.examples[: case.limit], outcomes),
            trial.inputs,
            facts=facts,
            notes={BROKEN: int(found.broken), ASKED: trial.inputs} | ({ONE_LABEL: 1} if _alike(engine) else {}),
            again=lambda other: trial.again(outcomes, other),
        )

    def _drawn(self, case: Case, engine: RunContext) -> Any:
        settings, most = self.configured(case), edits_at_most(engine.options)
        return settings if most is None else replace(settings, draws=min(settings.draws, most))

    def drawn_under(self, case: Case, seeds: Sequence[int]) -> Sequence[int]:
        return seeds[:1]

    def undecidable(self, case: Case, bound: Bound, evidence: Evidence) -> str | None:
        if len(evidence):
            return None
        noun, target = tasks()[case.task].noun, tasks()[case.task].targets.nouns()[0]
        if tasks()[case.task].labelled == "spans":
            return f"no {noun} has a place for such an edit and an {target} that is surely found"
        return f"no {noun} has a place for such an edit and is surely labelled right"

    def decided(self, bound: Bound, metric: Metric, evidence: Evidence, estimate: Estimate) -> Judgement | None:
        if self.name not in metric.probes or bound != Bound(bound.metric, "max", 0.0) or REPEATS in evidence.notes:
            return None
        if evidence.notes.get(BROKEN):
            return Judgement(bound, estimate, "fail", "fail", 0.0, "one edit that breaks the invariance is too many")
        if estimate.n >= FEWEST_CLUSTERS:
            return Judgement(bound, estimate, "pass", "pass", 1.0)
        return None

    def variants_from_model(self, case: Case) -> bool:
        return True


PROBE = InvarianceProbe()


def _alike(engine: RunContext) -> bool:
    task, examples = engine.task, engine.examples
    if task.labelled != "whole":
        return False
    gold = {span.type for example in examples for span in task.stated(example)}
    pairs = zip(examples, engine.predictor.clean(), strict=False)
    return len(gold) > 1 and len({span.type for example, each in pairs for span in task.stated(example, each)}) < 2
