"""The cases of a report to train a model on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.protocols.probe import Case, teaches
from abalo.core.protocols.results import cases as results_of
from abalo.core.protocols.results import measured_number, outcome
from abalo.probes.perturbation import PerturbationPlan
from abalo.probes.pipeline import PipelinePlan
from perturbations import Perturbation

_FIRST = ("fail", "inconclusive")


@dataclass(frozen=True, slots=True, eq=False)
class Failures:
    """Selected cases, the most important first, and why others are rejected."""

    taken: tuple[Case, ...]
    left_out: tuple[str, ...]


def failures(
    document: Document, task: str, cases: Mapping[str, Case], most: int, held_out: Collection[str] = ()
) -> Failures:
    """At most ``most`` cases that failed, or that draw variants and cost something.

    A drawn case must be inconclusive, or have an interval above 0. Failed cases come first, then inconclusive ones,
    each by the interval's low end. Cases with the same changes count once.
    """
    results = [each for each in results_of(document) if each.task == task]
    taken: dict[str, Case] = {}
    left_out: list[str] = []
    for result in sorted(results, key=_order):
        case = cases.get(result.id)
        if not _counts(result, case):
            continue
        name = result.id
        if case is None:
            left_out.append(f"{name}: no longer in the thresholds file")
        elif not teaches(case.probe):
            left_out.append(f"{name}: nothing to train on")
        elif held := sorted(families(case) & set(held_out)):
            left_out.append(f"{name}: {', '.join(held)} is held out")
        elif (same := case.together) in taken:
            left_out.append(f"{name}: makes the same changes as {taken[same].id}")
        elif len(taken) == most:
            left_out.append(f"{name}: not among the first {most}, with {outcome(result)}")
        else:
            taken[same] = case
    return Failures(tuple(taken.values()), tuple(left_out))


def families(case: Case) -> set[str]:
    """The families of a case's perturbations, or else its kind."""
    match case.plan:
        case PerturbationPlan(perturbation=member):
            return {_family(member)}
        case PipelinePlan(pipeline=pipeline):
            return {_family(member) for member in pipeline.steps}
    return {case.probe.name}


def _family(member: Perturbation) -> str:
    parts: Sequence[str] = member.function.__module__.split(".")
    return parts[2] if parts[:2] == ["perturbations", "families"] else parts[-1]


def _counts(result: Result, case: Case | None) -> bool:
    if result.verdict == "fail":
        return True
    if case is None or not case.probe.redrawn:
        return False
    cost = measured_number(result, result.headline)
    return cost.value is not None and cost.value > 0 and (result.verdict in _FIRST or (cost.low or 0) > 0)


def _order(result: Result) -> tuple[int, float, str]:
    cost, verdict = measured_number(result, result.headline), result.verdict
    low = cost.value if cost.low is None else cost.low
    return _FIRST.index(verdict) if verdict in _FIRST else len(_FIRST), -(low or 0.0), result.id
