"""Which tasks a run is about, from what it is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from abalo.config.options import Options
from abalo.core.task import tasks


def tasks_asked_for(options: Options, selected: Sequence[str]) -> frozenset[str] | None:
    """The tasks that the options and the ``selected`` files, folders or modules mean; None for all.

    ``--abalo-task`` comes first. Without it, a model or a corpus is that of the task whose folder was selected, else of
    the task that the corpus looks like, else of the task that leads. A run without any of these is about all tasks.
    """
    if options.task is not None:
        return frozenset({options.task})
    known = tasks().values()
    own = {task.name for task in known if _has_own(task.corpus_option, options) or _has_own(task.model_option, options)}
    if options.model is None and options.corpus is None:
        return frozenset(own) or None
    shared = [task for task in known if task.corpus_option == "corpus"]
    words = {word for path in selected for word in re.split(r"[/\\.:]+", path)}
    named = {task.name for task in tasks().values() if task.name in words}
    if named:
        return frozenset(named | own)
    spec = options.corpus
    found = [task for task in tasks().values() if spec is not None and task.recognises(spec)]
    found = found or [task for task in shared if task.leads]
    return frozenset({found[0].name} | own)


def _has_own(option: str, options: Options) -> bool:
    """Whether an option that one task alone has is given."""
    return option not in ("corpus", "model") and getattr(options, option) is not None
