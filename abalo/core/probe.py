"""The protocol of a probe, which is a kind of case. Each has its own module and is discovered automatically."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from abalo.core import words
from abalo.core.blocks import Block
from abalo.core.evidence import Evidence, check_counts
from abalo.core.example import Example, Json
from abalo.core.gate import Gate
from abalo.core.metrics import Metric
from abalo.core.outcome import Outcome
from abalo.core.plan import Plan, Share, Waiver, ascii_words
from abalo.core.registry import Registry
from abalo.core.settings import Entry
from abalo.core.statistics import Estimate, Measurement, measure
from abalo.core.subject import Subject
from abalo.core.task import Resources, Task
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
    """A kind of case.

    ``result_fields`` are the fields that its results have, each with the value that stands in results of other kinds.
    ``where`` names the part of the corpus that is measured; ``unit`` the units that its judgements count, in the
    plural, where they are not the examples of the task.
    """

    name: ClassVar[str]
    result_fields: ClassVar[Mapping[str, Any]] = NOTHING
    where: ClassVar[str] = "corpus"
    for_all: ClassVar[bool] = False
    """Whether every task has such cases, also those that do not name the probe."""
    perturbs: ClassVar[bool] = True
    """Whether the model is shown anything else than the clean corpus."""
    scored: ClassVar[bool] = True
    """Whether scores over all its variants say how a case fared; not where each variant is about one target."""
    searches: ClassVar[bool] = False
    """Whether its cases are searches, in which what the model predicts decides what else it is asked."""
    shared: ClassVar[bool] = False
    """Whether several processes can each run a share of one of its cases, as `Case.share` says, for `joined`."""
    apart: ClassVar[bool] = False
    """Whether its units are none of the corpus, so that what the task says of examples and groups is not about them."""
    teaches: ClassVar[bool] = False
    """Whether its changes can be learnt from (`lessons`)."""
    redrawn: ClassVar[bool] = False
    """Whether its lessons are drawn without asking the model, so that new ones cost next to nothing."""
    demanded: ClassVar[bool] = False
    """Whether its bounds say what is asked of a model, not what one has been measured to do, so that none is
    calibrated."""
    tabled: ClassVar[bool] = False
    """Whether its blocks have a table of all its cases with bounds and verdicts, so that no other lists them."""

    # thresholds.toml --------------------------------------------------------------------------------------------------

    @abstractmethod
    def tables(self, task: Task) -> Sequence[str]:
        """The names of the tables of a task that it reads."""

    def canonical(self, task: Task, name: str) -> str | None:
        """The name of the table that is also called ``name``; None where there is none."""
        return name if name in self.tables(task) else None

    @abstractmethod
    def parse(self, entry: Entry, task: Task) -> Sequence[Plan]:
        """The plans that an entry asks for, one a case; none, and problems added, where it has any.

        Keys that are settings or bounds have been taken out of its values.
        """

    @abstractmethod
    def parameters(self, entry: Entry, task: Task) -> Sequence[str]:
        """The keys that an entry can have besides settings and bounds."""

    def refused_settings(self, entry: Entry, task: Task) -> Mapping[str, str]:
        """Settings that an entry cannot have, each with the reason."""
        return {}

    def usual_view(self, task: Task, plan: Plan) -> str:
        """The view that bounds are about unless they say otherwise."""
        return task.usual_view

    def usual_bound(self, task: Task, plan: Plan) -> Bound:
        """The bound that a case gets which has none, as loose as can be."""
        return loosest(task.metrics()[self.headline(task)], "max")

    def metrics(self, task: Task) -> Mapping[str, Metric]:
        """The metrics that are measured of its cases, by name."""
        return {name: metric for name, metric in task.metrics().items() if metric.fits(self.name)}

    def bounded(self, entry: Entry, task: Task) -> Sequence[str]:
        """The metrics that a bound of an entry can be about."""
        return [name for name, metric in self.metrics(task).items() if self.perturbs or not metric.needs_change]

    def meaningless(self, case: Case, metric: Metric, task: Task) -> str | None:
        """Why a bound on the metric says nothing here; None where it does."""
        if not metric.meant_in(case.view):
            return f'has no meaning in the {case.view} view; set view = "{metric.views[0]}"'
        if not metric.fits(self.name):
            kinds = [f"{name}s: {_tables_in_words(probes()[name].tables(task), task)}" for name in metric.probes]
            return f"has a meaning only for {'; '.join(kinds)}"
        if metric.needs_change and not self.perturbs:
            return f"has no meaning where nothing is changed: {case.name}"
        return None

    def refused_bounds(self, case: Case, task: Task) -> Iterator[tuple[str, str]]:
        """The bounds of a case that say nothing, by the key in its entry, each with the reason."""
        for name, metric in {bound.name: task.metrics()[bound.metric] for bound in case.bounds}.items():
            reason = self.meaningless(case, metric, task)
            if reason is not None:
                yield name, reason

    def settled(self, cases: Sequence[Case], entries: Sequence[Mapping[str, Any]]) -> Sequence[Case]:
        """The cases of a table, without those that another entry of it has already."""
        return cases

    def together(self, case: Case) -> str:
        """A name that a case shares with those that need much the same of the model, and are best run with it."""
        return case.id

    def skipped(self, plan: Plan, language: str) -> str | None:
        """Why a case says nothing about a corpus in the language; None where it does.

        For `AUTO`, which is not known yet, only what holds in every language is a reason.
        """
        return None

    # Running and judging ----------------------------------------------------------------------------------------------

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

    def groups(self, outcomes: Sequence[Outcome], task: Task) -> list[str]:
        """The groups that have numbers of their own; those of the task unless the probe has others."""
        return task.groups(outcomes)

    def held(self, outcomes: Sequence[Outcome], groups: Sequence[str], task: Task) -> NDArray[np.int64]:
        """How much of each group the example of each outcome holds (outcomes × groups)."""
        return task.held(outcomes, groups)

    def group_noun(self, task: Task) -> str:
        """A group in words."""
        return task.group_noun

    def of_task(self, outcomes: Sequence[Outcome], task: Task, *, with_text: bool) -> Json:
        """The fields that the task adds to a result."""
        return task.report.result_facts(outcomes, with_text=with_text)

    def examples(self, outcomes: Sequence[Outcome], case: Case, task: Task) -> list[Json]:
        """The outcomes that show most, worst first, as the task shows them."""
        if self.perturbs:
            return task.report.examples(outcomes, case.view)
        return task.report.mistakes([each for each in outcomes if not each.outside])

    def records(self, outcomes: Sequence[Outcome], task: Task) -> Iterable[Json]:
        """Every outcome that is wrong, with its text, as JSON values."""
        return task.report.records(outcomes)

    def joined(self, parts: Sequence[Json], evidence: Evidence) -> Json:
        """The fields that are no sums in the results of all parts of a case, as those of the whole.

        ``evidence`` is that of the whole.
        """
        return {}

    def measure(self, case: Case, evidence: Evidence, task: Task, gate: Gate) -> Mapping[str, Measurement]:
        """The metrics in every view, with intervals."""
        metrics = self.metrics(task).values()
        check_counts(metrics)
        return measure(evidence, task.views, metrics, gate)

    def impossible(self, evidence: Evidence) -> str | None:
        """Why no variant of a case could make this model any worse, so that nothing is judged; None if one could."""
        return None

    def undecidable(self, case: Case, bound: Bound, evidence: Evidence) -> str | None:
        """Why the evidence shows nothing about the bound; None where it does."""
        return None

    def out_of_reach(self, case: Case, bound: Bound, evidence: Evidence) -> str | None:
        """Why no value that is possible on the evidence breaks the bound; None where one does, or may do."""
        return None

    def reach(self, case: Case, evidence: Evidence, task: Task) -> float:
        """How far the score over all can drop if all that the case changed is lost; NaN where nobody asks."""
        return math.nan

    def whole(self, evidence: Evidence) -> bool:
        """Whether the evidence has all units that there are, so that nothing in it is left to chance."""
        return False

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

    def variants_from_model(self, case: Case) -> bool:
        """Whether the variants depend on the model, so that another model is shown others."""
        return False

    def drawn_under(self, case: Case, seeds: Sequence[int]) -> Sequence[int]:
        """Those of the ``seeds`` that the variants of a case are drawn under; none where nothing is drawn."""
        return seeds if self.perturbs else ()

    def unit(self, task: Task) -> str:
        """The units that a judgement counts, in the plural."""
        return f"{task.noun}s"

    def refreshed(self, facts: Json, case: Case, evidence: Evidence, task: Task, gate: Gate) -> Json:
        """The facts of a result with the numbers in them that depend on how the run is judged."""
        return facts

    # Reports ----------------------------------------------------------------------------------------------------------

    def headline(self, task: Task) -> str:
        """The metric that says at once how a case fared."""
        return task.headline

    def title(self, result: Mapping[str, Any]) -> str:
        """A case in words, without its settings."""
        return words.sentence_case(words.spoken(result["perturbation"]))

    def settings(self, result: Mapping[str, Any]) -> Sequence[str]:
        """The settings that tell a case from others, in words; those that are as usual are left out."""
        return words.parameters(result["params"]) if self.perturbs else ()

    def scores(self, task: Task) -> Sequence[str]:
        """The metrics that stand beside the headline number in tables."""
        return task.report.scores or (task.floor,)

    def extent(self, result: Mapping[str, Any], task: Task) -> str:
        """How much a case was measured on, in a few words."""
        if not self.perturbs:
            return f"of {words.count(result['sentences'], task.noun)}"
        over_all = f"{task.floor}_drop"
        found = result["metrics"].get(over_all) if result["headline"] == f"{over_all}_changed" else None
        if found is None or result["changed"] in (0, result["sentences"]):
            return f"changed {self.changed(result)}"
        return f"changed {self.changed(result)}, over all {words.number(found['value'])}"

    def changed(self, result: Mapping[str, Any]) -> str:
        """How many examples were changed, such as ``180/200``; a dash where nothing is perturbed."""
        if not self.perturbs:
            return words.NOTHING
        filtered = f", {words.count(result['filtered'], 'variant')} filtered out" if result["filtered"] else ""
        missed = f", {result['not_hit']:,} not hit" if result.get("not_hit") else ""
        known = result["reach"] is not None and 0 < result["changed"] < result["sentences"]
        most = f", reach {words.number(result['reach'])}" if known else ""
        if result["sentences"] and result.get("nothing_fits") == result["sentences"]:
            most = ", nothing fits anywhere"
        return f"{result['changed']:,}/{result['sentences']:,}{missed}{filtered}{taken(result)}{most}"

    def idle(self, result: Mapping[str, Any], task: Task) -> str | None:
        """The reason why a case says nothing about the model, such as ``changed no sentence``; None where it does."""
        return f"changed no {task.noun}" if self.perturbs and not result["changed"] else None

    def remarks(self, results: Sequence[Mapping[str, Any]], document: Mapping[str, Any]) -> Sequence[str]:
        """Remarks to read before trusting the results of this kind."""
        return ()

    def remedy(self, result: Mapping[str, Any], task: Task) -> str:
        """The way from a case that failed to a model that passes it, in a sentence or two."""
        return f"Train on {task.noun}s of this kind, then run the case again."

    def more(self, result: Mapping[str, Any], task: Task) -> str:
        """The way to decide what is undecided, in a sentence."""
        return f"Judge on more distinct {task.noun}s."

    def findings(self, result: Mapping[str, Any]) -> Sequence[Block]:
        """The findings of a result to show wherever it is named, such as a counterexample."""
        return ()

    def blocks(self, results: Sequence[Mapping[str, Any]], document: Mapping[str, Any]) -> Sequence[Block]:
        """The blocks in the summary of a report about all results of this kind in one task."""
        return ()

    def detail(self, result: Mapping[str, Any], document: Mapping[str, Any]) -> Sequence[Block]:
        """The blocks about one result beyond the common part."""
        return ()


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
    def id(self) -> str:
        """The same however pytest was started, such as ``task/name[rate-0.1]``."""
        return f"{self.task}/{self.name}" + (f"[{self.slug}]" if self.slug else "")


probes: Registry[Probe] = Registry("probe", "abalo.probes", "PROBE", group="abalo.probes")
"""Every probe by name."""


def taken(result: Mapping[str, Any]) -> str:
    """How far a case went that stopped early, such as `` (of 490, 1 of 3 seeds)``; empty for one that did not."""
    far = result.get("taken")
    if far is None or (far["sentences"], far["seeds"]) == (far["of"], far["of_seeds"]):
        return ""
    seeds = f", {far['seeds']} of {far['of_seeds']} seeds" if far["seeds"] < far["of_seeds"] else ""
    return f" (of {far['of']:,}{seeds})"


def _tables_in_words(names: Sequence[str], task: Task) -> str:
    """The tables by name; an only one as thresholds.toml writes it."""
    return f"[[{task.name}.{names[0]}]]" if len(names) == 1 else ", ".join(names)


def loosest(metric: Metric, side: str) -> Bound:
    """A bound on the metric that every value keeps."""
    return Bound(metric.name, "max", metric.high) if side == "max" else Bound(metric.name, "min", metric.low)
