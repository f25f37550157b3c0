"""Fixtures for behavioural tests: ``from abalo.pytest_plugin.fixtures import *``."""

from __future__ import annotations

import gc
import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import pytest

from abalo.api import Session
from abalo.attacks.record import AttackRecord
from abalo.attacks.regressions import Replay, replay_record, task_of
from abalo.bundled import LEADING
from abalo.capabilities import Tested
from abalo.config.options import Options
from abalo.config.thresholds import case_of as case_of_values
from abalo.core.protocols.budget import UnaffordableError
from abalo.core.protocols.probe import Case
from abalo.core.protocols.task import Task, tasks
from abalo.core.statistics.passing import CAPABILITY
from abalo.errors import AbaloError, visible_lines
from abalo.models.networks.devices import use_threads
from abalo.pytest_plugin.cases import awaited_cases, case_of, configuration, following, runs_deep, share_of
from abalo.pytest_plugin.keys import CONFIGURATION, PAYLOAD, STARTED, STORE, TOLD, UNUSABLE
from abalo.pytest_plugin.options import command_for
from abalo.pytest_plugin.progress import Progress, pace_of, tell, tell_threads
from abalo.pytest_plugin.sent import Sent, records_of
from abalo.run.execution import Execution, begin
from abalo.run.opened import Opened
from abalo.run.prepared import Prepared
from abalo.run.results import Result
from abalo.run.spec import RunSpec

__all__ = [
    "abalo_corpus",
    "abalo_model",
    "abalo_options",
    "abalo_runs",
    "abalo_session",
    "judge",
    "judge_template",
    "replay",
]


class Judge(Protocol):
    """Runs a case, adds it to the report, and returns the result."""

    def __call__(self, case: Case, search: object = None, /) -> Result:
        """``search`` looks for the smallest breaking change, if the probe supports one."""
        ...


class JudgeTemplate(Protocol):
    """Runs a capability written in Python, adds it to the report, and returns the result."""

    def __call__(self, tested: Tested, /, **values: object) -> Result:
        """``values`` are further settings, bounds and fillers, such as ``min_pass_rate=0.9``."""
        ...


RunOfTask = Callable[[str], Execution]


@pytest.fixture(scope="session")
def abalo_options(pytestconfig: pytest.Config) -> Options:
    """The options of the command line."""
    options = configuration(pytestconfig).options
    assert options is not None, "a bad configuration ends the run before any fixture"
    return options


@pytest.fixture(scope="session")
def abalo_runs(abalo_options: Options, request: pytest.FixtureRequest) -> Iterator[RunOfTask]:
    """The run of each task, by name; corpus and model are loaded once, on a GPU if available."""
    begun: dict[str, Execution] = {}

    def run_of(name: str) -> Execution:
        if name not in begun:
            begun[name] = _begin(tasks()[name], abalo_options, request)
        return begun[name]

    yield run_of
    for run in begun.values():
        run.close()
    problem = records_of(request.config).problem
    if problem is not None:
        tell(request.config, f"what is finished is lost if the run stops: {problem}")


def _begin(task: Task, options: Options, request: pytest.FixtureRequest) -> Execution:
    config = request.config
    gc.set_threshold(*gc.get_threshold()[:2], 1000)  # a full collection walks through all lexicons, and frees nothing
    thresholds, shared = configuration(config).thresholds, config.stash.get(STORE, None)
    assert thresholds is not None, "a bad configuration ends the run before any fixture"
    opened = Opened(RunSpec(task, options, thresholds, None if shared is None else Path(shared), logs=True))
    deep, started = runs_deep(config, request.session.items), config.stash.get(STARTED, None)
    with _report_once(request, stop=True):
        workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
        threads, models = use_threads(options.threads, workers), opened.models
        if "torch" in sys.modules:
            tell_threads(config, threads)
        cases = [case for case in _cases_of(task, request) if opened.applied.skipped(case) is None]

        def say(line: str) -> None:
            tell(config, f"{task.name}: {line}")

        prepared = Prepared(opened, deep=deep, started=started)
        prepared.check(cases)
        pace = None if hasattr(config, "workerinput") else pace_of(config)
        with _affordable(request), Progress(config, models):
            return begin(prepared, cases, records_of(config), say, pace)


@contextmanager
def _affordable(request: pytest.FixtureRequest) -> Iterator[None]:
    try:
        yield
    except UnaffordableError as error:
        if hasattr(request.config, "workerinput"):
            request.config.stash[CONFIGURATION] = replace(configuration(request.config), problem=str(error))
            raise
        request.config.stash[UNUSABLE] = True
        pytest.exit(visible_lines(error), returncode=pytest.ExitCode.USAGE_ERROR)


def _cases_of(task: Task, request: pytest.FixtureRequest) -> list[Case]:
    return [case for case in awaited_cases(request.session.items).values() if case.task == task.name]


@pytest.fixture(scope="session")
def abalo_session(abalo_runs: RunOfTask, request: pytest.FixtureRequest) -> Session:
    """The session of the run's task; the leading task's if there are several."""
    asked = configuration(request.config).tasks
    return Session.of(abalo_runs(min(asked, key=lambda task: task.name != LEADING).name).prepared.opened)


