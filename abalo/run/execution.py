"""Runs the cases of a prepared run, and judges them."""

from __future__ import annotations

import copy
import hashlib
import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache, cached_property, partial
from itertools import zip_longest

from abalo.comparison.document.node_names import TESTS
from abalo.config.options import recorded_options
from abalo.core.documents.document import TaskFacts
from abalo.core.protocols.budget import STOPPED, Deadline
from abalo.core.protocols.probe import Case
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import as_json, read
from abalo.core.records.words import count
from abalo.core.running.engine import CALLS, CaseRun
from abalo.core.running.expected import Pace, estimate_predictions, in_all, lasting, seconds_by_case, try_searches
from abalo.core.running.judging import judge_early
from abalo.core.running.panel_run import run_panel
from abalo.core.running.stopping import holders, misses_a_group, open_losses, until_decided, waiting
from abalo.core.running.trainings import together
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.plan import BASELINE
from abalo.errors import AbaloError
from abalo.reporting.documents.document import in_order, results_of
from abalo.reporting.documents.origin import FIELDS
from abalo.reporting.runs.design import TIME
from abalo.reporting.runs.judging import RunFindings, join_facts, judge
from abalo.reporting.runs.reference import losses_early
from abalo.run.prepared import Prepared, in_panel
from abalo.run.results import Report, Result
from abalo.run.store import CaseRecord, RunStore, clean_name
from abalo.version import __version__


