"""The corpus as it is: how good the model is to begin with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from abalo.core.configuring import configured, described
from abalo.core.entries import Entries
from abalo.core.outcome import Outcome
from abalo.core.plan import BASELINE, Parameters, Plan
from abalo.core.probe import Case, Probe, Ran, RunContext
from abalo.core.probe_report import CleanReport
from abalo.core.settings import Entry
from abalo.core.task import Task
from abalo.core.verdicts import Bound
from abalo.probes.meanings import OF_REWORDINGS
from abalo.probes.parameters import unknown_groups
from abalo.probes.sizes import sizes


class BaselineEntries(Entries):
    """The entry of the clean corpus."""

    def parameters(self, entry: Entry, task: Task) -> Sequence[str]:
        """The settings of how examples are put to a model."""
        return [each.name for each in fields(task.rewordings.settings)]

    def described(self, table: str, task: Task) -> Mapping[str, Mapping[str, Any]]:
        """The types, defaults and meanings of the settings."""
        return described(task.rewordings.settings, OF_REWORDINGS)

    def refused_settings(self, entry: Entry, task: Task) -> Mapping[str, str]:
        """The span source."""
        return {"span_source": f"{BASELINE} is not aimed at spans; leave it out"}

    def parse(self, entry: Entry, task: Task) -> Sequence[Plan]:
        """The one plan of an entry."""
        for key, value in entry.values.items():
            try:
                configured(BASELINE, task.rewordings.settings, {key: value})
            except (TypeError, ValueError) as error:
                entry.problem(str(error), key)
        return (Parameters(dict(entry.values)),)

    def refused_bounds(self, bounds: Sequence[Bound], plan: Plan, task: Task) -> Iterator[tuple[str, str]]:
        """Those on a group that no unchanged example is in."""
        if task.rewordings.groups:
            yield from unknown_groups(bounds, task.rewordings.groups)


class BaselineReport(CleanReport):
    """The clean score in reports."""

    def remedy(self, result: Mapping[str, Any], task: Task) -> str:
        """The two causes there can be; of questions of which half have no answer, how these are read."""
        asked = result.get("questions")
        if asked and 2 * asked["missing"] >= sum(row["answers"] for row in asked["variants"]):
            return (
                f"Most answers name no option: read the replies (abalo show REPORTS {task.name}/baseline). If they "
                "hold an answer in another form, ask for a letter in the prompt; until then losses say little."
            )
        return (
            f"The model is not good enough on the {task.noun}s as they stand, or its labels do not mean what those of "
            "the corpus mean; until then losses say little."
        )


class Baseline(Probe):
    """The clean predictions, against gold."""

    name = BASELINE
    entries = BaselineEntries(BASELINE)
    report = BaselineReport()
    perturbs = False

    def headline(self, task: Task) -> str:
        """The metric that says how good a model is."""
        return task.floor

    def run(self, case: Case, session: RunContext, search: Any = None) -> Ran:
        """One outcome per example, under one seed, 0 where the task has none."""
        task, examples = session.task, session.examples[: case.limit]
        settings = configured(BASELINE, task.rewordings.settings, case.params)
        show = task.rewordings.show
        inputs = [
            task.input(example) if show is None else show(example, BASELINE, settings, None) for example in examples
        ]
        predicted, scale = session.predictor.predict_each(inputs), session.predictor.scale()
        seed = getattr(settings, "seed", 0)
        outcomes = [
            Outcome(example, seed, prediction, None, prediction, scale)
            for example, prediction in zip(examples, predicted.predictions, strict=True)
        ]
        return Ran(outcomes, asdict(settings), (seed,), sizes(examples, outcomes), predicted.forwards)


PROBE = Baseline()
