"""The protocol of a probe, which is a kind of case. Each has its own module and is discovered automatically."""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Protocol

from abalo.core import words
from abalo.core.entries import Entries
from abalo.core.evidence import Evidence, check_counts
from abalo.core.example import Example, Json
from abalo.core.gate import Gate
from abalo.core.metrics import Metric
from abalo.core.outcome import Outcome
from abalo.core.plan import Plan, Share, Waiver, ascii_words
from abalo.core.probe_report import ProbeReport
from abalo.core.registry import Registry
from abalo.core.statistics import Estimate, Measurement, measure
from abalo.core.subject import Subject
from abalo.core.task import Resources, Task, tasks
from abalo.core.verdicts import Bound, Judgement, Verdict

NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Ran:
    """The outcomes of a case, before they are counted.

    ``params`` are those of the case, and what was found for those it leaves open. ``sizes`` holds ``sentences``,
    ``distinct``, ``changed`` and ``variants`` as the report has them. ``forwards`` counts the distinct model inputs
    that the case needed beyond the clean corpus, ``shared_forwards`` those of them that a related case needs too.
    ``facts`` are further fields of its result; ``notes`` whole numbers that its judgement needs.
    """

    outcomes: Sequence[Outcome]
    params: Mapping[str, Any]
    seeds: tuple[int, ...]
    sizes: Mapping[str, int]
    forwards: int = 0
    shared_forwards: int = 0
    facts: Json = field(default_factory=dict)
    notes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Taught:
    """A changed example to learn from, and what it was changed from; None for one that stands in no corpus."""

    changed: Example
    original: Example | None


class Begun(Protocol):
    """A case that is run part by part."""

    @property
    def examples(self) -> Sequence[Example]:
        """The examples that it has in all."""
        ...

    @property
    def seeds(self) -> Sequence[int]:
        """The seeds that it has in all."""
        ...

    def take(self, places: Sequence[int], seeds: Sequence[int]) -> None:
        """Runs the examples at these places, in increasing order, under the seeds; none has been run under them."""
        ...

    def ran(self) -> Ran:
        """The outcomes of all parts so far, in the order that a run of the whole would give them."""
        ...


OpenLog = Callable[["Case"], Any]
"""Gives what opens the log of a case; None where no log is kept."""


class RunContext(Subject, Protocol):
    """The run as a probe sees it: besides the `Subject` its task, its language and what perturbations can request."""

    @property
    def task(self) -> Task:
        """The task."""
        ...

    @property
    def language(self) -> str:
        """The language of the corpus, an ISO 639-1 code, `UNDETERMINED` or `SEVERAL` of `abalo.core.gate`."""
        ...

    @property
    def resources(self) -> Resources:
        """The resources that perturbations can request."""
        ...

    @property
    def with_text(self) -> bool:
        """Whether anything that quotes the corpus may be kept."""
        ...

    @property
    def open_log(self) -> OpenLog | None:
        """Gives what opens the log of a case; None for a run without logs."""
        ...

    def seeds_of(self, case: Case, /) -> Sequence[int]:
        """The seeds of a case: its own, else those of the run."""
        ...


