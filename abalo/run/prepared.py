"""What is known of a run before its first case."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from abalo.config.options import recorded_options
from abalo.config.thresholds import case_of, refuse
from abalo.core.protocols.budget import SPENT, Affordable, Budget, affordable, choose, cost
from abalo.core.protocols.preflight import size
from abalo.core.protocols.probe import Case, runs_in_parts
from abalo.core.records.example import JsonObject
from abalo.core.records.gate import AUTO
from abalo.core.running.agreement import FULL_PRECISION, agreement
from abalo.core.running.call_estimate import CallEstimate, add_estimates, estimate_calls
from abalo.core.running.clean_score import CleanScore, clean_score
from abalo.core.running.engine import Engine
from abalo.core.running.judging import Judged, judge_case
from abalo.core.running.trainings import facts_together
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.panel import LOOKS, SMALLEST, group_cases, order_clusters
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.repeating import draws
from abalo.errors import AbaloError
from abalo.models.networks.full_precision import weights_beside
from abalo.reporting.documents.document import applying, baseline_verdict, gate_of, versions
from abalo.reporting.documents.examples import record_line
from abalo.reporting.documents.origin import origin_now
from abalo.reporting.runs.design import TIME, Design, check_shared, left_out_of, panel_of, read_design
from abalo.run.opened import Opened


def is_drawn(case: Case) -> bool:
    """True if a case can be in a panel: it draws variants and can block."""
    return runs_in_parts(case.probe) and case.blocking


class Prepared:
    """An opened run with its clean corpus measured, its cases known, and, where a budget asks for one, a design.

    It depends on its arguments alone, and no call changes it.

    Args:
        deep: Whether the run includes deep cases.
        started: Start of a time budget, by `time.monotonic`; None for now.
        design: The design of a run with a budget.
    """

    def __init__(
        self, opened: Opened, *, deep: bool = False, started: float | None = None, design: Design | None = None
    ) -> None:
        self.opened, self.deep, self.design = opened, deep, design
        self.started = time.monotonic() if started is None else started
        self.spec, self.task = opened.spec, opened.spec.task

    @property
    def engine(self) -> Engine:
        """The engine of the first training."""
        return self.opened.engine

    def cases(self, *, deep: bool = False) -> list[Case]:
        """This task's cases in the thresholds file, except for other languages."""
        applied = self.opened.applied
        found = (case for case in applied.cases if case.task == self.task.name and (deep or not case.deep))
        return [case for case in found if applied.skipped(case) is None]

    def case_of(self, name: str, values: dict[str, object]) -> Case:
        """Returns a case by values as in an entry of thresholds.toml; raises `AbaloError` listing every problem."""
        case = case_of(self.task, name, values, self.opened.gate)
        refuse(Path(f"{self.task.name}.{name}"), self.task.check([case], self.engine))
        return case

    def check(self, cases: Iterable[Case]) -> None:
        """Raises `AbaloError` listing bounds and parameters without meaning for corpus and model."""
        thresholds = self.spec.thresholds
        every = {case.id: case for case in (thresholds.clean(self.task), *cases)}
        refuse(thresholds.path, self.task.check(every.values(), self.engine))

    def estimate_calls(self, cases: Sequence[Case]) -> CallEstimate | None:
        """The language-model calls needed for the clean corpus and the cases; None for other models."""
        engines = self.opened.engines
        found = [estimate_calls(engine, cases) for engine in engines]
        for engine, calls in zip(engines, found, strict=True):
            if calls is not None:
                expected, most = calls.calls + calls.most, self.spec.options.calling.max_calls
                engine.model.calls.estimated = expected if most is None else min(expected, most)
        return add_estimates([calls for calls in found if calls is not None])

    # The clean corpus ------------------------------------------------------------------------------------------------

    @cached_property
    def baseline(self) -> Judged:
        """The clean corpus, judged by its bounds."""
        return self.judged(self.spec.thresholds.clean(self.task), self.opened.clean.evidence)

    @cached_property
    def clean_score(self) -> CleanScore:
        """The clean score per training, whether high enough, and whether above a blind baseline."""
        case, corpus = self.spec.thresholds.clean(self.task), self._own["corpus"]
        return clean_score(self.task, case, self.opened.clean.evidence, self.opened.gate, corpus)

    @property
    def clean_records(self) -> Sequence[str]:
        """Clean errors as lines of ``examples.jsonl``; empty if text is withheld."""
        clean = self.opened.clean
        return [record_line(clean.case.id, record) for record in clean.records]

    # Judging ---------------------------------------------------------------------------------------------------------

    def judged(self, case: Case, evidence: Evidence, bounds: int | None = None) -> Judged:
        """Judges a case, corrected for the ``bounds`` of its family; by default, the thresholds' own."""
        return judge_case(case, self.task, evidence, self.opened.gate, self.family(case, bounds))

    def family(self, case: Case, bounds: int | None) -> int:
        """The number of bounds that a case is corrected for."""
        return self.opened.applied.bounds_beside(case, deep=self.deep) if bounds is None else bounds

    # Facts -----------------------------------------------------------------------------------------------------------

    @cached_property
    def facts(self) -> JsonObject:
        """The document's facts on run and task, without the progress of a design."""
        opened, gate = self.opened, self.spec.thresholds.gate
        own = {**self._own}
        own["baseline"] = {**own["baseline"], **baseline_verdict(self.baseline, self.clean_score, opened.gate)}
        found = {"language": opened.language, "language_found": gate.language == AUTO}
        own["corpus"] = {**own["corpus"], **found}
        own |= applying(opened.applied, self.task, deep=self.deep)
        return {
            **origin_now(),
            "versions": versions(),
            "options": {**recorded_options(self.spec.options), "deep": self.deep},
            "gate": gate_of(self.spec.thresholds, self.spec.options.profile, deep=self.deep),
            "tasks": {self.task.name: own},
        }

    @cached_property
    def _own(self) -> JsonObject:
        engines = self.opened.engines
        every = [self.task.report.facts(engine, self.baseline.bound_view) for engine in engines]
        for engine, each in zip(engines, every, strict=True):
            each["model"] |= engine.identity() | self.opened.code | self._agreement(engine)
        if len(every) == 1:
            return every[0]
        found = facts_together(every)
        return {**found, "notice": self.task.report.notice(found)}

    def _agreement(self, engine: Engine) -> JsonObject:
        spec, options, trainings = engine.model.name, self.spec.options, len(self.opened.models)
        if options.full_precision is not None and trainings > 1:
            raise AbaloError(
                f"--abalo-full-precision {options.full_precision}: is one model, and there are {trainings} to "
                "compare with it; judge each by itself"
            )
        exact = weights_beside(spec) if options.full_precision is None else options.full_precision
        if exact is None and engine.model.settings.get("dtype") == options.dtype != "fp32":
            exact = spec
        if exact is None:
            return {}
        model = self.task.load(exact, replace(options, dtype="fp32"), self.opened.corpus)
        return {FULL_PRECISION: agreement(engine, replace(engine, model=model))}

    # Panels ----------------------------------------------------------------------------------------------------------

    def designed(self, cases: Sequence[Case], say: Callable[[str], None]) -> Prepared:
        """Returns the run on the panel for the budget, or for an earlier design, and reports it through ``say``.

        Raises `AbaloError` if the budget allows no panel.
        """
        opened, options = self.opened, self.spec.options
        corpus, asked = opened.corpus, options.designed
        assert asked is not None, "only a run with a budget or a design has a panel"
        if not hasattr(corpus, "chosen"):
            raise AbaloError(f"task {self.task.name}: its corpus cannot be cut to a panel; give it a method chosen")
        seed = (options.seeds or opened.gate.seeds)[0]
        groups = group_cases((case.together, case.id) for case in cases if is_drawn(case))
        earlier = None if asked.earlier is None else read_design(asked.earlier, self.task)
        looks = LOOKS if options.stop_early else 1
        tried = [size(model) if draws(model) is None else 0 for model in opened.models]
        clusters = [example.cluster for example in corpus.examples]
        if earlier is None:
            assert asked.budget is not None
            panels = affordable(groups, corpus.examples, seed, looks, tried)
            found = choose(panels, self._inputs_within(asked.budget, seed), asked.budget)
        else:
            assert asked.earlier is not None
            known = {case.id for case in opened.applied.cases}
            panel = panel_of(earlier, asked.earlier, len(set(clusters)), known)
            found = Affordable(panel, cost(panel, corpus.examples, tried))
        panel, seed = found.panel, found.panel.seed
        taken = set(order_clusters(clusters, seed)[: panel.sentences])
        until = earlier.seen if earlier is not None and earlier.stopped == TIME else panel.sentences
        left_out = left_out_of(panel.groups, self.task, opened.applied)
        every = len(set(clusters))
        design = Design(self.task, panel, every, found.inputs, asked.budget, left_out, until, found.larger)
        places = [place for place, each in enumerate(clusters) if each in taken]
        prepared = Prepared(opened.part(places, seed), deep=self.deep, started=self.started, design=design)
        say(str(design))
        if opened.reference is not None:
            check_shared(opened.reference, self.task, taken)
            say(design.foresee(opened.reference, opened.applied))
        return prepared

    def _inputs_within(self, budget: Budget, seed: int) -> float:
        opened, most = self.opened, self.spec.options.calling.max_calls
        corpus, models = opened.corpus, opened.models
        calls = math.inf if most is None or not any(hasattr(model, "estimating") for model in models) else most
        if budget.inputs is not None:
            return min(budget.inputs, calls)
        assert budget.seconds is not None
        first = set(order_clusters((example.cluster for example in corpus.examples), seed)[:SMALLEST])
        part = corpus.chosen([place for place, each in enumerate(corpus.examples) if each.cluster in first])
        tried = [self.task.predictor(model, part, None) for model in models]
        found = [each.preflight(twice=True) for each in tried]
        rate = sum(each.inputs for each in found) / max(1e-6, sum(each.seconds for each in found))
        left = SPENT * budget.seconds - (time.monotonic() - self.started)
        return min(left * rate, calls)


def in_panel(cases: Iterable[Case]) -> list[Case]:
    """The cases that a run with a budget takes."""
    return [case for case in cases if is_drawn(case) or case.name == BASELINE]
