"""Metrics: a row repeats what a metric declares of itself."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from pathlib import Path

from abalo.core.protocols.probe import probes_of
from abalo.core.protocols.task import Task, tasks
from abalo.core.statistics.metrics import Metric
from docs.made import NOTICE, table

PAGE = Path(__file__).parents[1] / "reference" / "metrics.md"

INTRODUCTION = f"""\
# Metrics

{NOTICE}

`abalo list metrics` prints this list with the metrics that your `conftest.py` registers.

A bound in [thresholds.toml](thresholds.md#bounds) is `max_` or `min_` and the name of a metric: `max_f1_drop = 0.05`.
If a metric is *per group*, a bound can name groups: `min_f1 = {{overall = 0.8, PESSOA = 0.9}}`. `max_NAME_loss` limits
the loss against an accepted run.

* **Range**: the smallest and the largest value. Logits have no range.
* **Better**: whether a higher or a lower value is better.
* **Kinds of test**: the [kinds of test](tasks.md#kinds-of-test) that measure it. Other kinds refuse a bound on it.
* **Views**: the [views](../explanation/views.md) in which it is defined.

Metrics are sums over all examples, divided: sentences are not averaged, unless the meaning says *mean over*. A metric
is null in a report if nothing counts; `precision`, `recall` and `f1` are 0.
"""

SEARCHES = """\
### How searches count

An attack runs one *search* for each seed and each target that the model predicts correctly on the clean example.

* A word of an entity is *wrong* if its label differs from the gold label. `B-` counts as `I-` of the same type if gold
  has `I-`. No word of an entity is wrong if the entity is still found exactly.
* A search is a *success* if every word of the entity is wrong in the sentence that it settled on [after Dirkson et al.,
  Breaking BERT, 3.1.1]. For other tasks, the label must be wrong.
* A search is a *partial success* if at least half of the words are wrong, but not all. It counts as a failure.
* The *best state* is the change on the way in which the target was hit hardest.

Compare models by `robust_recall` or `robust_accuracy`: each model has its own targets, so their success rates differ in
what they count.
"""


def made() -> str:
    """The whole page."""
    return "\n".join([INTRODUCTION, *map(section, tasks().values()), SEARCHES])


def section(task: Task) -> str:
    """A row for each metric of a task, in the order of its registry; its floor and headline metric are named."""
    floor, headline = (task.metrics()[name] for name in (task.floor, task.headline))
    head = f"`{floor.name}` measures the clean corpus, `{headline.name}` most other cases."
    columns = ("Metric", "Meaning", "Range", "Better", "Per group", "Kinds of test", "Views")
    rows = [list(cells(each, task)) for each in task.metrics().values()]
    return f"## {task.title}\n\n{head}\n\n{table(columns, rows)}"


def cells(metric: Metric, task: Task) -> Iterator[str]:
    """The cells of a metric's row."""
    yield f"`{metric.name}`"
    yield metric.meaning or metric.words
    unit = f" {metric.unit}" if metric.unit else ""
    yield f"{metric.low:g} to {metric.high:g}{unit}" if isfinite(metric.high) else "any"
    yield "more" if metric.more_is_better else "less"
    yield "yes" if metric.per_group else "no"
    yield ", ".join(measured_in(metric, task)) or "all"
    yield ", ".join(metric.views) or ("all" if len(task.views) > 1 else "–")


def measured_in(metric: Metric, task: Task) -> list[str]:
    """The kinds of case of the task in which the metric says something; empty where these are all."""
    having = probes_of(task)
    found = [each.name for each in having if metric.fits(each.name) and (each.perturbs or not metric.needs_change)]
    return found if len(found) < len(having) else []
