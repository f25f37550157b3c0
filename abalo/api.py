"""The public interface: models judged from Python.

import abalo

session = abalo.Session(task="ner", model="./checkpoint", corpus="dev.conll")
result = session.judge("character_noise", rate=0.1, max_f1_drop=0.25)
result.verdict, result.metrics["f1_drop"].value
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

from abalo.bundled import CASES, bundled_path
from abalo.config.options import make_options
from abalo.config.run_table import KEYS
from abalo.config.tasks import refuse_idle, task_called, task_of_corpus
from abalo.config.thresholds import Thresholds, load
from abalo.core.protocols.probe import Case
from abalo.core.protocols.task import Task
from abalo.core.records import words
from abalo.core.records.gate import Gate
from abalo.core.records.settings import SEEDS
from abalo.core.running.judging import Judged
from abalo.errors import AbaloError
from abalo.models.user_code import spec_of
from abalo.run.execution import Execution, run_all
from abalo.run.opened import Opened
from abalo.run.prepared import Prepared
from abalo.run.progress import notebook_progress
from abalo.run.results import Report, Result
from abalo.run.showing import facts_html
from abalo.run.spec import RunSpec

__all__ = ["Report", "Result", "Session"]


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


_SPECS = (str, Path, bytes, bool, int, float, list, tuple, dict, type(None))
"""What is no model itself, but names one or is refused."""


def _tasks(asked: object) -> list[Task]:
    given = [*asked] if isinstance(asked, Iterable) and not isinstance(asked, str | Set) else [asked]
    known = [task_called(each) if isinstance(each, str) else each for each in given]
    found = {each.name: each for each in known if isinstance(each, Task)}
    if not found or len(found) != len(given):
        raise AbaloError(
            f"task: {asked!r}; expected the name of a task, such as 'ner', a Task, or several different ones"
        )
    return [*found.values()]


def _facts(opened: Opened) -> dict[str, str]:
    options, thresholds, task = opened.spec.options, opened.spec.thresholds, opened.task
    cases = sum(case.task == task.name and not case.deep for case in thresholds.cases)
    limit = "" if options.limit is None else f", the first {options.limit:,} examples"
    return {
        "Model": words.name(options.model or "bundled"),
        "Corpus": words.name(str(options.corpus or "bundled")) + limit,
        "Cases": f"{cases:,} in {thresholds.path.name}",
        "Seeds": ", ".join(map(str, options.seeds or thresholds.gate.seeds)),
    }


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
    """A task with its corpus and model, or several tasks.

    Files and models are read when first needed, once. Each result depends on the arguments of its call, in any order of
    calls. `run` and `cases` take every task, and ``session["ner"]`` is the session of one. Raises `AbaloError` for an
    unknown name, a value of another type, or an option that no task has.

    Args:
        task: Names or tasks; by default as ``[run]`` of the thresholds or the corpus says.
        model: As on the command line, or the model itself: a function from a list of inputs to their labels, or what
            else a factory may return; by default the bundled one of each task. Answers are kept: a model that changes
            needs another session.
        corpus: As on the command line; by default the bundled one of each task.
        thresholds: A file. Its ``[run]`` sets what is not given; by default the shipped cases without bounds.
        seeds: Whole numbers, as on the command line.
        limit: Number of examples, as on the command line.
        **options: Other options of the command line, such as ``label_map="PER=PESSOA"`` or ``types="PER,LOC"``. Options
            that only pytest uses are refused.
    """

    def __init__(
        self,
        task: str | Task | Iterable[str | Task] | None = None,
        model: object = None,
        corpus: str | Path | None = None,
        thresholds: str | Path | None = None,
        seeds: Iterable[int] | None = None,
        limit: int | None = None,
        **options: Any,
    ) -> None:
        if idle := next((name for name in _OF_PYTEST if name in options), None):
            raise AbaloError(f"option {idle!r}: does nothing in a Session, {_OF_PYTEST[idle]}; leave it out")
        known = [] if task is None else _tasks(task)
        held = None if isinstance(model, _SPECS) else model
        asked = {"model": model if held is None else spec_of(held), "corpus": corpus, "limit": limit, **options}
        if not isinstance(thresholds, str | Path | None):
            raise AbaloError(f"thresholds: {thresholds!r}; expected the path of a file")
        path = bundled_path(CASES) if thresholds is None else Path(thresholds)
        make = partial(make_options, thresholds=path, seeds=_seeds(seeds))
        given = make(**asked)
        judged_by = load(path, given.language, given.least)
        filled = make(**_fill_options(asked, judged_by))
        known = known or [task_called(filled.task) if filled.task else task_of_corpus(filled.corpus)]
        named, chosen = (
            known[0].name if len(known) == 1 else None,
            judged_by.seeds_against(filled.seeds, filled.against),
        )
        used = replace(filled, task=named, seeds=chosen)
        refuse_idle(used, known)
        self._opened = {each.name: Opened(RunSpec(each, used, judged_by, model=held)) for each in known}

    @classmethod
    def of(cls, opened: Opened) -> Self:
        """A session on what a run has opened."""
        session = cls.__new__(cls)
        session._opened = {opened.task.name: opened}
        return session

    def __repr__(self) -> str:
        return f"<session of {', '.join(self._opened)}>"

    def _repr_html_(self) -> str:
        """What the session judges, without reading or loading anything."""
        return "".join(facts_html(opened.task.title, _facts(opened)) for opened in self._opened.values())

    def __getitem__(self, task: str) -> Self:
        """Returns the session of one task; raises `AbaloError` for a task that the session lacks."""
        if task not in self._opened:
            raise AbaloError(f"session[{task!r}]: its tasks are {', '.join(self._opened)}")
        return self.of(self._opened[task])

    @property
    def _only(self) -> Opened:
        if len(self._opened) > 1:
            first, names = next(iter(self._opened)), ", ".join(self._opened)
            raise AbaloError(f"a session of several tasks ({names}): ask that of one, such as session[{first!r}]")
        return next(iter(self._opened.values()))

    @property
    def task(self) -> Task:
        """The task."""
        return self._only.task

    @property
    def corpus(self) -> Any:
        """The corpus, read once; raises `AbaloError` listing its problems."""
        return self._only.corpus

    @property
    def model(self) -> Any:
        """The model; the first of several trainings. Raises `AbaloError`."""
        return self._only.model

    @property
    def gate(self) -> Gate:
        """The rules of judgement, in the language of the corpus."""
        return self._only.gate

    @property
    def baseline(self) -> Judged:
        """The clean corpus, measured once and judged by its bounds."""
        return self.prepared.baseline

    @cached_property
    def prepared(self) -> Prepared:
        """What is known before the first case."""
        return Prepared(self._only)

    def cases(self, *, deep: bool = False) -> list[Case]:
        """The tasks' cases in the thresholds file, except for other languages."""
        return [case for opened in self._opened.values() for case in Prepared(opened).cases(deep=deep)]

    def judge(self, name: str, /, **values: object) -> Result:
        """Runs and judges a case with values as in an entry of thresholds.toml.

        Bounds are corrected for their own number. Raises `AbaloError` listing every problem.
        """
        case = self.prepared.case_of(name, values)
        return Execution(self.prepared).judged(case, bounds=len(case.bounds))

    def run(self, *, deep: bool = False) -> Report:
        """Judges the tasks' cases in the thresholds file as one run; deep ones only if ``deep``.

        A notebook shows how many cases are judged.
        """
        runs = [Prepared(opened, deep=deep) for opened in self._opened.values()]
        return run_all(runs, progress=notebook_progress())
