"""Changes that are searched for, one target at a time, until the model fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, ClassVar

from abalo.attacks import Attack, attacks
from abalo.attacks import blocks as report
from abalo.attacks.campaign import campaign
from abalo.attacks.facts import FACTS, attack_facts, with_seeds
from abalo.core import words
from abalo.core.configuring import Lists
from abalo.core.evidence import DISTINCT, Evidence
from abalo.core.example import Json
from abalo.core.gate import Gate
from abalo.core.plan import Parameters, Plan
from abalo.core.probe import Case, Ran, RunContext
from abalo.core.task import Task
from abalo.core.verdicts import Bound
from abalo.probes.configured import ConfiguredEntries, ConfiguredProbe, ConfiguredReport
from abalo.probes.drawing import FIELD
from abalo.probes.meanings import OF_ATTACKS

SUCCESS = "success_rate"


class AttackEntries(ConfiguredEntries[Attack[Any]]):
    """The entries of attacks, each of which has a table."""

    meanings = OF_ATTACKS

    def members(self, task: Task) -> Mapping[str, Attack[Any]]:
        """The attacks on the task."""
        return {name: attack for name, attack in attacks().items() if attack.fits(task)}

    def lists(self, member: Attack[Any]) -> Lists:
        """The word lists of the attack by language."""
        return member.lists

    def usual_view(self, task: Task, plan: Plan) -> str:
        """The view in which labelled spans are found where they stand now."""
        return task.resized_view

    def skipped(self, plan: Plan, language: str) -> str | None:
        """It needs a resource that nobody named, or has no word lists for the language."""
        lacks: str | None = plan.of.lacks(plan.params, language) if isinstance(plan, Parameters) else None
        return lacks or super().skipped(plan, language)


class AttackReport(ConfiguredReport):
    """Attacks in reports."""

    def scores(self, task: Task) -> Sequence[str]:
        """The rates of the attack, those that the task has."""
        return [name for name in report.SCORES if name in task.metrics()]

    extent = staticmethod(report.extent)
    remarks = staticmethod(report.remarks)
    remedy = staticmethod(report.remedy)
    blocks = staticmethod(report.summary)
    detail = staticmethod(report.detail)


class AttackProbe(ConfiguredProbe[Attack[Any]]):
    """Targets of an attack, each with the best change that its search has found."""

    name = "attack"
    entries = AttackEntries()
    report = AttackReport(entries)
    sized = "sample"
    scored = False
    searches = True
    result_fields: ClassVar[Mapping[str, Any]] = {FACTS: None}

    def headline(self, task: Task) -> str:
        """The share of targets that are broken."""
        return SUCCESS

    def asked(self, case: Case, session: RunContext) -> int:
        """A search for each gold label of the examples that are drawn, under each seed."""
        settings = self._searched(case, session)
        examples = session.examples[: case.limit]
        targets = sum(len(list(session.task.targets.of(example, None, session.model))) for example in examples)
        drawn = min(settings.sample or len(examples), len(examples)) / max(1, len(examples))
        return round(targets * drawn) * len(self.drawn_under(case, session.seeds_of(case)))

    def cost(self, case: Case, seeds: Sequence[int]) -> str:
        """The budget of a search, and how many sentences are drawn for searches."""
        settings = self.configured(case)
        times = len(self.drawn_under(case, seeds if case.seeds is None else case.seeds)) or 1
        again = f" under {words.count(times, 'seed')}" if times > 1 else ""
        drawn = f" of {settings.sample:,} examples" if settings.sample else ""
        return f"at most {settings.budget:,} inputs for each target{drawn}{again}"

    def run(self, case: Case, session: RunContext, search: Any = None) -> Ran:
        """One outcome per seed and target: the end of its search, or none where the model has it wrong."""
        attack = self.member(case)
        settings, field = self._searched(case, session), self.field(case, session.task)
        open_log = None if session.open_log is None else session.open_log(case)
        found = campaign(
            attack,
            settings,
            session.task,
            session.corpus.first(case.limit),
            session.predictor,
            session.seeds_of(case),
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
        return Ran([*outcomes, *found.not_found], params, seeds, sizes, found.forwards, facts=facts, notes=notes)

    def _searched(self, case: Case, session: RunContext) -> Any:
        """The settings of the attack, on no more examples than a run of this profile searches."""
        settings, most = self.configured(case, session.language), session.options.most_searched
        if most is None or 0 < settings.sample <= most:
            return settings
        return replace(settings, sample=most)

    def drawn_under(self, case: Case, seeds: Sequence[int]) -> Sequence[int]:
        """All where the search draws, else the first."""
        return seeds if self.member(case).seeded(self.configured(case)) else seeds[:1]

    def refreshed(self, facts: Json, case: Case, evidence: Evidence, task: Task, gate: Gate) -> Json:
        """The facts with the metrics of each seed; of several trainings those of the one that the facts are about."""
        training = facts.get("training")
        own = evidence if training is None else evidence.only(evidence.trainings == training)
        return {**facts, FACTS: with_seeds(facts[FACTS], own, task)}

    def undecidable(self, case: Case, bound: Bound, evidence: Evidence) -> str | None:
        """The model was shown no candidate: words that were only ranked say nothing."""
        if evidence.notes.get("shown", evidence.notes.get("queries")):
            return None
        return "there was no target that the model has right and something could be done to"

    def compared_by(self, task: Task) -> str | None:
        """The share that is right under attack: of two models each has other targets, both are asked for all."""
        return task.targets.robust

    def variants_from_model(self, case: Case) -> bool:
        """Each model has other targets, and other changes break it."""
        return True


PROBE = AttackProbe()
