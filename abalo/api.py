"""The public interface: one task, one corpus, one model, judged from Python as from pytest.

import abalo

session = abalo.Session(task="ner", model="./checkpoint", corpus="dev.conll")
result = session.judge("character_noise", rate=0.1, max_f1_drop=0.25)
result.verdict, result.metrics["f1_drop"].value
"""

from __future__ import annotations

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
from abalo.bundled import CASES, bundled
from abalo.config.options import Options, corpus_of, make_options, recorded_options, trainings_of
from abalo.config.run_table import KEYS
from abalo.config.tasks import read_corpus, refuse_idle, task_called, task_of_corpus
from abalo.config.thresholds import Thresholds, case_of, load, refuse
from abalo.core.agreement import FULL_PRECISION, agreement
from abalo.core.clean_score import CleanScore, clean_score
from abalo.core.engine import CaseRun, Engine, language_of
from abalo.core.evidence import Evidence, to_bytes
from abalo.core.example import Json
from abalo.core.gate import AUTO, Gate
from abalo.core.judging import Judged, judged, judged_early
from abalo.core.passing import CAPABILITY
from abalo.core.plan import BASELINE
from abalo.core.probe import Case
from abalo.core.settings import SEEDS
from abalo.core.statistics import Estimate
from abalo.core.stopping import holders, misses_a_group, open_losses, until_decided, waiting
from abalo.core.task import Task
from abalo.core.trainings import facts_together, together
from abalo.core.verdicts import Judgement, Verdict
from abalo.errors import AbaloError
from abalo.locking import FolderLock
from abalo.models.devices import use_threads
from abalo.models.full_precision import weights_beside
from abalo.models.user_code import imports
from abalo.reporting.comparing import Reference, comparison, losses_early, reference_of
from abalo.reporting.document import applying, assemble, baseline_verdict, gate_of, results_of, versions
from abalo.reporting.examples import example_lines, record_line
from abalo.reporting.files import check_reports, write_examples, write_pages, write_run
from abalo.reporting.foresight import with_foresight
from abalo.reporting.made import made_now


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Result:
    """One case, run and judged.

    ``results`` are its entries in the document, one per view, the bound view first. ``records`` are lines of
    ``examples.jsonl``, empty where text is withheld.
    """

    judged: Judged
    results: Sequence[Json]
    records: Sequence[str] = ()

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
        """Whether nothing here should stop a release: no bound of a blocking case failed."""
        return self.judged.holds

    @property
    def explanation(self) -> str:
        """One line per bound, failed ones first: the number with its interval, the limit, the verdict, its reason."""
        return self.judged.explanation

    @property
    def broken(self) -> Sequence[str]:
        """Of a capability, fillings that broke, a few of each template, each with its fault in a line.

        None where text is withheld, and of any other kind of case.
        """
        found = (self.results[0].get(CAPABILITY) or {}).get("failures", ())
        return [f"{each['shown'][-1]['text']}: {each['fault']}" for each in found]

    @property
    def judgements(self) -> Sequence[Judgement]:
        """The judgement on each bound."""
        return self.judged.judgements

    @property
    def metrics(self) -> Mapping[str, Estimate]:
        """The metrics in the bound view, each with ``value``, ``low``, ``high`` and ``n``; NaN without a meaning."""
        return self.judged.bound_view.overall

    @property
    def per_group(self) -> Mapping[str, Mapping[str, Estimate]]:
        """The same by group, such as entity type or part of speech."""
        return self.judged.bound_view.per_group

    @property
    def evidence(self) -> Evidence:
        """The counts that it was judged by."""
        return self.judged.evidence


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """The cases of a run with the document that tells of them.

    ``evidence`` is that of the clean corpus and of each case, ``records`` the lines of ``examples.jsonl``;
    ``with_text`` says whether files may quote the corpus.
    """

    results: Sequence[Result]
    document: Json
    evidence: Mapping[str, Evidence]
    records: Sequence[str] = ()
    with_text: bool = True

    @property
    def verdict(self) -> str:
        """``"pass"``, ``"fail"`` or ``"inconclusive"``."""
        found: str = self.document["verdict"]
        return found

    def write(self, folder: str | Path = "reports") -> Path:
        """Writes robustness.json, report.html, robustness.md, evidence.npz and examples.jsonl; gives the path of the
        first.

        Without text there is no examples.jsonl, nor any file of an earlier run that quotes the corpus.

        Raises `AbaloError` where the folder cannot be written, or another run writes to it now.
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
"""The options that a session of Python has no use for, each with the place that has one."""


def _seeds(asked: Any) -> tuple[int, ...] | None:
    """Seeds that are given as whole numbers in any iterable; raises `AbaloError` for anything else."""
    if asked is None:
        return None
    found = list(asked) if isinstance(asked, Iterable) and not isinstance(asked, str) else None
    if not SEEDS.fits(found):
        raise AbaloError(f"seeds: {asked if found is None else found!r}; expected {SEEDS.words}")
    return tuple(found or ())


def _filled(asked: Mapping[str, Any], thresholds: Thresholds) -> dict[str, Any]:
    """The options that are ``asked`` for; in place of those that are not, those of ``[run]`` of the file."""
    found = thresholds.run.under({**dict.fromkeys(KEYS), **asked})
    return {name: value for name, value in found.items() if value is not None}


class Session:
    """One task, one corpus and one model.

    ``model`` and ``corpus`` are what the options of the command line take; None stands for those that ship.
    ``thresholds`` is a file, or None for the default cases, which have no bounds. What its table ``[run]`` says stands
    for what is not given, as on the command line; ``task`` None then is the task that it names, else the task of the
    corpus, else ``"ner"``. ``seeds`` and ``limit`` are as on
    the command line, and so are further ``options``, such as ``label_map="PER=PESSOA"`` or ``types="PER,LOC"``, but
    for those that only a run of pytest has. Paths may be strings or path objects. Nothing is read before it is
    needed. Raises `AbaloError` for a name that is not known, for a value of another type, and for an option that
    means nothing to the task.
    """

    deep = False
    _store: Path | None = None
    _code: Json | None = None
    _logs = False

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
        path = bundled(CASES) if thresholds is None else Path(thresholds)
        make = partial(make_options, thresholds=path, seeds=_seeds(seeds))
        given = make(**asked)
        self.thresholds = load(path, given.language, given.least)
        filled = make(**_filled(asked, self.thresholds))
        if known is None:
            known = task_called(filled.task) if filled.task else task_of_corpus(filled.corpus)
        self.task = known
        self.options = replace(filled, task=known.name)
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
    ) -> Session:
        """A session with options and thresholds that have been read already.

        ``deep`` says whether the run holds deep cases; ``store`` is a folder that several processes share.
        ``logs`` says that an attack that searches writes its log into the folder of reports while it runs.
        """
        session = cls.__new__(cls)
        session.task, session.options, session.thresholds = task, options, thresholds
        session.deep, session._store, session._logs = deep, store, logs
        return session

    @cached_property
    def language(self) -> str:
        """The language of the corpus: as the options or the thresholds say, else found by its words."""
        return language_of(self.corpus, self.thresholds.gate)

    @cached_property
    def gate(self) -> Gate:
        """How the session judges, with the language of its corpus."""
        return replace(self.thresholds.gate, language=self.language)

    @cached_property
    def applied(self) -> Thresholds:
        """The thresholds as they apply to the corpus, whose language is known."""
        return self.thresholds.spoken({self.task.name: self.language})

    @cached_property
    def corpus(self) -> Any:
        """The corpus, read once; raises `AbaloError` listing its problems."""
        return read_corpus(self.task, corpus_of(self.options, self.task), self.options)

    @cached_property
    def models(self) -> Sequence[Any]:
        """The model, or each of its trainings, loaded once; raises `AbaloError` where one cannot be used."""
        if self.options.threads is not None:
            use_threads(self.options.threads)
        with imports() as code:
            found = [self.task.load(spec, self.options, self.corpus) for spec in trainings_of(self.options)]
        self._code = {"code": sorted(code)} if code else None
        return found

    @property
    def model(self) -> Any:
        """The model, or the first of its trainings."""
        return self.models[0]

    @cached_property
    def engines(self) -> Sequence[Engine]:
        """The parts that run cases, one for each training."""
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
        """The part that runs cases, of several trainings that of the first."""
        return self.engines[0]

    def _opener(self, training: int) -> Callable[[Case], Any]:
        """Gives what opens the log of a case, of several trainings that of each."""
        folder = self.options.reports / ATTACKS
        return lambda case: partial(Log, folder / log_name(case.id, training), resume=self.options.resume)

    def _run(self, case: Case, search: Any = None, bounds: int | None = None, following: Case | None = None) -> CaseRun:
        """The case, run by each training, until its bounds are decided where it may stop early."""
        runs = None
        if self.options.stop_early:
            level = (1 - self.gate.confidence) / 2
            asks = self._reference is not None or case.bounds
            holding = cache(partial(holders, case, self.engine))
            decided = partial(self._decides, case, bounds, holding) if asks else None
            runs = until_decided(case, self.engines, level, decided)
        if runs is None:
            alone = len(self.engines) == 1 and not self.options.stop_early
            runs = [engine.run(case, search, following if alone else None) for engine in self.engines]
        return runs[0] if len(runs) == 1 else together(runs, self.task)

    def _decides(
        self, case: Case, bounds: int | None, holding: Callable[[], Counter[str | None]], evidence: Evidence
    ) -> bool:
        """Whether the evidence of a part of the corpus decides all that it could decide, losses included."""
        metrics = self.task.metrics()
        names = {bound.metric for bound in case.bounds} if self._reference is None else {*metrics}
        if any(metrics[name].macro for name in names) and misses_a_group(evidence, holding()):
            return False
        family = self._family(case, bounds)
        found = judged_early(case, self.task, evidence, self.gate, family)
        if waiting(found, holding().__getitem__):
            return False
        if self._reference is None:
            return True
        own = self.facts["tasks"][self.task.name]
        losses = losses_early(case, self.task, own, evidence, self._reference, self.applied, deep=self.deep)
        return not open_losses(losses)

    @cached_property
    def _reference(self) -> Reference | None:
        return reference_of(self.options, self.thresholds)

    @cached_property
    def facts(self) -> Json:
        """The parts of the document about the run and the task; measures the clean corpus."""
        own = {**self._own}
        own["baseline"] = {**own["baseline"], **baseline_verdict(self.baseline, self.clean_score, self.gate)}
        found = {"language": self.language, "language_found": self.thresholds.gate.language == AUTO}
        own["corpus"] = {**own["corpus"], **found}
        own |= applying(self.applied, self.task, deep=self.deep)
        return {
            **made_now(),
            "versions": versions(),
            "options": {**recorded_options(self.options), "deep": self.deep},
            "gate": gate_of(self.thresholds, self.options.profile, deep=self.deep),
            "tasks": {self.task.name: own},
        }

    def _agreement(self, engine: Engine) -> Json:
        """The field of a model's facts on what lower precision changes; empty where there is nothing to compare."""
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
        """The clean corpus, measured once, and judged by the bounds that the thresholds file has on it."""
        return self._judged(self.thresholds.clean(self.task), self._clean.evidence)

    @cached_property
    def clean_score(self) -> CleanScore:
        """The clean score of each training: large enough, and better than an answer that reads nothing?"""
        case, corpus = self.thresholds.clean(self.task), self._own["corpus"]
        return clean_score(self.task, case, self._clean.evidence, self.gate, corpus)

    @cached_property
    def _own(self) -> Json:
        """The parts of the document about the task, without how its clean corpus is judged."""
        every = [self.task.report.facts(engine, self.baseline.bound_view) for engine in self.engines]
        for engine, each in zip(self.engines, every, strict=True):
            each["model"] |= engine.identity() | (self._code or {}) | self._agreement(engine)
        if len(every) == 1:
            return every[0]
        found = facts_together(every)
        return {**found, "notice": self.task.report.notice(found)}

    @property
    def clean_records(self) -> Sequence[str]:
        """Lines of ``examples.jsonl`` for all that is wrong in the clean corpus; none where text is withheld."""
        return [record_line(self._clean.case.id, record) for record in self._clean.records]

    @cached_property
    def clean(self) -> bytes:
        """The evidence of the clean corpus, as evidence.npz holds it."""
        return to_bytes({self.baseline.case.id: self.baseline.evidence})

    def cases(self, *, deep: bool = False) -> list[Case]:
        """The cases of the thresholds file for this task, without those for other languages."""
        found = (case for case in self.applied.cases if case.task == self.task.name and (deep or not case.deep))
        return [case for case in found if self.applied.skipped(case) is None]

    def check(self, cases: Iterable[Case]) -> None:
        """Raises `AbaloError` listing the bounds and parameters of cases that corpus and model make meaningless.

        Those of the clean corpus, which is judged in every run, are among them.
        """
        clean = self.thresholds.clean(self.task)
        every = {case.id: case for case in (clean, *cases)}
        refuse(self.thresholds.path, self.task.check(every.values(), self.engine))

    def judge(self, name: str, /, **values: Any) -> Result:
        """A case with these parameters, settings and bounds, as an entry of thresholds.toml has them.

        Bounds are corrected for their own number. Raises `AbaloError` listing every problem of the values.
        """
        case = case_of(self.task, name, values, self.gate)
        refuse(Path(f"{self.task.name}.{name}"), self.task.check([case], self.engine))
        return self.judged(case, bounds=len(case.bounds))

    def judged(
        self,
        case: Case,
        search: Any = None,
        *,
        bounds: int | None = None,
        command: str = "",
        following: Case | None = None,
    ) -> Result:
        """A case, run and judged, corrected for ``bounds``, those of its family; ``search`` is as its probe has it.

        Of the ``following`` case the model is asked meanwhile, so that nothing else may ask it until that is judged, or
        the session closed.
        """
        run = self._run(case, search, bounds, following)
        found = self._judged(case, run.evidence, bounds)
        if case.name == BASELINE:
            found = self.clean_score.failing(found)
        facts = {**run.facts, "command": command}
        results = results_of(found, self.task, self.gate, facts, run.examples)
        wrong = (record_line(case.id, record) for record in run.records)
        return Result(found, results, [*wrong, *example_lines(case.id, run.examples)])

    def _judged(self, case: Case, evidence: Evidence, bounds: int | None = None) -> Judged:
        return judged(case, self.task, evidence, self.gate, self._family(case, bounds))

    def _family(self, case: Case, bounds: int | None) -> int:
        """How many bounds those of the case are corrected for."""
        return self.applied.bounds_beside(case, deep=self.deep) if bounds is None else bounds

    def close(self) -> None:
        """Stops what is run ahead; nothing need be closed otherwise."""
        for engine in self.engines:
            engine.close()

    def run(self, *, deep: bool = False) -> Report:
        """Every case of the thresholds file for this task, judged, with those that are ``deep`` where asked for."""
        cases = self.cases(deep=deep)
        self.check(cases)
        self.deep = deep
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
                facts["tasks"],
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
