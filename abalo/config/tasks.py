"""The tasks that a run is about, from the options it is given and the tests that are selected."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from abalo.bundled import LEADING
from abalo.config.options import Options
from abalo.core.options import RunOptions
from abalo.core.task import Task, tasks
from abalo.corpora.loading import BUNDLED
from abalo.corpora.peek import columns_of, explain_unrecognised
from abalo.errors import AbaloError
from abalo.files import read_bytes
from perturbations.suggestions import did_you_mean

_NAMED = (
    "Columns with other names are named by theirs, or by number: FILE?text=COLUMN&label=COLUMN, "
    "FILE?premise=COLUMN&hypothesis=COLUMN&label=COLUMN, FILE?tokens=COLUMN&tags=COLUMN"
)


def task_called(name: str) -> Task:
    """The task of that name; raises `AbaloError` for any other."""
    known = tasks()
    if name not in known:
        raise AbaloError(f"task {name!r}: no such task{did_you_mean(name, known)}; there are {', '.join(known)}")
    return known[name]


def tasks_asked_for(options: Options, selected: Iterable[str], root: Path) -> tuple[Task, ...]:
    """The tasks that the options and the ``selected`` files, folders or modules below ``root`` mean.

    ``--abalo-task`` wins. Otherwise a model or a corpus is for the task whose folder is selected, else for the task
    that the corpus looks like, else for the task that leads. A run without any of these is about all tasks. Raises
    `AbaloError` for a name or a corpus that belongs to no task.
    """
    asked = _asked_for(options, selected, root)
    refuse_idle(options, asked)
    _refuse_shipped_for_others(options.corpus, asked)
    return asked


def read_corpus(task: Task, spec: str, options: RunOptions) -> Any:
    """The corpus called ``spec``, as the task reads it.

    Raises `AbaloError` for what it cannot read, which names the task that recognises the corpus, if another does.
    """
    try:
        return task.read(spec, options)
    except AbaloError as error:
        other = None if task.recognises(spec) else _recognising(spec)
        if other is None or f"--abalo-task {other.name}" in str(error):
            raise
        raise AbaloError(f"{error}\n  {spec} looks like a corpus of another task: --abalo-task {other.name}") from error


def corpus_named(spec: str, options: Options) -> tuple[Task, Any]:
    """The corpus called ``spec`` and its task: the one that the options name, else the one that recognises it.

    A corpus read by a ``scheme`` has labelled entities. Raises `AbaloError` for a corpus of no task, and with its
    problems for one that cannot be read.
    """
    task = task_called(options.task) if options.task else task_of_corpus(None if options.scheme else spec)
    return task, read_corpus(task, spec, options)


def _recognising(spec: str) -> Task | None:
    """The task that recognises the corpus, the task added last asked first; None if none does."""
    return next((task for task in reversed([*tasks().values()]) if task.recognises(spec)), None)


def _refuse_shipped_for_others(spec: str | None, asked: Sequence[Task]) -> None:
    """Raises `AbaloError` for a corpus that ships for another task than those asked for."""
    if spec is None or not spec.startswith(BUNDLED) or any(task.recognises(spec) for task in asked):
        return
    for task in tasks().values():
        if task.recognises(spec):
            wanted = " or ".join(each.name for each in asked)
            raise AbaloError(
                f"--abalo-corpus {spec}: is a corpus of the task {task.name}, and the run is about {wanted}; pass "
                f"--abalo-task {task.name}, or a corpus of {wanted}"
            )


def refuse_idle(options: Options, asked: Iterable[Task]) -> None:
    """Raises `AbaloError` for an option about what none of the tasks has: entity types."""
    asked = list(asked)
    for name in ("types", "join"):
        if getattr(options, name) and not any(task.labelled == "spans" for task in asked):
            tasks_named = ", ".join(task.name for task in asked)
            raise AbaloError(f"--abalo-{name}: is about entity types, of which {tasks_named} has none; leave it out")


def _asked_for(options: Options, selected: Iterable[str], root: Path) -> tuple[Task, ...]:
    if options.task is not None:
        return (task_called(options.task),)
    if options.model is None and options.corpus is None:
        return tuple(tasks().values())
    return tuple(_in_folders(selected, root) or [task_of_corpus(options.corpus)])


def _in_folders(selected: Iterable[str], root: Path) -> list[Task]:
    """The tasks whose folder was selected, or a test in it."""
    words: set[str] = set()
    for each in selected:
        path = Path(each.partition("::")[0])
        below = path.relative_to(root) if path.is_relative_to(root) else path
        words.update(re.split(r"[/\\.]+", str(below)))
    return [task for name, task in tasks().items() if name in words]


def task_of_corpus(spec: str | None) -> Task:
    """The task that recognises the corpus; the leading task where there is no corpus.

    A missing or empty corpus goes to the reader of the leading task, which raises the error.
    """
    known = list(tasks().values())
    found = None if spec is None else _recognising(spec)
    file = spec if spec is None or Path(spec).exists() else spec.partition("?")[0]
    if found is None and file is not None and _has_content(Path(file)):
        explain_unrecognised(file)
        kinds = "".join(f"\n  {task.name}: {task.corpus_kind or task.title}" for task in known)
        seen = f"\n  It begins with {columns_of(file)}. {_NAMED}"
        raise AbaloError(
            f"--abalo-corpus {spec}: the corpus of no task; say which with --abalo-task NAME:{kinds}{seen}"
        )
    return found or next(task for task in known if task.name == LEADING)


def _has_content(path: Path) -> bool:
    try:
        return path.is_file() and bool(read_bytes(path).strip())
    except (OSError, ValueError):  # no permission, no path
        return False