class Execution:
    """Runs and judges the cases of a `Prepared`; what is known later than that is here."""

    def __init__(self, prepared: Prepared, store: RunStore | None = None) -> None:
        self.prepared, self._store = prepared, store
        self._design = copy.copy(prepared.design)
        self._panel_runs: Mapping[str, CaseRun] = {}
        self._clean_stored = False

    @property
    def facts(self) -> JsonObject:
        """The document's facts on run and task."""
        found, name = self.prepared.facts, self.prepared.task.name
        if self._design is None:
            return found
        return {**found, "tasks": {name: {**found["tasks"][name], "design": self._design.facts}}}

    def left(self, cases: Sequence[Case]) -> list[Case]:
        """The cases that no earlier run has finished."""
        return [case for case in cases if not self._is_finished(case)]

    def check_finished(self, cases: Sequence[Case]) -> None:
        """Raises `AbaloError` if one of the cases was finished by a run with another model, corpus or options."""
        for case in cases:
            if self._store is not None and self._is_finished(case):
                self._store.check(case, self._run_of(case))

    def _is_finished(self, case: Case) -> bool:
        return self._store is not None and self.prepared.spec.options.resume and self._store.has(case.id)

    def run_panel(self, cases: Sequence[Case], say: Callable[[str], None]) -> None:
        """Runs the cases of the design before they are judged one by one."""
        design, opened, task = self._design, self.prepared.opened, self.prepared.task
        if design is None:
            return
        panel, seconds = design.panel, None if design.budget is None else design.budget.seconds
        deadline = Deadline(math.inf if seconds is None else self.prepared.started + STOPPED * seconds)
        own, clean = read(TaskFacts, self.facts["tasks"][task.name]), self.prepared.baseline

        def at_part(seen: int, evidence: Mapping[str, Evidence]) -> bool:
            design.seen = seen
            if opened.reference is not None:
                every = {clean.case.id: clean.evidence, **evidence}
                said, stops = design.look(seen, every, own, opened.reference, opened.applied)
                if said:
                    say(said)
                if stops:
                    return True
            if design.until <= seen < panel.sentences:  # an earlier run had no more time
                design.stopped = TIME
                return True
            return False

        here = [case for case in cases if case.id in panel.cases]
        found = run_panel(panel, here, opened.engines, task, deadline, at_part)
        if (found.seen, found.each) != (panel.sentences, panel.each) and design.stopped is None:
            design.stopped, design.panel = TIME, replace(panel, each=found.each)
        self._panel_runs = found.cases
        if design.stopped is not None:
            seen = f"{found.seen:,} of {panel.sentences:,} {task.noun}s"
            fewer = f", each in {found.each} of {panel.each} groups of cases" if found.each < panel.each else ""
            say(f"stopped after {seen}{fewer}: {design.stopped}")

    def judged(
        self,
        case: Case,
        search: object = None,
        *,
        bounds: int | None = None,
        command: str = "",
        following: Case | None = None,
    ) -> Result:
        """Runs and judges a case, corrected for the ``bounds`` of its family.

        ``search`` has the form that the probe defines. The ``following`` case runs in the background: do not use the
        model until it is judged or the execution closed.
        """
        prepared = self.prepared
        record = self._finish(case, search, bounds, following)
        run = record.run
        found = prepared.judged(case, run.evidence, bounds)
        if case.name == BASELINE:
            found = prepared.clean_score.failing(found)
        facts = {**run.facts, "command": command}
        results = results_of(found, prepared.task, prepared.opened.gate, facts, run.examples)
        return Result(found, results, record, prepared.spec.options.reports)

    def close(self) -> None:
        """Stops background work; needed only after a ``following`` case."""
        for engine in self.prepared.opened.engines:
            engine.close()

    def _finish(self, case: Case, search: object, bounds: int | None, following: Case | None) -> CaseRecord:
        store = self._store
        if store is not None and self._is_finished(case):
            return store.find(case, self._run_of(case))
        record = CaseRecord.of(self._run(case, search, bounds, following))
        if store is not None:
            store.add(record, self._run_of(case))
        return record

    def store_clean(self) -> None:
        """Stores the clean corpus, once."""
        if self._store is not None and not self._clean_stored:
            clean = self.prepared.opened.clean
            self._store.add(CaseRecord(clean, self.prepared.clean_records), self._depends, clean_name(clean.case.task))
            self._clean_stored = True

    def _run(self, case: Case, search: object, bounds: int | None, following: Case | None) -> CaseRun:
        if case.id in self._panel_runs:
            return self._panel_runs[case.id]
        opened, early = self.prepared.opened, self.prepared.spec.options.stop_early
        runs = None
        if early and self._design is None:
            level = (1 - opened.gate.confidence) / 2
            asks = opened.reference is not None or case.bounds
            holding = cache(partial(holders, case, opened.engine))
            decided = partial(self._decides, case, bounds, holding) if asks else None
            runs = until_decided(case, opened.engines, level, decided)
        if runs is None:
            alone = len(opened.engines) == 1 and not early
            runs = [engine.run(case, search, following if alone else None) for engine in opened.engines]
        return runs[0] if len(runs) == 1 else together(runs, self.prepared.task)

    def _decides(
        self, case: Case, bounds: int | None, holding: Callable[[], Counter[str | None]], evidence: Evidence
    ) -> bool:
        prepared, task, opened = self.prepared, self.prepared.task, self.prepared.opened
        metrics = task.metrics()
        names = {bound.metric for bound in case.bounds} if opened.reference is None else {*metrics}
        if any(metrics[name].macro for name in names) and misses_a_group(evidence, holding()):
            return False
        found = judge_early(case, task, evidence, opened.gate, prepared.family(case, bounds))
        if waiting(found, holding().__getitem__):
            return False
        if opened.reference is None:
            return True
        own = read(TaskFacts, self.facts["tasks"][task.name])
        losses = losses_early(case, task, own, evidence, opened.reference, opened.applied, deep=prepared.deep)
        return not open_losses(losses)

    def _run_of(self, case: Case) -> str:
        return f"{self._depends} {case.id} {case.share}"

    @cached_property
    def _depends(self) -> str:
        """A digest of what outcomes depend on besides the case."""
        spec, own = self.prepared.spec, self.prepared.facts["tasks"][self.prepared.task.name]
        depends = {
            "version": __version__,
            "options": {
                **recorded_options(spec.options),
                "profile": spec.options.profile,
                "deep": self.prepared.deep,
            },
            "thresholds": spec.thresholds.sha256,
            "task": spec.task.name,
            "model": {name: value for name, value in own["model"].items() if name != CALLS},
            "corpus": own["corpus"],
        }
        return hashlib.sha256(json.dumps(as_json(depends), sort_keys=True).encode()).hexdigest()


