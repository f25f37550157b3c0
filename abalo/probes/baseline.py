"""The unperturbed corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields

from abalo.core.documents.found import Result
from abalo.core.protocols.entries import Entries
from abalo.core.protocols.probe import Case, Probe, Ran, RunContext
from abalo.core.protocols.probe_report import CleanReport
from abalo.core.protocols.task import Task
from abalo.core.records.configuring import configure, describe_settings
from abalo.core.records.outcome import Outcome
from abalo.core.records.settings import Entry
from abalo.core.statistics.plan import BASELINE, Parameters, Plan
from abalo.core.statistics.verdicts import Bound
from abalo.probes.meanings import OF_REWORDINGS
from abalo.probes.parameters import unknown_groups
from abalo.probes.sizes import sizes


class BaselineEntries(Entries):
    """The entry of the clean corpus."""

    def parameters(self, entry: Entry, task: Task) -> Sequence[str]:
        return [each.name for each in fields(task.rewordings.settings)]

    def described(self, table: str, task: Task) -> Mapping[str, Mapping[str, object]]:
        return describe_settings(task.rewordings.settings, OF_REWORDINGS)

    def refused_settings(self, entry: Entry, task: Task) -> Mapping[str, str]:
        return {"span_source": f"{BASELINE} is not aimed at spans; leave it out"}

    def parse(self, entry: Entry, task: Task) -> Sequence[Plan]:
        for key, value in entry.values.items():
            try:
                configure(BASELINE, task.rewordings.settings, {key: value})
            except (TypeError, ValueError) as error:
                entry.problem(str(error), key)
        return (Parameters(dict(entry.values)),)

    def refused_bounds(self, bounds: Sequence[Bound], plan: Plan, task: Task) -> Iterator[tuple[str, str]]:
        if task.rewordings.groups:
            yield from unknown_groups(bounds, task.rewordings.groups)


class BaselineReport(CleanReport):
    """The clean score in reports."""

    def remedy(self, result: Result, task: Task) -> str:
        missing, asked = task.report.unanswered(result)
        if asked and 2 * missing >= asked:
            return (
                f"Most answers name no option. Read the replies: abalo show REPORTS {task.name}/baseline. If they "
                "give the answer in another form, ask for a letter in the prompt. Until then, losses say little."
            )
        return (
            f"The model is too weak on the unchanged {task.noun}s, or its labels do not match the labels of the "
            "corpus. Correct this first: until then, losses say little."
        )


class Baseline(Probe):
    """Compares the clean predictions with gold."""

    name = BASELINE
    entries = BaselineEntries(BASELINE)
    report = BaselineReport()
    perturbs = False

    def headline(self, task: Task) -> str:
        return task.floor

    def run(self, case: Case, engine: RunContext, search: object = None) -> Ran:
        task, examples = engine.task, engine.examples[: case.limit]
        settings = configure(BASELINE, task.rewordings.settings, case.params)
        show = task.rewordings.show
        inputs = [
            task.input(example) if show is None else show(example, BASELINE, settings, None) for example in examples
        ]
        predicted, scale = engine.predictor.predict_each(inputs), engine.predictor.scale()
        seed = getattr(settings, "seed", 0)
        outcomes = [
            Outcome(example, seed, prediction, None, prediction, scale)
            for example, prediction in zip(examples, predicted.predictions, strict=True)
        ]
        return Ran(outcomes, asdict(settings), (seed,), sizes(examples, outcomes), predicted.inputs)


PROBE = Baseline()
