"""Makes docs/metrics.md from the code: ``python -m docs.make_metrics``; ``--check`` says if it is up to date.

A row repeats what a metric declares of itself: nothing about one metric is written here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from math import isfinite
from pathlib import Path

from abalo.core.metrics import Metric
from abalo.core.probe import probes_of
from abalo.core.task import Task, tasks
from docs.made import keep

PAGE = Path(__file__).parent / "metrics.md"

INTRODUCTION = """\
# Metrics

Made from the code by `python -m docs.make_metrics`; do not edit. `abalo list metrics` prints the same, with what your
`conftest.py` registers.

A bound is `max_` or `min_` and the name of a metric: `max_f1_drop = 0.05`. Where a metric is also *per group*, a bound
can name a group: `min_f1 = {overall = 0.8, PESSOA = 0.9}`. A loss against an accepted run is bounded
by `max_` + name + `_loss`.

* **Range**: the least and the greatest value; logits have none.
* **Better**: whether more is better or less.
* **Cases**: the [kinds of case](tasks.md#kinds-of-case) in which it says something; bounds in others are refused. The
  baseline is the clean corpus.
* **Views**: [the ways](views.md) in which it has a meaning.

Numbers are sums over all examples, divided; *mean over questions* and the like say where that is not so. What a metric
has where there is nothing to count, and exact definitions, stand in [the fields of a report](schema.md#the-metrics).
"""


def page() -> str:
    """The whole page."""
    return "\n".join([INTRODUCTION, *map(section, tasks().values())])


def section(task: Task) -> str:
    """A row for each metric of a task, in the order of its registry; its floor and headline metric are named."""
    floor, headline = (task.metrics()[name] for name in (task.floor, task.headline))
    head = f"The clean corpus is judged by `{floor.name}`, most cases by `{headline.name}`."
    columns = ("Metric", "Meaning", "Range", "Better", "Per group", "Cases", "Views")
    rows = [columns, ("---",) * len(columns), *(tuple(cells(each, task)) for each in task.metrics().values())]
    return "\n".join([f"## {task.title}\n", f"{head}\n", *(f"| {' | '.join(row)} |" for row in rows), ""])


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


def main() -> int:
    """Writes the page or, with ``--check``, says whether it differs; returns the exit status."""
    return keep(PAGE, page(), "python -m docs.make_metrics")


if __name__ == "__main__":
    sys.exit(main())
