"""Cases that can run in parts."""

from __future__ import annotations

from collections.abc import Iterable

from abalo.config.thresholds import Thresholds
from abalo.core.documents.parts import InParts
from abalo.core.protocols.probe import Case
from abalo.core.protocols.task import ResourceFinder
from abalo.core.statistics.plan import BASELINE
from abalo.errors import AbaloError
from abalo.probes.perturbation import PerturbationPlan
from abalo.probes.pipeline import PipelinePlan
from perturbations.resources import JUDGED
from perturbations.suggestions import did_you_mean

_KINDS = {
    "attack": "a search, in which groups of targets from all of the corpus share batches",
    "invariance": "its edits are drawn over all of the corpus",
    "slice": "a slice is cut by all of the corpus, as its rare words or its longest sentences",
    "capability": "its templates are no part of a corpus",
    "rewording": "its questions are no sentences",
}


def choose_cases(thresholds: Thresholds, task: str, names: Iterable[str] | None, *, deep: bool) -> list[Case]:
    """The cases with these ids or table names."""
    cases = [
        case
        for case in thresholds.cases
        if case.task == task and case.name != BASELINE and thresholds.skipped(case) is None
    ]
    if not names:
        return [case for case in cases if deep or not case.deep]
    names, known = list(names), {name for case in cases for name in (case.id, case.name)}
    for name in names:
        if name not in known:
            raise AbaloError(f"--case {name}: no such case in {thresholds.path}{did_you_mean(name, sorted(known))}")
    return [case for case in cases if case.id in names or case.name in names]


def hindrance(case: Case, resources: ResourceFinder, corpus: InParts) -> str | None:
    """Why a case cannot run in parts."""
    plan = case.plan
    if not isinstance(plan, PerturbationPlan | PipelinePlan):
        return _KINDS.get(case.probe.name, f"cases of {case.probe.name} are not run in parts")
    if case.limit is not None:
        return "it is about the beginning of the corpus alone (limit)"
    if plan.require:
        return "what it requires of variants is measured on all of the corpus (require)"
    steps = (
        plan.members() if isinstance(plan, PipelinePlan) else [(plan.perturbation, plan.perturbation.name, plan.params)]
    )
    for member, _, _ in steps:
        if (reason := corpus.hindrance(member)) is not None:
            return reason
    drawn = {
        name
        for member, _, params in steps
        for name in member.resources()
        if resources.named(member, params).get(name) == JUDGED
    }
    return f"it draws from all of the corpus ({', '.join(sorted(drawn))})" if drawn else None
