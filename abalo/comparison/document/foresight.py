"""The loss that a comparison with this run could detect."""

from __future__ import annotations

from collections.abc import Mapping

from abalo.comparison.test.foresight import foreseen
from abalo.config.thresholds import Thresholds
from abalo.core.protocols.probe import baseline_of
from abalo.core.protocols.task import tasks
from abalo.core.records.example import JsonObject
from abalo.core.statistics.evidence import Evidence

FORESEEN = "foreseen"


def with_foresight(facts: JsonObject, evidence: Mapping[str, Evidence], thresholds: Thresholds) -> JsonObject:
    """Adds each task's loss that a comparison would detect."""
    own = {name: _of_task(name, each, evidence, thresholds) for name, each in facts.get("tasks", {}).items()}
    return {**facts, "tasks": own} if own else facts


def _of_task(name: str, own: JsonObject, evidence: Mapping[str, Evidence], thresholds: Thresholds) -> JsonObject:
    task = tasks()[name]
    clean = baseline_of(task).id
    if clean not in evidence:
        return own
    part = {case: each for case, each in evidence.items() if case.startswith(f"{name}/")}
    cases = [case for case in thresholds.cases if case.task == name]
    return {**own, FORESEEN: foreseen(task, part, cases, thresholds.gate)}
