"""The units of a case, grouped and shown: examples as their task does it, or fillings of templates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from abalo.core.example import Json
from abalo.core.outcome import Check, Outcome
from abalo.core.probe import Case, Probe
from abalo.core.task import Task


@dataclass(frozen=True, slots=True)
class Units:
    """Examples of a task and variants of them."""

    task: Task

    @property
    def group_noun(self) -> str:
        """A group in words."""
        return self.task.group_noun

    def groups(self, outcomes: Sequence[Outcome]) -> list[str]:
        """The groups that have numbers of their own."""
        return self.task.groups(outcomes)

    def held(self, outcomes: Sequence[Outcome], groups: Sequence[str]) -> NDArray[np.int64]:
        """How much of each group the example of each outcome holds (outcomes × groups)."""
        return self.task.held(outcomes, groups)

    def result_facts(self, outcomes: Sequence[Outcome], *, with_text: bool) -> Json:
        """The fields that the task adds to a result."""
        return self.task.report.result_facts(outcomes, with_text=with_text)

    def examples(self, outcomes: Sequence[Outcome], case: Case) -> list[Json]:
        """The outcomes that show most, worst first, as the task shows them."""
        if case.probe.perturbs:
            return self.task.report.examples(outcomes, case.view)
        return self.task.report.mistakes([each for each in outcomes if not each.outside])

    def records(self, outcomes: Sequence[Outcome]) -> Iterable[Json]:
        """Every outcome that is wrong, with its text, as JSON values."""
        return self.task.report.records(outcomes)


@dataclass(frozen=True, slots=True)
class Fillings(Units):
    """Fillings of templates, one an outcome, with its check. Facts of the case show the broken ones."""

    @property
    def group_noun(self) -> str:
        """A template."""
        return "template"

    def groups(self, outcomes: Sequence[Outcome]) -> list[str]:
        """The templates."""
        return list(dict.fromkeys(check_of(outcome).stratum for outcome in outcomes))

    def held(self, outcomes: Sequence[Outcome], groups: Sequence[str]) -> NDArray[np.int64]:
        """1 for the template of each outcome."""
        own = [[check_of(outcome).stratum == group for group in groups] for outcome in outcomes]
        return np.array(own, dtype=np.int64).reshape(len(outcomes), len(groups))

    def result_facts(self, outcomes: Sequence[Outcome], *, with_text: bool) -> Json:
        """None: they are about examples of a corpus."""
        return {}

    def examples(self, outcomes: Sequence[Outcome], case: Case) -> list[Json]:
        """None."""
        return []

    def records(self, outcomes: Sequence[Outcome]) -> Iterable[Json]:
        """The fillings that break, where gold says what is right."""
        return self.task.report.records([each for each in outcomes if check_of(each).fault and each.variant is None])


def units(probe: Probe, task: Task) -> Units:
    """The units of the cases of a probe: fillings if it is ``apart``, else examples of the task."""
    return Fillings(task) if probe.apart else Units(task)


def check_of(outcome: Outcome) -> Check:
    """The check of the outcome of a filling."""
    assert outcome.check is not None
    return outcome.check
