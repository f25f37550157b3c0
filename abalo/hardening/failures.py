"""The cases of a report that a model is to be trained on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from abalo.core.probe import Case
from abalo.core.results import cases as results_of
from abalo.core.results import measured, outcome
from abalo.probes.perturbation import PerturbationPlan
from abalo.probes.pipeline import PipelinePlan
from perturbations import Perturbation

Result = Mapping[str, Any]
"""An entry of the results of a document."""

_FIRST = ("fail", "inconclusive")


@dataclass(frozen=True, slots=True, eq=False)
class Failures:
    """The cases taken, the most important first; and why others that could be are not, a line each."""

    taken: tuple[Case, ...]
    left_out: tuple[str, ...]


def failures(
    document: Mapping[str, Any], task: str, cases: Mapping[str, Case], most: int, held_out: Collection[str] = ()
) -> Failures:
    """The cases of the task that failed, and drawn ones that cost beyond doubt, at most ``most``.

    A case that draws variants is taken, too, where it costs something and was inconclusive, or the whole interval of
    its cost is above 0. Those that failed come first, then those that were inconclusive; among these, the larger the
    low end of the interval, the earlier. Of cases with the same changes, as on gold and predicted spans, the first
    counts. Cases of families that are ``held_out`` are left out. ``cases`` are those of the thresholds file by id.
    """
    results = [each for each in results_of(dict(document)) if each["task"] == task]
    taken: dict[str, Case] = {}
    left_out: list[str] = []
    for result in sorted(results, key=_order):
        case = cases.get(result["id"])
        if not _counts(result, case):
            continue
        name = result["id"]
        if case is None:
            left_out.append(f"{name}: the thresholds file does not have it any more")
        elif not case.probe.teaches:
            left_out.append(f"{name}: nothing to learn from")
        elif held := sorted(families(case) & set(held_out)):
            left_out.append(f"{name}: {', '.join(held)} is held out")
        elif (same := case.together) in taken:
            left_out.append(f"{name}: the same changes as {taken[same].id}")
        elif len(taken) == most:
            left_out.append(f"{name}: beyond the first {most}, with {outcome(result)}")
        else:
            taken[same] = case
    return Failures(tuple(taken.values()), tuple(left_out))


def families(case: Case) -> set[str]:
    """The families of what a case does: those of its perturbations, else the kind of the case."""
    match case.plan:
        case PerturbationPlan(perturbation=member):
            return {_family(member)}
        case PipelinePlan(pipeline=pipeline):
            return {_family(member) for member in pipeline.steps}
    return {case.probe.name}


def _family(member: Perturbation) -> str:
    """The package that a perturbation stands in, such as ``character``; the module of a user's own."""
    parts: Sequence[str] = member.function.__module__.split(".")
    return parts[2] if parts[:2] == ["perturbations", "families"] else parts[-1]


def _counts(result: Result, case: Case | None) -> bool:
    """Whether a result shows a failure, or a cost beyond doubt."""
    if result["verdict"] == "fail":
        return True
    if case is None or not case.probe.redrawn:
        return False
    cost = measured(result, result["headline"])
    return cost.value is not None and cost.value > 0 and (result["verdict"] in _FIRST or (cost.low or 0) > 0)


def _order(result: Result) -> tuple[int, float, str]:
    cost, verdict = measured(result, result["headline"]), result["verdict"]
    low = cost.value if cost.low is None else cost.low
    return _FIRST.index(verdict) if verdict in _FIRST else len(_FIRST), -(low or 0.0), result["id"]