class Probe(ABC):
    """A kind of case: what is done to examples, and how that is counted and judged.

    ``entries`` reads its tables in thresholds.toml, ``report`` says in words and blocks what its results are.
    ``result_fields`` are the fields that its results have, each with the value that stands in results of other kinds. A
    probe is one of every task unless a task names it among its ``probes``; then it is one of those that do.
    """

    name: ClassVar[str]
    entries: Entries
    report: ProbeReport = ProbeReport()
    result_fields: ClassVar[Mapping[str, Any]] = NOTHING
    perturbs: ClassVar[bool] = True
    """Whether the model is shown anything else than the clean corpus."""
    scored: ClassVar[bool] = True
    """Whether scores over all its variants say how a case fared; not where each variant is about one target."""
    searches: ClassVar[bool] = False
    """Whether its cases are searches of `abalo.attacks`, in which predictions decide what else the model is asked.

    Several processes can each run a share of the targets (`Case.share`); `abalo.attacks.facts` joins their results.
    """
    apart: ClassVar[bool] = False
    """Whether its units are fillings of templates (`Outcome.check`), none of the corpus.

    Then only metrics made for it are measured, groups are templates (`abalo.core.units`), and its bounds say what is
    asked of a model, not what one has been measured to do, so that none is calibrated.
    """
    teaches: ClassVar[bool] = False
    """Whether its changes can be learnt from (`lessons`)."""
    redrawn: ClassVar[bool] = False
    """Whether its lessons are drawn without asking the model, so that new ones cost next to nothing."""

    # Running ----------------------------------------------------------------------------------------------------------

    @abstractmethod
    def run(self, case: Case, session: RunContext, search: Any = None) -> Ran:
        """Does to the examples what the case says, and gathers what the model makes of them.

        ``search`` looks for the smallest change that breaks the model, where the probe has such a search.
        """

    def lessons(self, case: Case, session: RunContext, seed: int, most: int) -> Sequence[Taught]:
        """At most so many changes of examples of the session's corpus as the case makes them, drawn under the seed.

        Their gold is carried along. The case itself may be about another corpus.
        """
        return ()

    def begun(self, case: Case, session: RunContext) -> Begun | None:
        """The case with nothing done yet, to be run part by part; None of a kind that is run whole."""
        return None

    def asked(self, case: Case, session: RunContext) -> int:
        """How many inputs the model is asked about beyond the clean corpus, at most: each example once per seed.

        Of cases that are searches, how many searches.
        """
        return len(session.examples[: case.limit]) * len(session.seeds_of(case)) if self.perturbs else 0

    def cost(self, case: Case, seeds: Sequence[int]) -> str:
        """The inputs that a case asks the model about, in words; ``seeds`` are those of the run."""
        if not self.perturbs:
            return "no input beyond the clean corpus"
        times = len(self.drawn_under(case, seeds if case.seeds is None else case.seeds)) or 1
        return f"at most {words.count(times, 'input')} for each example"

    def ahead(self, plan: Plan) -> bool:
        """Whether the case of a plan can be run before it is asked for.

        Then case and session decide all that the model is asked, and what comes before that takes no time to speak of.
        """
        return False

    def drawn_under(self, case: Case, seeds: Sequence[int]) -> Sequence[int]:
        """Those of the ``seeds`` that the variants of a case are drawn under; none where nothing is drawn."""
        return seeds if self.perturbs else ()

    def variants_from_model(self, case: Case) -> bool:
        """Whether the variants depend on the model, so that another model is shown others."""
        return False

    # Counting and judging ---------------------------------------------------------------------------------------------

    def metrics(self, task: Task) -> Mapping[str, Metric]:
        """The metrics that are measured of its cases, by name; of a probe apart, those that are made for it."""
        own = {name: metric for name, metric in task.metrics().items() if metric.fits(self.name)}
        return {name: metric for name, metric in own.items() if metric.probes} if self.apart else own

    def headline(self, task: Task) -> str:
        """The metric that says at once how a case fared."""
        return task.headline

    def unit(self, task: Task) -> str:
        """The units that a judgement counts, in the plural."""
        return f"{task.noun}s"

    def meaningless(self, metric: Metric, task: Task) -> str | None:
        """Why a bound on the metric says nothing in any of its cases; None where it does."""
        if not metric.fits(self.name):
            tables = {name: probes()[name].entries.tables(task) for name in metric.probes}
            kinds = [f"{name}s: {_tables_in_words(names, task)}" for name, names in tables.items()]
            return f"has a meaning only for {'; '.join(kinds)}"
        if metric.needs_change and not self.perturbs:
            return f"has no meaning where nothing is changed: {self.name}"
        return None

    def measure(self, case: Case, evidence: Evidence, task: Task, gate: Gate) -> Mapping[str, Measurement]:
        """The metrics in every view, with intervals."""
        metrics = self.metrics(task).values()
        check_counts(metrics)
        return measure(evidence, task.views, metrics, gate)

    def undecidable(self, case: Case, bound: Bound, evidence: Evidence) -> str | None:
        """Why the evidence shows nothing about the bound; None where it does."""
        return None

    def out_of_reach(self, case: Case, bound: Bound, evidence: Evidence) -> str | None:
        """Why no value that is possible on the evidence breaks the bound; None where one does, or may do."""
        return None

    def reach(self, case: Case, evidence: Evidence, task: Task) -> float:
        """How far the score over all can drop if all that the case changed is lost; NaN where nobody asks."""
        return math.nan

    def decided(self, bound: Bound, metric: Metric, evidence: Evidence, estimate: Estimate) -> Judgement | None:
        """The judgement on a bound that no interval is needed for; None where one is."""
        return None

    def decided_in(self, result: Mapping[str, Any], judgement: Mapping[str, Any]) -> Verdict | None:
        """The verdict of `decided` recomputed from a stored result and judgement; None if the interval decides.

        ``abalo verdict`` compares it with the stored verdict. A probe that overrides `decided` overrides this too.
        """
        return None

    def compared_by(self, task: Task) -> str | None:
        """The metric whose loss against a reference is limited in every case; None where only a case can say one."""
        return task.floor if self.scored and task.floor in self.metrics(task) else None

    def refreshed(self, facts: Json, case: Case, evidence: Evidence, task: Task, gate: Gate) -> Json:
        """The facts of a result with the numbers in them that depend on how the run is judged."""
        return facts


