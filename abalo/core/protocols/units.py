"""The units of a case: examples, or fillings of templates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from abalo.core.protocols.probe import Case, Probe
from abalo.core.protocols.task import Task
from abalo.core.records.example import JsonObject
from abalo.core.records.outcome import Check, Outcome


@dataclass(frozen=True, slots=True)
class Units:
    """Examples of a task and their variants."""

    task: Task

    @property
    def group_noun(self) -> str:
        return self.task.group_noun

    def groups(self, outcomes: Sequence[Outcome]) -> list[str]:
        """The groups with their own numbers."""
        return self.task.groups(outcomes)

    def held(self, outcomes: Sequence[Outcome], groups: Sequence[str]) -> NDArray[np.int64]:
        """The amount of each group (outcomes × groups)."""
        return self.task.held(outcomes, groups)

    def result_facts(self, outcomes: Sequence[Outcome], *, with_text: bool) -> JsonObject:
        return self.task.report.result_facts(outcomes, with_text=with_text)

    def examples(self, outcomes: Sequence[Outcome], case: Case) -> list[JsonObject]:
        """The worst outcomes as the task shows them."""
        if case.probe.perturbs:
            return self.task.report.examples(outcomes, case.view)
        return self.task.report.mistakes([each for each in outcomes if not each.outside])

    def records(self, outcomes: Sequence[Outcome]) -> Iterable[JsonObject]:
        """Every wrong outcome with text, as JSON values."""
        return self.task.report.records(outcomes)


@dataclass(frozen=True, slots=True)
class Fillings(Units):
    """Fillings of templates, one per outcome."""

    @property
    def group_noun(self) -> str:
        return "template"

    def groups(self, outcomes: Sequence[Outcome]) -> list[str]:
        return list(dict.fromkeys(check_of(outcome).stratum for outcome in outcomes))

    def held(self, outcomes: Sequence[Outcome], groups: Sequence[str]) -> NDArray[np.int64]:
        own = [[check_of(outcome).stratum == group for group in groups] for outcome in outcomes]
        return np.array(own, dtype=np.int64).reshape(len(outcomes), len(groups))

    def result_facts(self, outcomes: Sequence[Outcome], *, with_text: bool) -> JsonObject:
        return {}

    def examples(self, outcomes: Sequence[Outcome], case: Case) -> list[JsonObject]:
        return []

    def records(self, outcomes: Sequence[Outcome]) -> Iterable[JsonObject]:
        return self.task.report.records([each for each in outcomes if check_of(each).fault and each.variant is None])


def units(probe: Probe, task: Task) -> Units:
    """The units of a probe's cases."""
    return Fillings(task) if probe.apart else Units(task)


def check_of(outcome: Outcome) -> Check:
    """The check of a filling's outcome."""
    assert outcome.check is not None
    return outcome.check
