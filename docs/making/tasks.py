"""The tasks, the kinds of test and the names that each task has, from the registries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from abalo.core.protocols.probe import Probe, probes, probes_of
from abalo.core.protocols.task import Task, tasks
from abalo.probes.slice import SLICE
from abalo.slices import slices
from docs.made import NOTICE, table

PAGE = Path(__file__).parents[1] / "reference" / "tasks.md"

INTRODUCTION = f"""\
# Tasks and kinds of test

{NOTICE}

A task says what is judged. `--abalo-task` names one; without it, the corpus or the selected tests decide.
`abalo list tasks`, `abalo list probes` and `abalo list cases` print the same with what your `conftest.py` registers.
[Add a task](../how-to/add-a-task.md) shows how to write your own.

"""

KINDS: Mapping[str, tuple[str, str]] = {
    "baseline": ("Measures the clean corpus, in every run", "../explanation/statistics.md"),
    "perturbation": ("Changes each example at random, once per seed", "perturbations.md"),
    "pipeline": ("Applies several perturbations in turn", "thresholds.md#pipelines"),
    "rewording": ("Puts each question in other words, or moves its options", "../how-to/questions.md"),
    "attack": ("Searches for a change that breaks the model", "attacks.md"),
    "invariance": (
        "Draws single edits that must not change the prediction (invariance)",
        "perturbations.md#invariances",
    ),
    "slice": ("Compares a part of the corpus with the rest", "perturbations.md#slices"),
    "prompt": ("Asks a language model by other prompts", "../how-to/prompts.md#change-the-prompt"),
    "capability": ("Fills templates with a known answer", "../how-to/capabilities.md"),
}
"""Each kind of test by the name of its probe: what it does, and the page about it."""

EXAMPLE = """\
## One file for several tasks

A table of `thresholds.toml` begins with its task. Unknown bounds are refused when the file is read.

```toml
[[ner.baseline]]
min_f1 = 0.8

[[ner.typos]]
max_f1_drop = 0.1

[[pos.typos]]
max_accuracy_drop = 0.1

[[classification.negation]]
max_wrong_way_rate = 0.1

[[choice.perturbation_stability]]
k = 5
max_fragility_score = 0.2
```

"""

NAMES = """\
## Names by task

These are the names of tables in `thresholds.toml`, `[[TASK.NAME]]`. A slice is named by its key `of`.

"""


def made() -> str:
    """The whole page."""
    shown = [
        [f"`{name}`", each.title, f"`{each.floor}`", f"`{each.headline}`", views(each)]
        for name, each in tasks().items()
    ]
    heads = ("`--abalo-task`", "Task", "Clean score", "Usual metric of a case", "Views")
    parts = [INTRODUCTION, table(heads, shown), "\n## Kinds of test\n\n", kinds(), "\n", EXAMPLE, NAMES]
    return "".join([*parts, *(names(task) for task in tasks().values())]).rstrip() + "\n"


def views(task: Task) -> str:
    """The views of a task, if it has several."""
    return ", ".join(f"`{view}`" for view in task.views if view) or "–"


def kinds() -> str:
    """A row for each kind of test: what it does, and how many names of it each task has."""
    heads = ("Kind of test", "What it does", *(f"`{name}`" for name in tasks()))
    order = [probes()[name] for name in KINDS if name in probes()]
    rows = [
        [f"[`{probe.name}`]({KINDS[probe.name][1]})", KINDS[probe.name][0], *counts(probe)]
        for probe in [*order, *(each for name, each in probes().items() if name not in KINDS)]
    ]
    return "A dash means that the task does not have the kind.\n\n" + table(heads, rows)


def counts(probe: Probe) -> Iterator[str]:
    """For each task how many names it has of a kind of test."""
    for task in tasks().values():
        yield str(len(names_of(probe, task))) if probe in probes_of(task) and names_of(probe, task) else "–"


def names_of(probe: Probe, task: Task) -> list[str]:
    """The names that a task has of a kind of test: tables, or the slices of the one table."""
    if probe.name == SLICE:
        return [name for name, part in slices().items() if part.fits(task)]
    return list(probe.entries.tables(task))


def names(task: Task) -> str:
    """The names of a task by kind of test."""
    having = {probe.name: names_of(probe, task) for probe in probes_of(task)}
    rows = [[f"`{name}`", ", ".join(linked(each, name) for each in having[name])] for name in KINDS if having.get(name)]
    return f"### {task.title}: {task.name}\n\n{table(('Kind of test', 'Names'), rows)}\n"


def linked(name: str, kind: str) -> str:
    """A name with a link to its entry."""
    page = {"attack": "attacks.md", "perturbation": "perturbations.md", "invariance": "perturbations.md"}
    page |= {SLICE: "perturbations.md"}
    return f"[`{name}`]({page[kind]}#{name})" if kind in page else f"`{name}`"