@dataclass(frozen=True, slots=True)
class Case:
    """One row of the gate: what a probe does with the examples of a task, and the bounds its result must keep.

    ``seeds`` and ``limit`` are None where those of the run apply. A ``blocking`` case fails the run when it fails. A
    ``deep`` case runs only where it is asked for. Bounds are about ``view``; ``usual_view`` is the one that they are
    about unless an entry says otherwise. ``entry`` is the place of the entry that the case was read from in its table;
    one entry may give several cases. ``max_losses`` are the largest losses against a reference, by metric, where they
    are not those of the run; a ``waiver`` allows more for some time. ``share`` is the share of it that is run here,
    None for all of it. ``least`` and ``guesses`` are about the clean corpus alone: the smallest clean score, None for
    that of the gate or the task, and whether the model is known to guess.
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
    waiver: Waiver | None = None
    share: Share | None = None
    least: float | None = None
    guesses: bool = False

    @property
    def params(self) -> Mapping[str, Any]:
        """The parameters as the user wrote them."""
        return self.plan.params

    @property
    def slug(self) -> str:
        """The words that set the case apart, in ASCII letters, digits and ``._+-``, such as ``rate-0.1``; may be empty.

        Those of the plan, its parameters, the limit, and the view where it is not the usual one.
        """
        shown = {**self.plan.shown, **({} if self.limit is None else {"limit": self.limit})}
        view = [self.view] if self.view != self.usual_view else []
        named = (f"{ascii_words(name)}-{ascii_words(value)}" for name, value in shown.items())
        return "-".join([*self.plan.leading, *named, *view])

    @property
    def together(self) -> str:
        """The same for cases that differ by leading words alone, as one aimed at gold and one at predicted spans.

        They need much the same of the model, and are best run together.
        """
        told = [self.task, self.name, self.params, self.plan.shown, self.limit, self.view]
        return json.dumps(told, sort_keys=True, default=str)

    @property
    def id(self) -> str:
        """The same however pytest was started, such as ``task/name[rate-0.1]``."""
        return f"{self.task}/{self.name}" + (f"[{self.slug}]" if self.slug else "")


probes: Registry[Probe] = Registry("probe", "abalo.probes", "PROBE", group="abalo.probes")
"""Every probe by name."""


def probes_of(task: Task) -> list[Probe]:
    """The probes of the task: those that it names, and those that no task names."""
    named = {name for each in tasks().values() for name in each.probes}
    return [probe for name, probe in probes().items() if name in task.probes or name not in named]


def _tables_in_words(names: Sequence[str], task: Task) -> str:
    """The tables by name; an only one as thresholds.toml writes it."""
    return f"[[{task.name}.{names[0]}]]" if len(names) == 1 else ", ".join(names)