@pytest.fixture(scope="session")
def abalo_corpus(abalo_session: Session) -> object:
    """The corpus to judge on, with the requested limit."""
    return abalo_session.corpus


@pytest.fixture(scope="session")
def abalo_model(abalo_session: Session) -> object:
    """The model to judge, loaded once per session, on a GPU if available."""
    return abalo_session.model


@pytest.fixture
def judge(abalo_runs: RunOfTask, request: pytest.FixtureRequest) -> Judge:
    """A function that runs a case, adds it to the report, and returns the result.

    Skips the test of a case for another language.
    """
    return _judging(abalo_runs, request)


def _judging(abalo_runs: RunOfTask, request: pytest.FixtureRequest) -> Callable[..., Result]:
    def run_and_record(case: Case, search: object = None, /, bounds: int = 0) -> Result:
        __tracebackhide__ = True
        execution = abalo_runs(case.task)
        prepared, applied = execution.prepared, execution.prepared.opened.applied
        reason = applied.skipped(case)
        if reason is not None:
            execution.store_clean()
            request.node.stash[PAYLOAD] = Sent(facts=execution.facts)
            pytest.skip(reason)
        family = applied.bounds_beside(case, deep=prepared.deep) + bounds if bounds else None
        with _report_once(request), Progress(request.config, prepared.opened.models):
            command = command_for(request.config, request.node)
            case = replace(case, share=share_of(request.config, case))
            after, started = _following(execution, request), time.monotonic()
            execution.store_clean()
            result = execution.judged(case, search, bounds=family, command=command, following=after)
            pace_of(request.config).done(case.id, time.monotonic() - started, result.results[0].inputs)
        request.node.stash[PAYLOAD] = Sent(id=case.id, facts=execution.facts, results=result.results)
        return result

    return run_and_record


def _following(run: Execution, request: pytest.FixtureRequest) -> Case | None:
    case, prepared = following(request.node), run.prepared
    ours = case is not None and case.task == prepared.task.name and prepared.opened.applied.skipped(case) is None
    return next(iter(run.left([case])), None) if case is not None and ours else None


@pytest.fixture
def judge_template(abalo_runs: RunOfTask, request: pytest.FixtureRequest) -> JudgeTemplate:
    """A function that runs a capability written in Python, adds it to the report, and returns the result.

    Use one capability per test. Skips the test if task or language differ. ``result.broken`` lists failed fillings.
    """
    judged, done = _judging(abalo_runs, request), list[str]()

    def run_and_record(tested: Tested, /, **values: object) -> Result:
        __tracebackhide__ = True
        if done:
            pytest.fail(f"{done[0]!r} was judged in this test; parametrise it for {str(tested)!r}", pytrace=False)
        done.append(str(tested))
        if not any(task.name == tested.task for task in configuration(request.config).tasks):
            pytest.skip(f"about {tested.task}, which the run is not about")
        prepared = abalo_runs(tested.task).prepared
        with _report_once(request):
            case = case_of_values(prepared.task, CAPABILITY, {**tested.values, **values}, prepared.opened.gate)
        return judged(case, bounds=len(case.bounds))

    return run_and_record


@pytest.fixture
def replay(abalo_runs: RunOfTask, request: pytest.FixtureRequest) -> Callable[[AttackRecord], Replay]:
    """A function that retries a recorded failure, adds it to the report, and returns the outcome."""

    def replay_and_record(record: AttackRecord) -> Replay:
        __tracebackhide__ = True
        run = abalo_runs(task_of(record).name)
        opened = run.prepared.opened
        with_text = opened.spec.options.with_text
        with _report_once(request):
            tried = [
                replay_record(record, engine.predictor.answering(), with_text=with_text) for engine in opened.engines
            ]
        found = next((each for each in tried if each.status != "fixed"), tried[0])
        request.node.stash[PAYLOAD] = Sent(facts=run.facts, regression=found.regression)
        return found

    return replay_and_record


@contextmanager
def _report_once(request: pytest.FixtureRequest, *, stop: bool = False) -> Iterator[None]:
    __tracebackhide__ = True
    try:
        yield
    except AbaloError as error:
        if stop:
            request.config.stash[UNUSABLE] = True
            request.session.shouldfail = "the corpus or the model cannot be used, as the error above says"
        earlier = _teller_of(request, _origin(error))
        said = str(error) if earlier is None else f"cannot run, for the reason that {earlier} gives"
        raise pytest.fail.Exception(visible_lines(said), pytrace=False) from None


def _origin(error: AbaloError) -> str:
    while isinstance(error.__cause__, AbaloError):
        error = error.__cause__
    return str(error)


def _teller_of(request: pytest.FixtureRequest, problem: str) -> str | None:
    case = case_of(request.node)
    name = request.node.nodeid if case is None else case.id
    shared = request.config.stash.get(STORE, None)
    if shared is None:
        told = request.config.stash.setdefault(TOLD, {})
        return None if told.setdefault(problem, name) == name else told[problem]
    note = Path(shared) / f"told-{hashlib.blake2b(problem.encode('utf-8', 'replace'), digest_size=16).hexdigest()}"
    try:
        with note.open("x", encoding="utf-8") as file:
            file.write(name)
    except FileExistsError:
        return note.read_text(encoding="utf-8") or "another test"
    return None
