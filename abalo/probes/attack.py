"""Changes that are searched for, one target at a time, until the model fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

from abalo.attacks import Attack, attacks, blocks
from abalo.attacks.campaign import campaign
from abalo.attacks.facts import attack_facts
from abalo.core.blocks import Block
from abalo.core.case import Case, Plan
from abalo.core.evidence import Evidence
from abalo.core.probe import Probe, Ran, loosest
from abalo.core.session import Session
from abalo.core.settings import Entry
from abalo.core.task import Task
from abalo.core.verdicts import Bound
from abalo.probes.parameters import check_parameters
from abalo.probes.tokens import token_predictor

SUCCESS = "success_rate"


@dataclass(frozen=True, slots=True)
class AttackPlan:
    """An attack with its parameters."""

    attack: Attack[Any]
    params: dict[str, Any] = field(default_factory=dict)

    @property
    def leading(self) -> Sequence[str]:
        """No words."""
        return ()

    @property
    def shown(self) -> dict[str, Any]:
        """The parameters."""
        return self.params


class AttackProbe(Probe):
    """Targets of an attack, each with the best change that its search has found."""

    name = "attack"
    scored = False
    result_fields: ClassVar[Mapping[str, Any]] = {"attack": None}

    def tables(self, task: Task) -> Sequence[str]:
        """A table for each attack on the task."""
        return [name for name, attack in attacks().items() if task.name in attack.tasks]

    def parameters(self, entry: Entry, task: Task) -> Sequence[str]:
        """The settings of the attack."""
        return attacks()[entry.name].parameters()

    def parse(self, entry: Entry, task: Task) -> Sequence[Plan]:
        """The one plan of an entry."""
        attack = attacks()[entry.name]
        values = check_parameters(attack, entry.values, entry.place, entry.problems)
        return (AttackPlan(attack, {key: values[key] for key in attack.parameters() if key in values}),)

    def refused_settings(self, entry: Entry, task: Task) -> dict[str, str]:
        """The span source."""
        return {"span_source": f"{entry.name} is not aimed at spans; leave it out"}

    def usual_view(self, task: Task, plan: Plan) -> str:
        """The view in which targets are found where they stand now."""
        return task.resized_view

    def usual_bound(self, task: Task, plan: Plan) -> Bound:
        """The share of targets that are broken."""
        return loosest(task.metrics()[SUCCESS], "max")

    def headline(self, task: Task) -> str:
        """The share of targets that are broken."""
        return SUCCESS

    def run(self, case: Case, session: Session, search: Any = None) -> Ran:
        """One outcome per seed and target."""
        assert isinstance(case.plan, AttackPlan)
        attack = case.plan.attack
        settings = attack.configured(**case.params)
        open_log = None if session.open_log is None else session.open_log(case)
        found = campaign(
            attack, settings, session.first(case.limit), token_predictor(session), session.seeds_of(case), open_log
        )
        params, outcomes = asdict(settings), found.outcomes
        changed = {outcome.example.id for outcome in outcomes if outcome.changed}
        sizes = {
            "sentences": found.sentences,
            "distinct": len({outcome.example.cluster for outcome in outcomes}),
            "changed": len(changed),
            "variants": sum(outcome.changed for outcome in outcomes),
        }
        queries = sum(outcome.searched.queries for outcome in outcomes if outcome.searched is not None)
        seeds = tuple(dict.fromkeys(outcome.seed for outcome in outcomes))
        facts = {"attack": attack_facts(found, params)}
        return Ran(outcomes, params, seeds, sizes, found.forwards, facts=facts, notes={"queries": queries})

    def undecidable(self, case: Case, bound: Bound, evidence: Evidence) -> str | None:
        """There was nothing to attack."""
        if evidence.notes.get("queries"):
            return None
        return "there was no entity that the model finds and something could be done to"

    # Reports ----------------------------------------------------------------------------------------------------------

    def settings(self, result: Mapping[str, Any]) -> Sequence[str]:
        """The settings that are not as usual."""
        return blocks.settings(result)

    def scores(self, task: Task) -> Sequence[str]:
        """The rates of the attack."""
        return blocks.SCORES

    def extent(self, result: Mapping[str, Any], task: Task) -> str:
        """How many targets were attacked."""
        return blocks.extent(result)

    def idle(self, result: Mapping[str, Any], task: Task) -> str | None:
        """Nothing could be done to any target."""
        return blocks.idle(result)

    def remarks(self, results: Sequence[Mapping[str, Any]], document: Mapping[str, Any]) -> Sequence[str]:
        """Budgets that were spent, and searches without anything to try."""
        return blocks.remarks(results, document)

    def blocks(self, results: Sequence[Mapping[str, Any]], document: Mapping[str, Any]) -> Sequence[Block]:
        """A row per attack."""
        return blocks.summary(results, document)

    def detail(self, result: Mapping[str, Any], document: Mapping[str, Any]) -> Sequence[Block]:
        """What was achieved, where changes sat, and what set broken targets apart."""
        return blocks.detail(result, document)


PROBE = AttackProbe()
