"""The protocol of probes, kinds of case that are discovered automatically."""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Protocol

from abalo.core.documents.found import ResultFields
from abalo.core.protocols.entries import Entries
from abalo.core.protocols.predictor import Predictor
from abalo.core.protocols.probe_report import ProbeReport
from abalo.core.protocols.registry import Registry
from abalo.core.protocols.subject import Subject
from abalo.core.protocols.task import ResourceFinder, Task, cluster_noun, tasks
from abalo.core.records import words
from abalo.core.records.example import Example, JsonObject
from abalo.core.records.gate import Gate
from abalo.core.records.outcome import Outcome
from abalo.core.statistics.estimates import Estimate, Measurement, measure
from abalo.core.statistics.evidence import Evidence, check_counts
from abalo.core.statistics.metrics import Metric
from abalo.core.statistics.plan import BASELINE, CaseShare, Parameters, Plan, Waiver, ascii_words
from abalo.core.statistics.verdicts import Bound, Judgement

NOTHING: Mapping[str, object] = MappingProxyType({})


Again = Callable[[Predictor[Any, Any]], Sequence[Outcome]]
"""Gives the outcomes of the same variants in another repeat."""


@dataclass(frozen=True, slots=True, eq=False)
class Ran:
    """The outcomes of a case, before they are counted.

    * ``params``: parameters, with the values found for open ones.
    * ``sizes``: ``sentences``, ``distinct``, ``changed`` and ``variants``.
    * ``inputs``: distinct model inputs beyond the clean corpus. ``shared_inputs``: those that a related case also
      needs.
    * ``facts``: further result fields. ``notes``: whole numbers for judging.
    * ``again``: gives the same variants' outcomes in another repeat.
    * ``join``: makes one outcome of all repeats of a variant; None adds up their counts.
    """

    outcomes: Sequence[Outcome]
    params: Mapping[str, Any]
    seeds: tuple[int, ...]
    sizes: Mapping[str, int]
    inputs: int = 0
    shared_inputs: int = 0
    facts: JsonObject = field(default_factory=dict)
    notes: Mapping[str, int] = field(default_factory=dict)
    again: Again | None = None
    join: Callable[[Sequence[Sequence[Outcome]]], Ran] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Taught:
    """A changed example to learn from; ``original`` is None if it is in no corpus."""

    changed: Example
    original: Example | None


class Begun(Protocol):
    """A case that runs part by part."""

    @property
    def examples(self) -> Sequence[Example]: ...

    @property
    def seeds(self) -> Sequence[int]: ...

    def take(self, places: Sequence[int], seeds: Sequence[int]) -> None:
        """Runs these examples, at increasing places, under new seeds."""
        ...

    def ran(self) -> Ran:
        """The outcomes so far, ordered as in a whole run."""
        ...


OpenLog = Callable[["Case"], Any]


class RunContext(Subject, Protocol):
    """The run as a probe sees it: a `Subject` with task, language and resources."""

    @property
    def task(self) -> Task: ...

    @property
    def language(self) -> str:
        """ISO 639-1 code, or `UNDETERMINED` or `SEVERAL` of `abalo.core.records.gate`."""
        ...

    @property
    def resources(self) -> ResourceFinder: ...

    @property
    def with_text(self) -> bool:
        """Whether text of the corpus may be kept."""
        ...

    @property
    def draws(self) -> bool:
        """Whether the model's outputs are random."""
        ...

    @property
    def open_log(self) -> OpenLog | None:
        """Opens the log of a case; None without logs."""
        ...

    def seeds_of(self, case: Case, /) -> Sequence[int]: ...


