"""Promises that one small edit changes nothing, put to the model edit by edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, ClassVar

from abalo.attacks.blocks import remedy
from abalo.core.configuring import Lists
from abalo.core.evidence import Evidence
from abalo.core.metrics import Metric
from abalo.core.plan import Plan
from abalo.core.probe import Case, Ran, RunContext
from abalo.core.promised import ASKED, BROKEN, ONE_LABEL
from abalo.core.statistics import FEWEST_CLUSTERS, Estimate
from abalo.core.task import Task, tasks
from abalo.core.verdicts import Bound, Judgement, Verdict
from abalo.probes.configured import ConfiguredEntries, ConfiguredProbe, ConfiguredReport
from abalo.probes.drawing import FIELD
from abalo.probes.meanings import OF_PROMISES
from abalo.probes.sizes import sizes
from abalo.promises import Hunt, Promise, Trial, promises
from abalo.promises import blocks as report
from abalo.promises.facts import promise_facts
from abalo.promises.trial import Promised

VIOLATIONS = "violations_per_thousand"


class PromiseEntries(ConfiguredEntries[Promise[Any]]):
    """The entries of promises, each of which has a table."""

    meanings = OF_PROMISES

    def members(self, task: Task) -> Mapping[str, Promise[Any]]:
        """The promises of the task."""
        return {name: promise for name, promise in promises().items() if promise.fits(task)}

    def lists(self, member: Promise[Any]) -> Lists:
        """The word lists of the promise by language."""
        return member.lists

    def usual_view(self, task: Task, plan: Plan) -> str:
        """The view in which spans are found where they stand now."""
        return task.resized_view


class PromiseReport(ConfiguredReport):
    """Promises in reports."""

    extent = staticmethod(report.extent)
    findings = staticmethod(report.findings)
    remedy = staticmethod(remedy)
    blocks = staticmethod(report.summary)


class PromiseProbe(ConfiguredProbe[Promise[Any]]):
    """Single edits drawn to estimate how often a promise is broken, and a search for the smallest one that does."""

    name = "promise"
    entries = PromiseEntries()
    report = PromiseReport(entries)
    sized = "draws"
    scored = False
    result_fields: ClassVar[Mapping[str, Any]] = {"promise": None}

    def headline(self, task: Task) -> str:
        """The edits in a thousand that break the promise."""
        return VIOLATIONS

    def asked(self, case: Case, session: RunContext) -> int:
        """The edits that are drawn; a search for the smallest one comes on top."""
        draws: int = self._drawn(case, session).draws
        return draws

    def cost(self, case: Case, seeds: Sequence[int]) -> str:
        """The edits that are drawn, and the search."""
        return f"{self.configured(case).draws:,} inputs, and a search"

    def run(self, case: Case, session: RunContext, search: Hunt | None = None) -> Ran:
        """One outcome per edit; all are drawn under the first seed."""
        promise, corpus = self.member(case), session.corpus.first(case.limit)
        settings, seeds, field = self._drawn(case, session), session.seeds_of(case), self.field(case, session.task)
        trial = Trial(promise, settings, session.task, corpus, session.predictor, field)
        outcomes = trial.drawn(seeds[0])
        found = Promised(trial, outcomes, search(trial, outcomes) if search and trial.examples else None)
        facts = {"promise": promise_facts(found, with_text=session.with_text)}
        return Ran(
            outcomes,
            asdict(settings) | ({FIELD: field} if field else {}),
            tuple(seeds[:1]),
            sizes(session.examples[: case.limit], outcomes),
            trial.forwards,
            facts=facts,
            notes={BROKEN: int(found.broken), ASKED: trial.forwards} | ({ONE_LABEL: 1} if _alike(session) else {}),
        )

    def _drawn(self, case: Case, session: RunContext) -> Any:
        """The settings of the promise, with no more edits than a run of this profile draws."""
        settings, most = self.configured(case), session.options.most_edits
        return settings if most is None else replace(settings, draws=min(settings.draws, most))

    def drawn_under(self, case: Case, seeds: Sequence[int]) -> Sequence[int]:
        """The first."""
        return seeds[:1]

    def undecidable(self, case: Case, bound: Bound, evidence: Evidence) -> str | None:
        """There was nothing that could be edited."""
        if len(evidence):
            return None
        noun, target = tasks()[case.task].noun, tasks()[case.task].targets.nouns()[0]
        if tasks()[case.task].labelled == "spans":
            return f"no {noun} has a place for such an edit and an {target} that is surely found"
        return f"no {noun} has a place for such an edit and is surely labelled right"

    def decided(self, bound: Bound, metric: Metric, evidence: Evidence, estimate: Estimate) -> Judgement | None:
        """A limit of 0 is broken by one edit, drawn or searched for."""
        if self.name not in metric.probes or bound != Bound(bound.metric, "max", 0.0):
            return None
        if evidence.notes.get(BROKEN):
            return Judgement(bound, estimate, "fail", "fail", 0.0, "one edit that breaks the promise is too many")
        if estimate.n >= FEWEST_CLUSTERS:
            return Judgement(bound, estimate, "pass", "pass", 1.0)
        return None

    def decided_in(self, result: Mapping[str, Any], judgement: Mapping[str, Any]) -> Verdict | None:
        """By the stored field ``broken``."""
        metric = tasks()[result["task"]].metrics()[judgement["bound"].removeprefix("max_")]
        if self.name not in metric.probes or judgement["limit"] != 0 or judgement["p"] is None:
            return None
        return "fail" if result["promise"]["broken"] else "pass"

    def variants_from_model(self, case: Case) -> bool:
        """Edits are drawn where the model is sure."""
        return True


PROBE = PromiseProbe()


def _alike(session: RunContext) -> bool:
    """Whether the model has at most one label for all examples, of which gold has several."""
    task, examples = session.task, session.examples
    if task.labelled != "whole":
        return False
    gold = {span.type for example in examples for span in task.stated(example)}
    pairs = zip(examples, session.predictor.clean(), strict=False)
    return len(gold) > 1 and len({span.type for example, each in pairs for span in task.stated(example, each)}) < 2