def begin(
    prepared: Prepared,
    cases: Sequence[Case],
    store: RunStore | None = None,
    say: Callable[[str], None] | None = None,
    pace: Pace | None = None,
) -> Execution:
    """Begins a run: refuses what cannot be asked, says what is to be done, and runs a panel if a budget asks for one.

    Args:
        prepared: The run of a task.
        cases: Its cases, as `Prepared.check` accepts them.
        store: Keeps finished cases.
        say: Takes what a user should know before the first case. Without it, nothing is estimated.
        pace: Takes the seconds that each case will last.

    Raises `AbaloError`, `UnaffordableError` among them.
    """
    run, options, opened = Execution(prepared, store), prepared.spec.options, prepared.opened
    designed, tell = options.designed is not None, say or _say_nothing
    left = run.left(cases)
    calls = prepared.estimate_calls(() if designed else left)
    if designed:
        if calls is not None and calls.sends_to:
            tell(f"the texts of the corpus are sent to {calls.sends_to}")
        run = Execution(prepared.designed(cases, tell), store)
    elif calls is not None:
        tell(str(calls))
        calls.refuse(options.calling.max_calls)
    expected = None
    if say is not None and not designed:
        parts = [estimate_predictions(engine, left) for engine in opened.engines]
        expected = in_all(parts)
        if expected.inputs or expected.searches:
            say(str(expected))
        for model, part in zip(opened.models, parts, strict=True):
            if told := getattr(model, "foresee", _no_calls)(part.inputs + part.most):
                say(told)
    for foreseen in filter(None, (getattr(getattr(each, "calls", None), "foreseen", "") for each in opened.models)):
        tell(foreseen)
    run.run_panel(cases, tell)
    _ = run.facts  # with the calls for the clean corpus alone
    run.check_finished(cases)
    if len(left) < len(cases):
        tell(f"{len(cases) - len(left)} of {count(len(cases), 'case')} finished by the run that stopped")
    if expected is not None and pace is not None:
        searches = try_searches(opened.engine, left) if expected.searches and expected.is_open else {}
        if searches:
            lasts = lasting(sum(searches.values()) * len(opened.engines))
            tell(f"{count(expected.searches, 'search', 'searches')} of attacks: about {lasts}, as the first ones took")
        for case, seconds in seconds_by_case(opened.engine, left, searches).items():
            pace.expected[case] = seconds * len(opened.engines)
    return run


def run_all(
    runs: Sequence[Prepared], made: JsonObject | None = None, progress: Callable[[int, int], None] | None = None
) -> Report:
    """Judges the tasks' cases in the thresholds file as one run.

    Args:
        runs: A run for each task, under the same options and thresholds.
        made: Replaces date and commit in the document.
        progress: Takes the number of judged cases and of all, before and after each case.

    Raises `AbaloError` before the first case.
    """
    spec, names = runs[0].spec, ", ".join(prepared.task.name for prepared in runs)
    runs = [prepared for prepared in runs if prepared.cases(deep=prepared.deep)]
    if not runs:
        raise AbaloError(f"{spec.thresholds.path}: has no case of {names} for this corpus; give a file that has one")
    every = [prepared.cases(deep=prepared.deep) for prepared in runs]
    if spec.options.designed is not None:
        if len(runs) > 1:
            raise AbaloError("a budget or design is for one task, and the run has several; run the tasks one by one")
        every = [in_panel(every[0])]
    for prepared, cases in zip(runs, every, strict=True):
        prepared.check(cases)
    begun = [(begin(prepared, cases), cases) for prepared, cases in zip(runs, every, strict=True)]
    total, done = sum(len(cases) for _, cases in begun), 0
    tell = progress or _show_nothing
    tell(done, total)
    judged: list[tuple[Execution, list[Result]]] = []
    for execution, cases in begun:
        judged.append((execution, []))
        for result in _judge_all(execution, cases):
            judged[-1][1].append(result)
            done += 1
            tell(done, total)
    return _reported(judged, made)


def _judge_all(execution: Execution, cases: Sequence[Case]) -> Iterator[Result]:
    with closing(execution):  # so that nothing runs on ahead of a case that fails
        for case, next_one in zip_longest(cases, cases[1:]):
            yield execution.judged(case, following=next_one)


def _reported(done: Sequence[tuple[Execution, Sequence[Result]]], made: JsonObject | None) -> Report:
    runs, results = [execution.prepared for execution, _ in done], [each for _, own in done for each in own]
    facts = join_facts([execution.facts for execution, _ in done])
    if made is not None:
        facts = {**{name: value for name, value in facts.items() if name not in FIELDS}, **made}
    if len(runs) > 1:
        selected = ["--pyargs", *(f"{TESTS}.{each.task.name}" for each in runs)]
        facts["options"] = {**facts["options"], "selection": selected}
    clean = {each.baseline.case.id: CaseRecord(each.opened.clean, each.clean_records) for each in runs}
    records = in_order(clean, {each.case.id: each.record for each in results}, [each.case.id for each in results])
    evidence = {case: record.run.evidence for case, record in records.items()}
    lines = [line for record in records.values() for line in record.lines]
    spec, every = runs[0].spec, [each for result in results for each in result.results]
    with_text = spec.options.with_text
    measured = RunFindings(facts=facts, results=every, evidence=evidence, lines=lines if with_text else None)
    document = judge(measured, spec.thresholds, runs[0].opened.reference)
    return Report(results, document, evidence, lines, with_text, spec.thresholds)


def _no_calls(_inputs: int) -> str:
    return ""


def _say_nothing(_line: str) -> None:
    pass


def _show_nothing(_done: int, _of: int) -> None:
    pass