class Probe(ABC):
    """A kind of case: how it changes, counts and judges examples.

    * ``entries``: reads its tables in thresholds.toml. ``report``: describes its results.
    * ``result_fields``: what it adds to results.

    Every task has the probe, unless some tasks list it in ``probes``: then only they do.
    """

    name: ClassVar[str]
    entries: Entries
    report: ProbeReport = ProbeReport()
    result_fields: ClassVar[type[ResultFields]] = ResultFields
    perturbs: ClassVar[bool] = True
    scored: ClassVar[bool] = True
    """Whether scores over all variants describe a case, and each repeat runs it anew. False if variants have targets:
    repeats then ask about the same variants (`Ran.again`).
    """
    searches: ClassVar[bool] = False
    """Whether cases are searches of `abalo.attacks`."""
    apart: ClassVar[bool] = False
    """Whether units are filled templates (`Outcome.check`) with their own metrics."""
    redrawn: ClassVar[bool] = False
    """Whether new lessons need no model."""

    # Running ----------------------------------------------------------------------------------------------------------

    @abstractmethod
    def run(self, case: Case, engine: RunContext, search: Any = None) -> Ran:
        """Changes the examples as the case demands, and collects the model's outcomes.

        ``search`` looks for the smallest breaking change, if the probe has one.
        """

    def lessons(self, case: Case, engine: RunContext, seed: int, most: int) -> Sequence[Taught]:
        """At most ``most`` changed examples of the session's corpus, with gold."""
        return ()

    def begun(self, case: Case, engine: RunContext) -> Begun | None:
        """The case, ready to run part by part; None if it cannot."""
        return None

    def asked(self, case: Case, engine: RunContext) -> int:
        """The largest number of inputs beyond the clean corpus, or of searches."""
        return len(engine.examples[: case.limit]) * len(engine.seeds_of(case)) if self.perturbs else 0

    def most_asked(self, case: Case, engine: RunContext, repeats: int) -> int:
        """The largest number of inputs, searches and repeats included."""
        return self.asked(case, engine) * repeats

    def cost(self, case: Case, seeds: Sequence[int]) -> str:
        """The inputs of a case, in words."""
        if not self.perturbs:
            return "no input beyond the clean corpus"
        times = len(self.drawn_under(case, seeds if case.seeds is None else case.seeds)) or 1
        return f"at most {words.count(times, 'input')} for each example"

    def ahead(self, plan: Plan) -> bool:
        """Whether the plan's case can run ahead, quickly and with fixed inputs."""
        return False

    def drawn_under(self, case: Case, seeds: Sequence[int]) -> Sequence[int]:
        """The ``seeds`` that variants are drawn with, if any."""
        return seeds if self.perturbs else ()

    def variants_from_model(self, case: Case) -> bool:
        return False

    # Counting and judging ---------------------------------------------------------------------------------------------

    def headline(self, task: Task) -> str:
        """The metric that summarises a case."""
        return task.headline

    def unit(self, task: Task) -> str:
        """The counted units, in the plural."""
        return f"{cluster_noun(task)}s"

    def meaningless(self, metric: Metric, task: Task) -> str | None:
        """Why a bound on the metric is always meaningless; None if not."""
        if not metric.fits(self.name):
            tables = {name: probes()[name].entries.tables(task) for name in metric.probes}
            kinds = [f"{name}s: {_tables_in_words(names, task)}" for name, names in tables.items()]
            return f"has a meaning only for {'; '.join(kinds)}"
        if metric.needs_change and not self.perturbs:
            return f"has no meaning where nothing is changed: {self.name}"
        return None

    def measure(self, case: Case, evidence: Evidence, task: Task, gate: Gate) -> Mapping[str, Measurement]:
        """The metrics in every view, with intervals."""
        metrics = metrics_of(self, task).values()
        check_counts(metrics)
        return measure(evidence, task.views, metrics, gate)

    def undecidable(self, case: Case, bound: Bound, evidence: Evidence) -> str | None:
        """Why the evidence cannot decide the bound; None if it can."""
        return None

    def decided(self, bound: Bound, metric: Metric, evidence: Evidence, estimate: Estimate) -> Judgement | None:
        """The judgement on a bound without an interval; None if it needs one."""
        return None

    def out_of_reach(self, case: Case, bound: Bound, evidence: Evidence) -> str | None:
        """Why no possible value breaks the bound; None if one may."""
        return None

    def reach(self, case: Case, evidence: Evidence, task: Task) -> float:
        """The largest possible drop of the overall score, or NaN."""
        return math.nan

    def compared_by(self, task: Task) -> str | None:
        """The metric with a limited loss in every case; None if it varies."""
        return task.floor if self.scored and task.floor in metrics_of(self, task) else None

    def refreshed(self, facts: JsonObject, case: Case, evidence: Evidence, task: Task, gate: Gate) -> JsonObject:
        """The result's facts, with judged numbers recomputed."""
        return facts


