"""Fixtures for behavioural tests: ``from abalo.pytest_plugin.fixtures import *``."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import pytest

from abalo.api import Result, Session
from abalo.attacks.regressions import Replay, name_of, replay_record, task_of
from abalo.bundled import LEADING
from abalo.capabilities import Tested
from abalo.config.options import Options
from abalo.config.thresholds import case_of as case_of_values
from abalo.core.budget import UnaffordableError
from abalo.core.document import Regression
from abalo.core.evidence import to_bytes
from abalo.core.expected import Expected, estimate_predictions, in_all, seconds_by_case, try_searches
from abalo.core.found import AttackRecord
from abalo.core.passing import CAPABILITY
from abalo.core.probe import Case
from abalo.core.task import Task, tasks
from abalo.core.words import count
from abalo.errors import AbaloError, visible_lines
from abalo.models.networks.devices import use_threads
from abalo.pytest_plugin.cases import awaited_cases, case_of, configuration, following, runs_deep, share_of
from abalo.pytest_plugin.keys import CONFIGURATION, PAYLOAD, SENT, STARTED, STORE, TOLD, UNUSABLE
from abalo.pytest_plugin.options import command_for
from abalo.pytest_plugin.progress import Progress, pace_of, tell, tell_expected, tell_searches, tell_threads
from abalo.pytest_plugin.sent import Sent

__all__ = [
    "abalo_corpus",
    "abalo_model",
    "abalo_options",
    "abalo_session",
    "abalo_sessions",
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


Sessions = Callable[[str], Session]

_WITHHELD = "withheld by --abalo-no-text"


@pytest.fixture(scope="session")
def abalo_options(pytestconfig: pytest.Config) -> Options:
    """The options of the command line."""
    options = configuration(pytestconfig).options
    assert options is not None, "a bad configuration ends the run before any fixture"
    return options


@pytest.fixture(scope="session")
def abalo_sessions(abalo_options: Options, request: pytest.FixtureRequest) -> Iterator[Sessions]:
    """Sessions by task name; corpus and model are loaded once, on a GPU if available."""
    opened: dict[str, Session] = {}

    def session_of(name: str) -> Session:
        if name not in opened:
            opened[name] = _open_session(tasks()[name], abalo_options, request)
        return opened[name]

    yield session_of
    for name, session in opened.items():
        if session.kept_no_more is not None:
            tell(request.config, f"{name}: what is finished is lost if the run stops: {session.kept_no_more}")
        session.close()


def _open_session(task: Task, options: Options, request: pytest.FixtureRequest) -> Session:
    thresholds, shared = configuration(request.config).thresholds, request.config.stash.get(STORE, None)
    assert thresholds is not None, "a bad configuration ends the run before any fixture"
    deep = runs_deep(request.config, request.session.items)
    store = None if shared is None else Path(shared)
    started = request.config.stash.get(STARTED, None)
    session = Session.opened(task, options, thresholds, deep=deep, store=store, logs=True, started=started)
    with _report_once(request, stop=True):
        workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
        threads, models = use_threads(options.threads, workers), session.models
        if "torch" in sys.modules:
            tell_threads(request.config, threads)
        cases = [case for case in _cases_of(task, request) if session.applied.skipped(case) is None]

        def say(line: str) -> None:
            tell(request.config, f"{task.name}: {line}")

        planned = options.planned is not None
        left = session.left(cases)
        if len(left) < len(cases):
            say(f"{len(cases) - len(left)} of {count(len(cases), 'case')} finished by the run that stopped")
        calls = session.plan_calls(() if planned else left)
        if planned:
            if calls is not None and calls.sends_to:
                say(f"the texts of the corpus are sent to {calls.sends_to}")
            with _affordable(request):
                session.plan(cases, say)
        elif calls is not None:
            say(str(calls))
            with _affordable(request):
                calls.refuse(options.calling.max_calls)
        with Progress(request.config, models):
            if options.planned is None:
                expected = in_all([estimate_predictions(engine, left) for engine in session.engines])
                if expected.inputs or expected.searches:
                    tell_expected(request.config, task, expected)
            for model in models:
                if said := getattr(getattr(model, "calls", None), "foreseen", ""):
                    tell(request.config, f"{task.name}: {said}")
            session.check(cases)
            session.run_panel(cases, say)
            _ = session.facts
            if options.planned is None:
                _expect(request.config, session, left, expected)
    return session


def _expect(config: pytest.Config, session: Session, cases: Sequence[Case], expected: Expected) -> None:
    pace, engine = pace_of(config), session.engines[0]
    searches = {}
    if expected.searches and expected.is_open and not hasattr(config, "workerinput"):
        searches = try_searches(engine, cases)
        if searches:
            tell_searches(config, session.task, sum(searches.values()) * len(session.engines), expected.searches)
    for case, seconds in seconds_by_case(engine, cases, searches).items():
        pace.expected[case] = seconds * len(session.engines)


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
def abalo_session(abalo_sessions: Sessions, request: pytest.FixtureRequest) -> Session:
    """The session of the run's task; the leading task's if there are several."""
    asked = configuration(request.config).tasks
    return abalo_sessions(min(asked, key=lambda task: task.name != LEADING).name)


@pytest.fixture(scope="session")
def abalo_corpus(abalo_session: Session) -> object:
    """The corpus to judge on, with the requested limit."""
    return abalo_session.corpus


@pytest.fixture(scope="session")
def abalo_model(abalo_session: Session) -> object:
    """The model to judge, loaded once per session, on a GPU if available."""
    return abalo_session.model


@pytest.fixture
def judge(abalo_sessions: Sessions, request: pytest.FixtureRequest) -> Judge:
    """A function that runs a case, adds it to the report, and returns the result.

    Skips the test of a case for another language.
    """
    return _judging(abalo_sessions, request)


def _judging(abalo_sessions: Sessions, request: pytest.FixtureRequest) -> Callable[..., Result]:
    def run_and_record(case: Case, search: object = None, /, bounds: int = 0) -> Result:
        __tracebackhide__ = True
        session = abalo_sessions(case.task)
        reason = session.applied.skipped(case)
        if reason is not None:
            request.node.stash[PAYLOAD] = Sent(facts=session.facts, clean=session.clean)
            pytest.skip(reason)
        family = session.applied.bounds_beside(case, deep=session.deep) + bounds if bounds else None
        with _report_once(request), Progress(request.config, session.models):
            command = command_for(request.config, request.node)
            case = replace(case, share=share_of(request.config, case))
            after, started = _following(session, request), time.monotonic()
            result = session.judged(case, search, bounds=family, command=command, following=after)
            pace_of(request.config).done(case.id, time.monotonic() - started, result.results[0].forwards)
        sent = request.config.stash.setdefault(SENT, set())
        clean_records = [] if case.task in sent else [*session.clean_records]
        sent.add(case.task)
        request.node.stash[PAYLOAD] = Sent(
            id=case.id,
            facts=session.facts,
            clean_records={session.baseline.case.id: clean_records} if clean_records else {},
            results=result.results,
            evidence=to_bytes({case.id: result.evidence}),
            clean=session.clean,
            records=result.records,
        )
        return result

    return run_and_record


def _following(session: Session, request: pytest.FixtureRequest) -> Case | None:
    case = following(request.node)
    ours = case is not None and case.task == session.task.name and session.applied.skipped(case) is None
    return next(iter(session.left([case])), None) if case is not None and ours else None


@pytest.fixture
def judge_template(abalo_sessions: Sessions, request: pytest.FixtureRequest) -> JudgeTemplate:
    """A function that runs a capability written in Python, adds it to the report, and returns the result.

    Use one capability per test. Skips the test if task or language differ. ``result.broken`` lists failed fillings.
    """
    judged, done = _judging(abalo_sessions, request), list[str]()

    def run_and_record(tested: Tested, /, **values: object) -> Result:
        __tracebackhide__ = True
        if done:
            pytest.fail(f"{done[0]!r} was judged in this test; parametrise it for {str(tested)!r}", pytrace=False)
        done.append(str(tested))
        if not any(task.name == tested.task for task in configuration(request.config).tasks):
            pytest.skip(f"about {tested.task}, which the run is not about")
        session = abalo_sessions(tested.task)
        with _report_once(request):
            case = case_of_values(session.task, CAPABILITY, {**tested.values, **values}, session.gate)
        return judged(case, bounds=len(case.bounds))

    return run_and_record


@pytest.fixture
def replay(abalo_sessions: Sessions, request: pytest.FixtureRequest) -> Callable[[AttackRecord], Replay]:
    """A function that retries a recorded failure, adds it to the report, and returns the outcome."""

    def replay_and_record(record: AttackRecord) -> Replay:
        __tracebackhide__ = True
        session = abalo_sessions(task_of(record).name)
        with _report_once(request):
            tried = [replay_record(record, engine.predictor.answering()) for engine in session.engines]
        found = next((each for each in tried if each.status != "fixed"), tried[0])
        if not session.options.with_text:
            found = replace(found, before=_WITHHELD, after=_WITHHELD)
        regression = Regression(
            id=name_of(record),
            attack=record.attack,
            status=found.status,
            before=found.before if session.options.with_text else None,
            after=found.after if session.options.with_text else None,
            labels=found.labels,
            recorded=found.recorded,
        )
        request.node.stash[PAYLOAD] = Sent(facts=session.facts, regression=regression)
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
