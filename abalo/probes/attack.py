"""Searches for changes that make the model fail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from abalo.attacks import Attack, attacks
from abalo.attacks import blocks as report
from abalo.attacks.campaign import campaign
from abalo.attacks.facts import FACTS, AttackFields, attack_facts, with_seeds
from abalo.attacks.parts import methods
from abalo.core.protocols.options import searched_at_most
from abalo.core.protocols.probe import Case, Ran, RunContext
from abalo.core.protocols.task import Task
from abalo.core.records import words
from abalo.core.records.configuring import Lists
from abalo.core.records.example import JsonObject
from abalo.core.records.gate import Gate
from abalo.core.records.settings import Entry
from abalo.core.statistics.evidence import DISTINCT, Evidence
from abalo.core.statistics.plan import Parameters, Plan
from abalo.core.statistics.verdicts import Bound
from abalo.errors import AbaloError
from abalo.probes.configured import ConfiguredEntries, ConfiguredProbe, ConfiguredReport
from abalo.probes.drawing import FIELD
from abalo.probes.meanings import OF_ATTACKS

SUCCESS = "success_rate"


class AttackEntries(ConfiguredEntries[Attack[Any]]):
    """Entries of attacks."""

    meanings = OF_ATTACKS

    def members(self, task: Task) -> Mapping[str, Attack[Any]]:
        return {name: attack for name, attack in attacks().items() if attack.fits(task)}

    def lists(self, member: Attack[Any]) -> Lists:
        return member.lists

    def usual_view(self, task: Task, plan: Plan) -> str:
        return task.resized_view

    def parse(self, entry: Entry, task: Task) -> Sequence[Plan]:
        search = entry.values.get("search", getattr(self.members(task)[entry.name].configured(), "search", ""))
        method = methods().get(search) if isinstance(search, str) else None
        if "ranking" in entry.values and method is not None and not method.ranks:
            entry.problem(f"the search {search!r} ranks no words; leave it out, or choose another search", "ranking")
        return super().parse(entry, task)

    def skipped(self, plan: Plan, language: str) -> str | None:
        return _lacks(plan, language) or super().skipped(plan, language)

    def lacks_resource(self, plan: Plan, language: str) -> bool:
        return _lacks(plan, language) is not None


def _lacks(plan: Plan, language: str) -> str | None:
    return plan.of.lacks(plan.params, language) if isinstance(plan, Parameters) else None


class AttackReport(ConfiguredReport):
    """Attacks in reports."""

    sized = "sample"

    def scores(self, task: Task) -> Sequence[str]:
        return [name for name in report.SCORES if name in task.metrics()]

    extent = staticmethod(report.extent)
    remarks = staticmethod(report.remarks)
    remedy = staticmethod(report.remedy)
    blocks = staticmethod(report.summary)
    detail = staticmethod(report.detail)


class AttackProbe(ConfiguredProbe[Attack[Any]]):
    """Searches for the change that hurts each target of an attack most.

    Each model has other targets, so two models are compared by the share that is right under attack.
    """

    name = "attack"
    entries = AttackEntries()
    report = AttackReport(entries)
    sized = report.sized
    scored = False
    searches = True
    result_fields = AttackFields

    def headline(self, task: Task) -> str:
        return SUCCESS

    def asked(self, case: Case, engine: RunContext) -> int:
        settings = self._searched(case, engine)
        examples = engine.examples[: case.limit]
        targets = sum(len(list(engine.task.targets.of(example, None, engine.model))) for example in examples)
        drawn = min(settings.sample or len(examples), len(examples)) / max(1, len(examples))
        return round(targets * drawn) * len(self.drawn_under(case, engine.seeds_of(case)))

    def most_asked(self, case: Case, engine: RunContext, repeats: int) -> int:
        searches = self.asked(case, engine)
        budget: int = self.configured(case).budget
        return searches * budget + (searches * repeats if repeats > 1 else 0)

    def cost(self, case: Case, seeds: Sequence[int]) -> str:
        settings = self.configured(case)
        times = len(self.drawn_under(case, seeds if case.seeds is None else case.seeds)) or 1
        again = f" under {words.count(times, 'seed')}" if times > 1 else ""
        drawn = f" of {settings.sample:,} examples" if settings.sample else ""
        return f"at most {settings.budget:,} inputs for each target{drawn}{again}"

    def run(self, case: Case, engine: RunContext, search: object = None) -> Ran:
        attack = self.member(case)
        if lacks := _lacks(case.plan, engine.language):
            raise AbaloError(f"{case.id}: {lacks}; give it as a parameter of the case")
        settings, field = self._searched(case, engine), self.field(case, engine.task)
        open_log = None if engine.open_log is None else engine.open_log(case)
        found = campaign(
            attack,
            settings,
            engine.task,
            engine.corpus.first(case.limit),
            engine.predictor,
            engine.seeds_of(case),
            open_log,
            field=field,
            share=case.share,
        )
        params, outcomes = asdict(settings) | ({FIELD: field} if field else {}), found.outcomes
        changed = {outcome.example.id for outcome in outcomes if outcome.changed}
        sizes = {
            "sentences": found.sentences,
            "distinct": len({outcome.example.cluster for outcome in outcomes}),
            "changed": len(changed),
            "variants": sum(outcome.changed for outcome in outcomes),
        }
        searched = [outcome.searched for outcome in outcomes if outcome.searched is not None]
        queries, shown = sum(each.queries for each in searched), sum(each.tried.shown for each in searched)
        seeds = tuple(dict.fromkeys(outcome.seed for outcome in outcomes))
        facts = attack_facts(found, params, as_part=case.share is not None)
        notes = {"queries": queries, "shown": shown, DISTINCT: found.sentences}
        return Ran(
            [*outcomes, *found.not_found],
            params,
            seeds,
            sizes,
            found.inputs,
            facts=facts,
            notes=notes,
            again=found.again,
        )

    def _searched(self, case: Case, engine: RunContext) -> Any:
        settings, most = self.configured(case, engine.language), searched_at_most(engine.options)
        if most is None or 0 < settings.sample <= most:
            return settings
        return replace(settings, sample=most)

    def drawn_under(self, case: Case, seeds: Sequence[int]) -> Sequence[int]:
        return seeds if self.member(case).seeded(self.configured(case)) else seeds[:1]

    def refreshed(self, facts: JsonObject, case: Case, evidence: Evidence, task: Task, gate: Gate) -> JsonObject:
        training = facts.get("training")
        own = evidence if training is None else evidence.only(evidence.trainings == training)
        return {**facts, FACTS: with_seeds(facts[FACTS], own, task)}

    def undecidable(self, case: Case, bound: Bound, evidence: Evidence) -> str | None:
        if evidence.notes.get("shown", evidence.notes.get("queries")):
            return None
        return "there was no target that the model has right and something could be done to"

    def compared_by(self, task: Task) -> str | None:
        return task.targets.robust

    def variants_from_model(self, case: Case) -> bool:
        return True


PROBE = AttackProbe()