@dataclass(frozen=True, slots=True)
class Case:
    """One row of the gate: a probe's work on a task's examples, and the bounds on the result.

    * ``seeds`` and ``limit``: None uses the run's.
    * ``blocking``: a failure fails the run.
    * ``deep``: runs only on request.
    * ``view``: of the bounds. ``usual_view``: its default.
    * ``entry``: number of its entry in the table.
    * ``max_losses`` and ``max_newly_wrong``: against a reference, the first by metric.
    * ``waiver``: a larger loss accepted for some time.
    * ``share``: the part to run; None runs all.
    * ``least``: smallest clean score; None uses the gate's or task's. ``guesses``: the model is known to guess.
    """

    task: str
    name: str
    probe: Probe
    plan: Plan
    view: str
    usual_view: str
    bounds: tuple[Bound, ...] = ()
    blocking: bool = True
    seeds: tuple[int, ...] | None = None
    limit: int | None = None
    deep: bool = False
    entry: int = 0
    max_losses: Mapping[str, float] = field(default_factory=dict)
    max_newly_wrong: float | None = None
    waiver: Waiver | None = None
    share: CaseShare | None = None
    least: float | None = None
    guesses: bool = False

    @property
    def params(self) -> Mapping[str, Any]:
        """The parameters as the user wrote them."""
        return self.plan.params

    @property
    def slug(self) -> str:
        """The words that identify the case, in ASCII letters, digits and ``._+-``."""
        shown = {**self.plan.shown, **({} if self.limit is None else {"limit": self.limit})}
        view = [self.view] if self.view != self.usual_view else []
        named = (f"{ascii_words(name)}-{ascii_words(value)}" for name, value in shown.items())
        return "-".join([*self.plan.leading, *named, *view])

    @property
    def together(self) -> str:
        """A key shared by cases that should run together."""
        told = [self.task, self.name, self.params, self.plan.shown, self.limit, self.view]
        return json.dumps(told, sort_keys=True, default=str)

    @property
    def id(self) -> str:
        """A stable id, such as ``task/name[rate-0.1]``."""
        slug = self.slug
        return f"{self.task}/{self.name}" + (f"[{slug}]" if slug else "")


probes: Registry[Probe] = Registry("probe", "abalo.probes", "PROBE", group="abalo.probes")
"""Every probe by name."""


def metrics_of(probe: Probe, task: Task) -> Mapping[str, Metric]:
    """The metrics of the probe's cases by name."""
    own = {name: metric for name, metric in task.metrics().items() if metric.fits(probe.name)}
    return {name: metric for name, metric in own.items() if metric.probes} if probe.apart else own


def runs_in_parts(probe: Probe) -> bool:
    """Whether the probe's cases can run part by part."""
    return type(probe).begun is not Probe.begun


def teaches(probe: Probe) -> bool:
    """Whether the probe's changes can be learnt from."""
    return type(probe).lessons is not Probe.lessons


def fields_of(probe: str, task: str) -> list[type[ResultFields]]:
    """What the probe and the task add to results, as far as they are known."""
    known = [probes()[probe].result_fields] if probe in probes() else []
    return [*known, *([tasks()[task].report.result_fields] if task in tasks() else [])]


def baseline_of(task: Task) -> Case:
    """The clean corpus as a case without bounds."""
    return Case(task.name, BASELINE, probes()[BASELINE], Parameters(), task.usual_view, task.usual_view)


def probes_of(task: Task) -> list[Probe]:
    """The probes that the task, or no task, names."""
    named = {name for each in tasks().values() for name in each.probes}
    return [probe for name, probe in probes().items() if name in task.probes or name not in named]


def _tables_in_words(names: Sequence[str], task: Task) -> str:
    return f"[[{task.name}.{names[0]}]]" if len(names) == 1 else ", ".join(names)
