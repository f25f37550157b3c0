"""The corpus as it is: how good the model is to begin with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from abalo.core.case import Case, Parameters, Plan
from abalo.core.example import Outcome
from abalo.core.probe import Probe, Ran, loosest
from abalo.core.session import Session
from abalo.core.settings import Entry
from abalo.core.task import Task
from abalo.core.verdicts import Bound
from abalo.probes.sizes import sizes

BASELINE = "baseline"


class Baseline(Probe):
    """The clean predictions, against gold."""

    name = BASELINE
    perturbs = False

    def tables(self, task: Task) -> Sequence[str]:
        """The one table that is called like the probe."""
        return (BASELINE,)

    def parameters(self, entry: Entry, task: Task) -> Sequence[str]:
        """No parameters."""
        return ()

    def parse(self, entry: Entry, task: Task) -> Sequence[Plan]:
        """The one plan that there is."""
        return (self.plain(),)

    def plain(self) -> Plan:
        """The plan without parameters."""
        return Parameters()

    def usual_bound(self, task: Task, plan: Plan) -> Bound:
        """A floor of 0 under the metric that says how good a model is."""
        return loosest(task.metrics()[task.floor], "min")

    def headline(self, task: Task) -> str:
        """The metric that says how good a model is."""
        return task.floor

    def run(self, case: Case, session: Session, search: Any = None) -> Ran:
        """One outcome per example, under the one seed 0, since nothing is drawn."""
        examples = session.examples[: case.limit]
        clean, scale = session.predictor.clean(), session.predictor.scale()
        outcomes = [
            Outcome(example, 0, prediction, None, prediction, scale)
            for example, prediction in zip(examples, clean, strict=False)  # of a longer corpus under a limit
        ]
        return Ran(outcomes, case.params, (0,), sizes(examples, outcomes))


PROBE = Baseline()
