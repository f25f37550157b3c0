"""Fixtures for behavioural tests. ``from abalo.pytest_plugin.fixtures import *`` in a conftest.py brings them all."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import pytest

from abalo.api import Result, Session
from abalo.attacks.regressions import Replay, name_of, replayed, task_of
from abalo.bundled import LEADING
from abalo.capabilities import Tested
from abalo.config.options import Options
from abalo.config.thresholds import case_of as case_of_values
from abalo.core.evidence import to_bytes
from abalo.core.expected import expected, in_all
from abalo.core.passing import CAPABILITY
from abalo.core.probe import Case
from abalo.core.task import Task, tasks
from abalo.errors import AbaloError, visible_lines
from abalo.models.devices import use_threads
from abalo.pytest_plugin.cases import awaited, case_of, configuration, following, runs_deep, share_of
from abalo.pytest_plugin.keys import PAYLOAD, SENT, STORE, TOLD, UNUSABLE
from abalo.pytest_plugin.options import command_for
from abalo.pytest_plugin.progress import Progress, tell_expected, tell_threads

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
    """Runs a case, puts it into the report, and returns it judged."""

    def __call__(self, case: Case, search: Any = None, /) -> Result:
        """``search`` looks for the smallest change that breaks the model, where the kind of case has such a search."""
        ...


class JudgeTemplate(Protocol):
    """Runs a capability written in Python, puts it into the report, and returns it judged."""

    def __call__(self, tested: Tested, /, **values: Any) -> Result:
        """``values`` are further settings, bounds and fillers, such as ``min_pass_rate=0.9``."""
        ...


Sessions = Callable[[str], Session]
"""The session of a task by its name, opened when it is first needed."""

_WITHHELD = "withheld by --abalo-no-text"


@pytest.fixture(scope="session")
def abalo_options(pytestconfig: pytest.Config) -> Options:
    """The options of the command line."""
    options = configuration(pytestconfig).options
    assert options is not None, "a bad configuration ends the run before any fixture"
    return options


@pytest.fixture(scope="session")
def abalo_sessions(abalo_options: Options, request: pytest.FixtureRequest) -> Iterator[Sessions]:
    """The session of a task by its name: corpus and model loaded once, on a GPU where there is one.

    Only the session of that task is opened: no model of another task is loaded.
    """
    opened: dict[str, Session] = {}

    def session_of(name: str) -> Session:
        if name not in opened:
            opened[name] = _opened(tasks()[name], abalo_options, request)
        return opened[name]

    yield session_of
    for session in opened.values():
        session.close()


def _opened(task: Task, options: Options, request: pytest.FixtureRequest) -> Session:
    thresholds, shared = configuration(request.config).thresholds, request.config.stash.get(STORE, None)
    assert thresholds is not None, "a bad configuration ends the run before any fixture"
    deep = runs_deep(request.config, request.session.items)
    store = None if shared is None else Path(shared)
    session = Session.opened(task, options, thresholds, deep=deep, store=store, logs=True)
    with _reported_once(request, stop=True):
        workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
        threads, models = use_threads(options.threads, workers), session.models
        if "torch" in sys.modules:
            tell_threads(request.config, threads)
        with Progress(request.config, models):
            cases = [case for case in _cases_of(task, request) if session.applied.skipped(case) is None]
            tell_expected(request.config, task, in_all([expected(engine, cases) for engine in session.engines]))
            session.check(cases)
            _ = session.facts
    return session


def _cases_of(task: Task, request: pytest.FixtureRequest) -> list[Case]:
    """The cases of the task that are selected."""
    return [case for case in awaited(request.session.items).values() if case.task == task.name]


@pytest.fixture(scope="session")
def abalo_session(abalo_sessions: Sessions, request: pytest.FixtureRequest) -> Session:
    """The session of the task that the run is about; of several, of the one that leads."""
    asked = configuration(request.config).tasks
    return abalo_sessions(min(asked, key=lambda task: task.name != LEADING).name)


@pytest.fixture(scope="session")
def abalo_corpus(abalo_session: Session) -> Any:
    """The corpus to judge on, limited as the options ask."""
    return abalo_session.corpus


@pytest.fixture(scope="session")
def abalo_model(abalo_session: Session) -> Any:
    """The model to judge, loaded once a session, on a GPU where there is one."""
    return abalo_session.model


@pytest.fixture
def judge(abalo_sessions: Sessions, request: pytest.FixtureRequest) -> Judge:
    """A function that runs a case, puts it into the report, and returns it judged.

    It skips the test of a case for other languages than that of the corpus.
    """
    return _judging(abalo_sessions, request)


def _judging(abalo_sessions: Sessions, request: pytest.FixtureRequest) -> Callable[..., Result]:
    """The function; ``bounds`` of the case are corrected for beside those of the thresholds file."""

    def run_and_record(case: Case, search: Any = None, /, bounds: int = 0) -> Result:
        __tracebackhide__ = True
        session = abalo_sessions(case.task)
        reason = session.applied.skipped(case)
        if reason is not None:
            request.node.stash[PAYLOAD] = {"facts": session.facts, "clean": session.clean}
            pytest.skip(reason)
        family = session.applied.bounds_beside(case, deep=session.deep) + bounds if bounds else None
        with _reported_once(request), Progress(request.config, session.models):
            command = command_for(request.config, request.node)
            case = replace(case, share=share_of(request.config, case))
            after = _following(session, request)
            result = session.judged(case, search, bounds=family, command=command, following=after)
        sent = request.config.stash.setdefault(SENT, set())
        clean_records = [] if case.task in sent else [*session.clean_records]
        sent.add(case.task)
        request.node.stash[PAYLOAD] = {
            "id": case.id,
            "facts": session.facts,
            "clean_records": {session.baseline.case.id: clean_records} if clean_records else {},
            "results": list(result.results),
            "evidence": to_bytes({case.id: result.evidence}),
            "clean": session.clean,
            "records": list(result.records),
        }
        return result

    return run_and_record


def _following(session: Session, request: pytest.FixtureRequest) -> Case | None:
    """The case that comes next, where it is one of the same session."""
    case = following(request.node)
    ours = case is not None and case.task == session.task.name and session.applied.skipped(case) is None
    return case if ours else None


@pytest.fixture
def judge_template(abalo_sessions: Sessions, request: pytest.FixtureRequest) -> JudgeTemplate:
    """A function that runs a capability written in Python, puts it into the report, and returns it judged.

    Its row is that of the same capability in capabilities.toml. One capability a test: parametrise it for several. It
    skips the test where the run is about other tasks, or the corpus is in another language. ``result.broken`` says
    which fillings broke.
    """
    judged, done = _judging(abalo_sessions, request), list[str]()

    def run_and_record(tested: Tested, /, **values: Any) -> Result:
        __tracebackhide__ = True
        if done:
            pytest.fail(f"{done[0]!r} was judged in this test; parametrise it for {str(tested)!r}", pytrace=False)
        done.append(str(tested))
        if not any(task.name == tested.task for task in configuration(request.config).tasks):
            pytest.skip(f"about {tested.task}, which the run is not about")
        session = abalo_sessions(tested.task)
        with _reported_once(request):
            case = case_of_values(session.task, CAPABILITY, {**tested.values, **values}, session.gate)
        return judged(case, bounds=len(case.bounds))

    return run_and_record


@pytest.fixture
def replay(abalo_sessions: Sessions, request: pytest.FixtureRequest) -> Callable[[Mapping[str, Any]], Replay]:
    """A function that tries again what once broke a model, puts it into the report, and returns what came of it."""

    def replay_and_record(record: Mapping[str, Any]) -> Replay:
        __tracebackhide__ = True
        session = abalo_sessions(task_of(record).name)
        with _reported_once(request):
            tried = [replayed(record, engine.predictor.answering()) for engine in session.engines]
        found = next((each for each in tried if each.status != "fixed"), tried[0])
        if not session.options.with_text:
            found = replace(found, before=_WITHHELD, after=_WITHHELD)
        request.node.stash[PAYLOAD] = {
            "facts": session.facts,
            "regression": {
                "id": name_of(record),
                "attack": record["attack"],
                "status": found.status,
                "before": found.before if session.options.with_text else None,
                "after": found.after if session.options.with_text else None,
                "labels": list(found.labels),
                "recorded": list(found.recorded),
            },
        }
        return found

    return replay_and_record


@contextmanager
def _reported_once(request: pytest.FixtureRequest, *, stop: bool = False) -> Iterator[None]:
    """Turns an `AbaloError` into a failure that is its message alone; with ``stop`` it also ends the run.

    What another test has told, in this process or another worker, is not told again.
    """
    __tracebackhide__ = True
    try:
        yield
    except AbaloError as error:
        if stop:
            request.config.stash[UNUSABLE] = True
            request.session.shouldfail = "the corpus or the model cannot be used, as the error above says"
        earlier = _told_by(request, _origin(error))
        said = str(error) if earlier is None else f"cannot run, for the reason that {earlier} gives"
        raise pytest.fail.Exception(visible_lines(said), pytrace=False) from None


def _origin(error: AbaloError) -> str:
    """The message where the problem was found, before others added whose it is."""
    while isinstance(error.__cause__, AbaloError):
        error = error.__cause__
    return str(error)


def _told_by(request: pytest.FixtureRequest, problem: str) -> str | None:
    """The test that has told the problem already; None where this one is the first, which is then noted."""
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
