"""The public interface: one task, one corpus and one model, judged from Python.

import abalo

session = abalo.Session(task="ner", model="./checkpoint", corpus="dev.conll")
result = session.judge("character_noise", rate=0.1, max_f1_drop=0.25)
result.verdict, result.metrics["f1_drop"].value
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, cached_property, partial
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import Any

from abalo.attacks.log import ATTACKS, Log, log_name
from abalo.bundled import CASES, bundled_path
from abalo.config.options import Options, corpus_of, make_options, recorded_options, trainings_of
from abalo.config.run_table import KEYS
from abalo.config.tasks import read_corpus, refuse_idle, task_called, task_of_corpus
from abalo.config.thresholds import Thresholds, case_of, load, refuse
from abalo.core.agreement import FULL_PRECISION, agreement
from abalo.core.budget import PLANNED, STOPPED, Affordable, Budget, Deadline, affordable, choose, cost
from abalo.core.clean_score import CleanScore, clean_score
from abalo.core.document import Document, TaskFacts
from abalo.core.engine import CaseRun, Engine, language_of
from abalo.core.evidence import Evidence, to_bytes
from abalo.core.example import JsonObject
from abalo.core.found import Result as CaseResult
from abalo.core.gate import AUTO, Gate
from abalo.core.judging import Judged, judge_case, judge_early
from abalo.core.panel import LOOKS, SMALLEST, group_cases, order_clusters
from abalo.core.panel_run import run_panel
from abalo.core.plan import BASELINE
from abalo.core.planned import PlannedCalls, add_calls, plan_calls
from abalo.core.preflight import size
from abalo.core.probe import Case
from abalo.core.records import read
from abalo.core.repeating import draws
from abalo.core.settings import SEEDS
from abalo.core.statistics import Estimate
from abalo.core.stopping import holders, misses_a_group, open_losses, until_decided, waiting
from abalo.core.task import Task
from abalo.core.trainings import facts_together, together
from abalo.core.verdicts import Judgement, Verdict
from abalo.errors import AbaloError
from abalo.locking import FolderLock
from abalo.models.generative.models import share_calls
from abalo.models.networks.devices import use_threads
from abalo.models.networks.full_precision import weights_beside
from abalo.models.user_code import imports
from abalo.reporting.documents.document import applying, assemble, baseline_verdict, gate_of, results_of, versions
from abalo.reporting.documents.examples import example_lines, record_line
from abalo.reporting.documents.foresight import with_foresight
from abalo.reporting.documents.origin import origin_now
from abalo.reporting.formats.failure import failed_case
from abalo.reporting.formats.files import check_reports, write_examples, write_pages, write_run
from abalo.reporting.runs.planning import TIME, Planning, check_shared, left_out_of, panel_of, read_plan
from abalo.reporting.runs.reference import Reference, comparison, losses_early, reference_of
from abalo.reporting.runs.resuming import FinishedCases
from abalo.version import __version__


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Result:
    """One case, run and judged.

    ``results`` are its entries in the document, one per view, the bound view first. ``records`` are lines of
    ``examples.jsonl``, empty if text is withheld. ``reports`` is the folder of the reports.
    """

    judged: Judged
    results: Sequence[CaseResult]
    records: Sequence[str] = ()
    reports: Path = Path("reports")

    def __repr__(self) -> str:
        return f"<{self.case.id}: {self.verdict}>"

    @property
    def case(self) -> Case:
        """The case."""
        return self.judged.case

    @property
    def verdict(self) -> Verdict | None:
        """``"pass"``, ``"fail"`` or ``"inconclusive"``, the worst over the bounds; None without bounds."""
        return self.judged.verdict

    @property
    def holds(self) -> bool:
        """True if no bound of a blocking case failed."""
        return self.judged.holds

    @property
    def explanation(self) -> str:
        """One line per bound, failed ones first: value, interval, limit, verdict and reason."""
        return self.judged.explanation

    @property
    def failure(self) -> str:
        """What a failed test shows: the bounds in words, two examples, and the command that shows more."""
        return failed_case(self.results[0], self.reports)

    @property
    def broken(self) -> Sequence[str]:
        """A few failed fillings per template of a capability, with faults.

        Empty for other cases, or if text is withheld.
        """
        capability = self.results[0].capability
        return [f"{each.shown[-1].text}: {each.fault}" for each in capability.failures] if capability else []

    @property
    def judgements(self) -> Sequence[Judgement]:
        """The judgement on each bound."""
        return self.judged.judgements

    @property
    def metrics(self) -> Mapping[str, Estimate]:
        """The metrics in the bound view, each with ``value``, ``low``, ``high`` and ``n``; NaN if undefined."""
        return self.judged.bound_view.overall

    @property
    def per_group(self) -> Mapping[str, Mapping[str, Estimate]]:
        """The metrics by group, such as entity type or part of speech."""
        return self.judged.bound_view.per_group

    @property
    def evidence(self) -> Evidence:
        """The counts behind the judgement."""
        return self.judged.evidence


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """The judged cases of a run and their document.

    ``evidence`` covers the clean corpus and each case, ``records`` are lines of ``examples.jsonl``, and ``with_text``
    allows files to quote the corpus.
    """

    results: Sequence[Result]
    document: Document
    evidence: Mapping[str, Evidence]
    records: Sequence[str] = ()
    with_text: bool = True

    @property
    def verdict(self) -> str:
        """``"pass"``, ``"fail"`` or ``"inconclusive"``."""
        return self.document.verdict

    def write(self, folder: str | Path = "reports") -> Path:
        """Writes robustness.json, report.html, robustness.md, evidence.npz and examples.jsonl; returns the path of the
        first.

        If text is withheld, examples.jsonl is omitted and earlier files with text are removed. Raises `AbaloError` if
        the folder cannot be written or is in use by another run.
        """
        folder = Path(folder)
        check_reports(folder)
        with FolderLock(folder):
            written = write_run(self.document, self.evidence, folder)  # first: no verdict of an earlier run stays
            write_examples(self.records if self.with_text else None, folder)
            write_pages(self.document, folder, self.records if self.with_text else ())
            return written


_OF_PYTEST: Mapping[str, str] = MappingProxyType(
    {
        "save_failures": "only in a run of pytest",
        "regressions": "only in a run of pytest",
        "resume": "only in a run of pytest",
        "shard": "only in a run of pytest",
        "latex": "only in a run of pytest",
        "reports": "whose report is written by report.write(folder)",
    }
)


def is_planned(case: Case) -> bool:
    """True if a case can be in a panel: it draws variants and can block."""
    return case.probe.in_parts and case.blocking


def _say_nothing(_line: str) -> None:
    pass


def _seeds(asked: object) -> tuple[int, ...] | None:
    if asked is None:
        return None
    found = list(asked) if isinstance(asked, Iterable) and not isinstance(asked, str) else None
    if not SEEDS.fits(found):
        raise AbaloError(f"seeds: {asked if found is None else found!r}; expected {SEEDS.words}")
    return tuple(found or ())


def _fill_options(asked: Mapping[str, object], thresholds: Thresholds) -> dict[str, Any]:
    found = thresholds.run.under({**dict.fromkeys(KEYS), **asked})
    return {name: value for name, value in found.items() if value is not None}


class Session:
    """One task, one corpus and one model.

    Files and models are read when first needed. Raises `AbaloError` for an unknown name, a value of another type, or an
    option that does not apply to the task.

    Args:
        task: Name or task; None for the task in ``[run]`` of the thresholds, else the task of the corpus, else
            ``"ner"``.
        model: As on the command line; None for the bundled model.
        corpus: As on the command line; None for the bundled corpus.
        thresholds: A file, or None for the default cases, which have no bounds. Its ``[run]`` table sets what is not
            given.
        seeds: Whole numbers, as on the command line.
        limit: Number of examples, as on the command line.
        **options: Other options of the command line, such as ``label_map="PER=PESSOA"`` or ``types="PER,LOC"``. Options
            that only pytest uses are refused.
    """

    deep = False
    _store: Path | None = None
    _code: JsonObject | None = None
    _logs = False
    _planning: Planning | None = None

    def __init__(
        self,
        task: str | Task | None = None,
        model: str | Path | None = None,
        corpus: str | Path | None = None,
        thresholds: str | Path | None = None,
        seeds: Iterable[int] | None = None,
        limit: int | None = None,
        **options: Any,
    ) -> None:
        if not isinstance(task, str | Task | None):
            raise AbaloError(f"task: {task!r}; expected the name of a task, such as 'ner', a Task, or None")
        if idle := next((name for name in _OF_PYTEST if name in options), None):
            raise AbaloError(f"option {idle!r}: does nothing in a Session, {_OF_PYTEST[idle]}; leave it out")
        known = task_called(task) if isinstance(task, str) else task
        asked = {"model": model, "corpus": corpus, "limit": limit, **options}
        if not isinstance(thresholds, str | Path | None):
            raise AbaloError(f"thresholds: {thresholds!r}; expected the path of a file")
        path = bundled_path(CASES) if thresholds is None else Path(thresholds)
        make = partial(make_options, thresholds=path, seeds=_seeds(seeds))
        given = make(**asked)
        self.thresholds = load(path, given.language, given.least)
        filled = make(**_fill_options(asked, self.thresholds))
        if known is None:
            known = task_called(filled.task) if filled.task else task_of_corpus(filled.corpus)
        self.task = known
        chosen = self.thresholds.seeds_against(filled.seeds, filled.against)
        self.options = replace(filled, task=known.name, seeds=chosen)
        self._panel_runs: dict[str, CaseRun] = {}
        self._started = time.monotonic()
        refuse_idle(self.options, [self.task])

    @classmethod
    def opened(
        cls,
        task: Task,
        options: Options,
        thresholds: Thresholds,
        *,
        deep: bool = False,
        store: Path | None = None,
        logs: bool = False,
        started: float | None = None,
    ) -> Session:
        """A session from parsed options and thresholds.

        * ``deep``: the run includes deep cases.
        * ``store``: a folder shared by processes.
        * ``logs``: searching attacks write logs into the reports folder.
        * ``started``: start of a time budget, by `time.monotonic`; None for now.
        """
        session = cls.__new__(cls)
        session.task, session.options, session.thresholds = task, options, thresholds
        session.deep, session._store, session._logs = deep, store, logs
        session._panel_runs, session._started = {}, time.monotonic() if started is None else started
        return session

    @cached_property
    def language(self) -> str:
        """The language of the corpus, given or detected."""
        return language_of(self.corpus, self.thresholds.gate)

    @cached_property
    def gate(self) -> Gate:
        """The rules of judgement, in the language of the corpus."""
        return replace(self.thresholds.gate, language=self.language)

    @cached_property
    def applied(self) -> Thresholds:
        """The thresholds for the corpus and its language."""
        return self.thresholds.spoken({self.task.name: self.language})

    @cached_property
    def corpus(self) -> Any:
        """The corpus, read once; raises `AbaloError` listing its problems."""
        return read_corpus(self.task, corpus_of(self.options, self.task), self.options)

    @cached_property
    def models(self) -> Sequence[Any]:
        """The models, one per training, loaded once; raises `AbaloError`."""
        if self.options.threads is not None:
            use_threads(self.options.threads)
        with imports() as code:
            found = [self.task.load(spec, self.options, self.corpus) for spec in trainings_of(self.options)]
        share_calls(found, self.options.calling.max_calls, self._store)
        self._code = {"code": sorted(code)} if code else None
        return found

    @property
    def model(self) -> Any:
        """The model; the first of several trainings."""
        return self.models[0]

    @cached_property
    def engines(self) -> Sequence[Engine]:
        """The engines that run cases, one per training."""
        options = self.options
        return [
            Engine(
                self.task,
                self.corpus,
                model,
                self.gate,
                options.seeds or (),
                options,
                self._store,
                options.with_text,
                self._opener(k) if self._logs and options.with_text else None,
            )
            for k, model in enumerate(self.models)
        ]

    @property
    def engine(self) -> Engine:
        """The engine of the first training."""
        return self.engines[0]

    def _opener(self, training: int) -> Callable[[Case], object]:
        folder = self.options.reports / ATTACKS
        return lambda case: partial(Log, folder / log_name(case.id, training), resume=self.options.resume)

    def _run(
        self, case: Case, search: object = None, bounds: int | None = None, following: Case | None = None
    ) -> CaseRun:
        if case.id in self._panel_runs:
            return self._panel_runs[case.id]
        runs = None
        if self.options.stop_early and self._planning is None:
            level = (1 - self.gate.confidence) / 2
            asks = self._reference is not None or case.bounds
            holding = cache(partial(holders, case, self.engine))
            decided = partial(self._decides, case, bounds, holding) if asks else None
            runs = until_decided(case, self.engines, level, decided)
        if runs is None:
            alone = len(self.engines) == 1 and not self.options.stop_early
            runs = [engine.run(case, search, following if alone else None) for engine in self.engines]
        return runs[0] if len(runs) == 1 else together(runs, self.task)

    def _finish(self, case: Case, search: object, bounds: int | None, following: Case | None) -> CaseRun:
        kept = None if case.name == BASELINE else self._finished
        found = None if kept is None else kept.find(case)
        if found is not None:
            return found
        run = self._run(case, search, bounds, following)
        if kept is not None:
            kept.add(run)
        return run

    @cached_property
    def _finished(self) -> FinishedCases | None:
        if not self._logs or not self.options.with_text or self.options.planned is not None:
            return None
        return FinishedCases(self.options.reports, self._depends, resume=self.options.resume)

    @property
    def kept_no_more(self) -> AbaloError | None:
        """Why finished cases are no longer stored; None if they are, or never were."""
        return None if self._finished is None else self._finished.problem

    def _depends(self) -> JsonObject:
        options, own = self.options, self._own
        return {
            "version": __version__,
            "options": {**recorded_options(options), "profile": options.profile, "deep": self.deep},
            "thresholds": self.thresholds.sha256,
            "task": self.task.name,
            "model": own["model"],
            "corpus": own["corpus"],
        }

    def left(self, cases: Sequence[Case]) -> list[Case]:
        """The cases that no earlier run has finished."""
        return [case for case in cases if self._finished is None or not self._finished.has(case)]

    def _decides(
        self, case: Case, bounds: int | None, holding: Callable[[], Counter[str | None]], evidence: Evidence
    ) -> bool:
        metrics = self.task.metrics()
        names = {bound.metric for bound in case.bounds} if self._reference is None else {*metrics}
        if any(metrics[name].macro for name in names) and misses_a_group(evidence, holding()):
            return False
        family = self._family(case, bounds)
        found = judge_early(case, self.task, evidence, self.gate, family)
        if waiting(found, holding().__getitem__):
            return False
        if self._reference is None:
            return True
        own = read(TaskFacts, self.facts["tasks"][self.task.name])
        losses = losses_early(case, self.task, own, evidence, self._reference, self.applied, deep=self.deep)
        return not open_losses(losses)

    @cached_property
    def _reference(self) -> Reference | None:
        return reference_of(self.options, self.thresholds)

    @property
    def facts(self) -> JsonObject:
        """The document's facts on run and task; measures the clean corpus."""
        found, name = self._facts, self.task.name
        if self._planning is None:
            return found
        return {**found, "tasks": {name: {**found["tasks"][name], "plan": self._planning.facts}}}

    @cached_property
    def _facts(self) -> JsonObject:
        own = {**self._own}
        own["baseline"] = {**own["baseline"], **baseline_verdict(self.baseline, self.clean_score, self.gate)}
        found = {"language": self.language, "language_found": self.thresholds.gate.language == AUTO}
        own["corpus"] = {**own["corpus"], **found}
        own |= applying(self.applied, self.task, deep=self.deep)
        return {
            **origin_now(),
            "versions": versions(),
            "options": {**recorded_options(self.options), "deep": self.deep},
            "gate": gate_of(self.thresholds, self.options.profile, deep=self.deep),
            "tasks": {self.task.name: own},
        }

    def _agreement(self, engine: Engine) -> JsonObject:
        spec, options = engine.model.name, self.options
        if options.full_precision is not None and len(self.models) > 1:
            raise AbaloError(
                f"--abalo-full-precision {options.full_precision}: is one model, and there are {len(self.models)} to "
                "compare with it; judge each by itself"
            )
        exact = weights_beside(spec) if options.full_precision is None else options.full_precision
        if exact is None and engine.model.settings.get("dtype") == options.dtype != "fp32":
            exact = spec
        if exact is None:
            return {}
        model = self.task.load(exact, replace(options, dtype="fp32"), self.corpus)
        return {FULL_PRECISION: agreement(engine, replace(engine, model=model))}

    @cached_property
    def _clean(self) -> CaseRun:
        return self._run(self.engine.baseline())

    @cached_property
    def baseline(self) -> Judged:
        """The clean corpus, measured once and judged by its bounds."""
        return self._judged(self.thresholds.clean(self.task), self._clean.evidence)

    @cached_property
    def clean_score(self) -> CleanScore:
        """The clean score per training, whether high enough, and whether above a blind baseline."""
        case, corpus = self.thresholds.clean(self.task), self._own["corpus"]
        return clean_score(self.task, case, self._clean.evidence, self.gate, corpus)

    @cached_property
    def _own(self) -> JsonObject:
        every = [self.task.report.facts(engine, self.baseline.bound_view) for engine in self.engines]
        for engine, each in zip(self.engines, every, strict=True):
            each["model"] |= engine.identity() | (self._code or {}) | self._agreement(engine)
        if len(every) == 1:
            return every[0]
        found = facts_together(every)
        return {**found, "notice": self.task.report.notice(found)}

    @property
    def clean_records(self) -> Sequence[str]:
        """Clean errors as lines of ``examples.jsonl``; empty if text is withheld."""
        return [record_line(self._clean.case.id, record) for record in self._clean.records]

    @cached_property
    def clean(self) -> bytes:
        """Clean evidence in the format of evidence.npz."""
        return to_bytes({self.baseline.case.id: self.baseline.evidence})

    def cases(self, *, deep: bool = False) -> list[Case]:
        """This task's cases in the thresholds file, except for other languages."""
        found = (case for case in self.applied.cases if case.task == self.task.name and (deep or not case.deep))
        return [case for case in found if self.applied.skipped(case) is None]

    def plan_calls(self, cases: Sequence[Case]) -> PlannedCalls | None:
        """The language-model calls needed for the clean corpus and the cases; None for other models."""
        found = [plan_calls(engine, cases) for engine in self.engines]
        for engine, calls in zip(self.engines, found, strict=True):
            if calls is not None:
                planned, most = calls.calls + calls.most, self.options.calling.max_calls
                engine.model.calls.planned = planned if most is None else min(planned, most)
        return add_calls([calls for calls in found if calls is not None])

    # Panels ----------------------------------------------------------------------------------------------------------

    def plan(self, cases: Sequence[Case], say: Callable[[str], None]) -> None:
        """Plans the panel for the budget, or from an earlier plan, and reports it through ``say``.

        The panel replaces the corpus. Raises `AbaloError` if the budget allows no panel.
        """
        options, asked = self.options, self.options.planned
        if asked is None:
            return
        corpus, _ = self.corpus, self.language
        if not hasattr(corpus, "chosen"):
            raise AbaloError(f"task {self.task.name}: its corpus cannot be cut to a panel; give it a method chosen")
        seed = (options.seeds or self.gate.seeds)[0]
        groups = group_cases((case.together, case.id) for case in cases if is_planned(case))
        earlier = None if asked.plan is None else read_plan(asked.plan, self.task)
        looks = LOOKS if options.stop_early else 1
        tried = [size(model) if draws(model) is None else 0 for model in self.models]
        clusters = [example.cluster for example in corpus.examples]
        if earlier is None:
            assert asked.budget is not None
            panels = affordable(groups, corpus.examples, seed, looks, tried)
            found = choose(panels, self._inputs_within(asked.budget, corpus, seed), asked.budget)
        else:
            assert asked.plan is not None
            known = {case.id for case in self.applied.cases}
            panel = panel_of(earlier, asked.plan, len(set(clusters)), known)
            found = Affordable(panel, cost(panel, corpus.examples, tried))
        panel, seed = found.panel, found.panel.seed
        taken = set(order_clusters(clusters, seed)[: panel.sentences])
        until = earlier.seen if earlier is not None and earlier.stopped == TIME else panel.sentences
        left_out = left_out_of(panel.groups, self.task, self.applied)
        every = len(set(clusters))
        planning = Planning(self.task, panel, every, found.inputs, asked.budget, left_out, until, found.larger)
        vars(self)["corpus"] = corpus.chosen([place for place, each in enumerate(clusters) if each in taken])
        vars(self).pop("engines", None)
        self.options, self._planning = replace(options, seeds=(seed,)), planning
        say(str(planning))
        if self._reference is not None:
            check_shared(self._reference, self.task, taken)
            say(planning.foresee(self._reference, self.applied))

    def _inputs_within(self, budget: Budget, corpus: Any, seed: int) -> float:
        most = self.options.calling.max_calls
        calls = math.inf if most is None or not any(hasattr(model, "planning") for model in self.models) else most
        if budget.inputs is not None:
            return min(budget.inputs, calls)
        assert budget.seconds is not None
        first = set(order_clusters((example.cluster for example in corpus.examples), seed)[:SMALLEST])
        part = corpus.chosen([place for place, each in enumerate(corpus.examples) if each.cluster in first])
        tried = [self.task.predictor(model, part, None) for model in self.models]
        found = [each.preflight(twice=True) for each in tried]
        rate = sum(each.inputs for each in found) / max(1e-6, sum(each.seconds for each in found))
        left = PLANNED * budget.seconds - (time.monotonic() - self._started)
        return min(left * rate, calls)

    def run_panel(self, cases: Sequence[Case], say: Callable[[str], None]) -> None:
        """Runs the planned cases before they are judged one by one."""
        planning = self._planning
        if planning is None:
            return
        panel, seconds = planning.panel, None if planning.budget is None else planning.budget.seconds
        deadline = Deadline(math.inf if seconds is None else self._started + STOPPED * seconds)
        own = read(TaskFacts, self.facts["tasks"][self.task.name])

        def at_part(seen: int, evidence: Mapping[str, Evidence]) -> bool:
            planning.seen = seen
            if self._reference is not None:
                every = {self.baseline.case.id: self.baseline.evidence, **evidence}
                said, stops = planning.look(seen, every, own, self._reference, self.applied)
                if said:
                    say(said)
                if stops:
                    return True
            if planning.until <= seen < panel.sentences:  # an earlier run had no more time
                planning.stopped = TIME
                return True
            return False

        here = [case for case in cases if case.id in panel.cases]
        found = run_panel(panel, here, self.engines, self.task, deadline, at_part)
        if (found.seen, found.each) != (panel.sentences, panel.each) and planning.stopped is None:
            planning.stopped, planning.panel = TIME, replace(panel, each=found.each)
        self._panel_runs = dict(found.cases)
        if planning.stopped is not None:
            seen = f"{found.seen:,} of {panel.sentences:,} {self.task.noun}s"
            fewer = f", each in {found.each} of {panel.each} groups of cases" if found.each < panel.each else ""
            say(f"stopped after {seen}{fewer}: {planning.stopped}")

    # Judging ---------------------------------------------------------------------------------------------------------

    def check(self, cases: Iterable[Case]) -> None:
        """Raises `AbaloError` listing bounds and parameters without meaning for corpus and model."""
        clean = self.thresholds.clean(self.task)
        every = {case.id: case for case in (clean, *cases)}
        refuse(self.thresholds.path, self.task.check(every.values(), self.engine))

    def judge(self, name: str, /, **values: object) -> Result:
        """Runs and judges a case with values as in an entry of thresholds.toml.

        Bounds are corrected for their own number. Raises `AbaloError` listing every problem.
        """
        case = case_of(self.task, name, values, self.gate)
        refuse(Path(f"{self.task.name}.{name}"), self.task.check([case], self.engine))
        return self.judged(case, bounds=len(case.bounds))

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
        model until it is judged or the session closed.
        """
        run = self._finish(case, search, bounds, following)
        found = self._judged(case, run.evidence, bounds)
        if case.name == BASELINE:
            found = self.clean_score.failing(found)
        facts = {**run.facts, "command": command}
        results = results_of(found, self.task, self.gate, facts, run.examples)
        wrong = (record_line(case.id, record) for record in run.records)
        records = [*wrong, *example_lines(case.id, run.examples)]
        return Result(found, results, records, self.options.reports)

    def _judged(self, case: Case, evidence: Evidence, bounds: int | None = None) -> Judged:
        return judge_case(case, self.task, evidence, self.gate, self._family(case, bounds))

    def _family(self, case: Case, bounds: int | None) -> int:
        return self.applied.bounds_beside(case, deep=self.deep) if bounds is None else bounds

    def close(self) -> None:
        """Stops background work; needed only after a ``following`` case."""
        for engine in self.engines:
            engine.close()

    def run(self, *, deep: bool = False) -> Report:
        """Judges this task's cases in the thresholds file; deep ones only if ``deep``."""
        cases = self.cases(deep=deep)
        if self.options.planned is not None:
            cases = [case for case in cases if is_planned(case) or case.name == BASELINE]
        self.plan(cases, _say_nothing)
        calls = None if self.options.planned is not None else self.plan_calls(cases)
        if calls is not None:
            calls.refuse(self.options.calling.max_calls)
        self.check(cases)
        self.deep = deep
        self.run_panel(cases, _say_nothing)
        facts = self.facts
        with closing(self):  # so that nothing runs on ahead of a case that fails
            results = [self.judged(case, following=next_one) for case, next_one in zip_longest(cases, cases[1:])]
        every = [each for result in results for each in result.results]
        evidence = {self.baseline.case.id: self.baseline.evidence} | {each.case.id: each.evidence for each in results}
        told = {result.case.id for result in results}
        clean = () if self.baseline.case.id in told else self.clean_records
        records = [*clean, *(line for result in results for line in result.records)]
        reference = self._reference
        losses = (
            None
            if reference is None
            else comparison(
                {self.task.name: read(TaskFacts, facts["tasks"][self.task.name])},
                evidence,
                self.thresholds,
                reference,
                date.today(),
                records if self.options.with_text else None,
                every,
            )
        )
        facts = with_foresight(facts, evidence, self.applied)
        document = assemble(facts, every, (), (), complete=True, comparison=losses)
        return Report(results, document, evidence, records, self.options.with_text)
