"""The tasks of a run, from options and selected tests."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from abalo.bundled import LEADING
from abalo.config.options import Options
from abalo.core.protocols.corpus_spec import names_in, source_in
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.task import Task, tasks
from abalo.corpora.loading import BUNDLED
from abalo.corpora.peek import columns_of, explain_unrecognised, holds_heads
from abalo.errors import AbaloError
from abalo.files import read_bytes
from perturbations.suggestions import did_you_mean

_NAMED = (
    "If the columns have other names, give the names or numbers: FILE?text=COLUMN&label=COLUMN, "
    "FILE?premise=COLUMN&hypothesis=COLUMN&label=COLUMN, FILE?source=COLUMN&reference=COLUMN, "
    "FILE?tokens=COLUMN&tags=COLUMN"
)


def task_called(name: str) -> Task:
    """The task of that name; raises `AbaloError` if unknown."""
    known = tasks()
    if name not in known:
        raise AbaloError(f"task {name!r}: no such task{did_you_mean(name, known)}; there are {', '.join(known)}")
    return known[name]


def tasks_asked_for(options: Options, selected: Iterable[str], root: Path) -> tuple[Task, ...]:
    """The tasks meant by the options and ``selected`` tests below ``root``; raises `AbaloError`.

    ``--abalo-task`` has priority, then a selected task folder, the task that recognises the corpus, and the leading
    task. If nothing is given, all tasks run.
    """
    asked = _requested_tasks(options, selected, root)
    refuse_idle(options, asked)
    _refuse_shipped_for_others(options.corpus, asked)
    return asked


def idle_tasks(options: Options, asked: Iterable[Task]) -> dict[str, str]:
    """The tasks without a shipped corpus, each with a remedy."""
    if options.task is not None or options.corpus is not None:
        return {}
    return {
        task.name: (
            f"no corpus and no model of {task.name} ship; judge yours with --abalo-task {task.name} "
            "--abalo-model MODEL --abalo-corpus CORPUS"
        )
        for task in asked
        if not task.default_corpus
    }


def read_corpus(task: Task, spec: str, options: RunOptions) -> Any:
    """Reads the corpus; raises `AbaloError`."""
    try:
        return task.read(spec, options)
    except AbaloError as error:
        other = None if task.recognises(spec) else next(recognising(spec), None)
        if other is None or f"--abalo-task {other.name}" in str(error):
            raise
        raise AbaloError(f"{error}\n  {spec} looks like a corpus of another task: --abalo-task {other.name}") from error


def corpus_named(spec: str, options: Options) -> tuple[Task, Any]:
    """The corpus and its task, given or recognised; raises `AbaloError`."""
    task = task_called(options.task) if options.task else task_of_corpus(spec)
    return task, read_corpus(task, spec, options)


def recognising(spec: str) -> Iterator[Task]:
    """The tasks that recognise the corpus, the task added last first; those that know its settings, if any does."""
    known, named = [*tasks().values()][::-1], names_in(spec)
    able = [task for task in known if named <= {each.name for each in task.corpus_kind.settings}]
    return (task for task in able or known if task.recognises(spec))


def tasks_for(spec: str) -> list[Task]:
    """The tasks that recognise the corpus, then pos and parsing if it has heads."""
    found = [*recognising(spec)]
    trees = [tasks()[name] for name in _OF_TREES] if holds_heads(spec) else []
    return [*found, *(task for task in trees if task not in found)]


_OF_TREES = ("pos", "parsing")


def _refuse_shipped_for_others(spec: str | None, asked: Sequence[Task]) -> None:
    if spec is None or not spec.startswith(BUNDLED) or any(task.recognises(spec) for task in asked):
        return
    for task in tasks().values():
        if task.recognises(spec):
            wanted = " or ".join(each.name for each in asked)
            raise AbaloError(
                f"--abalo-corpus {spec}: is a corpus of the task {task.name}, but the run is for {wanted}; pass "
                f"--abalo-task {task.name}, or a corpus for {wanted}"
            )


def refuse_idle(options: Options, asked: Iterable[Task]) -> None:
    """Raises `AbaloError` for an option that no task supports."""
    asked = list(asked)
    for name in ("types", "join"):
        if getattr(options, name) and not any(task.labelled == "spans" for task in asked):
            tasks_named = ", ".join(task.name for task in asked)
            raise AbaloError(f"--abalo-{name}: applies to entity types, and {tasks_named} has none; leave it out")
    if options.markers and not any(task.group_noun == "relation" for task in asked):
        tasks_named = ", ".join(task.name for task in asked)
        raise AbaloError(f"--abalo-markers: applies to relations, and {tasks_named} has none; leave it out")


def _requested_tasks(options: Options, selected: Iterable[str], root: Path) -> tuple[Task, ...]:
    if options.task is not None:
        return (task_called(options.task),)
    if options.model is None and options.corpus is None:
        return tuple(tasks().values())
    return tuple(_in_folders(selected, root) or [task_of_corpus(options.corpus)])


def _in_folders(selected: Iterable[str], root: Path) -> list[Task]:
    words: set[str] = set()
    for each in selected:
        path = Path(each.partition("::")[0])
        below = path.relative_to(root) if path.is_relative_to(root) else path
        words.update(re.split(r"[/\\.]+", str(below)))
    return [task for name, task in tasks().items() if name in words]


def task_of_corpus(spec: str | None) -> Task:
    """The task that recognises the corpus, else the leading task."""
    known = list(tasks().values())
    found = None if spec is None else next(recognising(spec), None)
    file = None if spec is None else source_in(spec)
    if found is None and file is not None and _has_content(Path(file)):
        explain_unrecognised(file)
        kinds = "".join(f"\n  {task.name}: {task.corpus_kind.files or task.title}" for task in known)
        seen = f"\n  It begins with {columns_of(file)}. {_NAMED}"
        raise AbaloError(f"--abalo-corpus {spec}: fits no task; name the task with --abalo-task NAME:{kinds}{seen}")
    return found or next(task for task in known if task.name == LEADING)


def _has_content(path: Path) -> bool:
    try:
        return path.is_file() and bool(read_bytes(path).strip())
    except (OSError, ValueError):  # no permission, no path
        return False
