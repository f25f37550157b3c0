"""The noise of a random model: how often it gives an unchanged example another label.

A model that draws its labels flips labels that no perturbation has touched. So the clean corpus is predicted a second
time, and the flips between both passes are counted as those of a case are. They stand in the notes of each case, so
that a run can be judged again without its model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from abalo.core.example import Example
from abalo.core.few_events import ShareLaw, share_law
from abalo.core.metrics import Floats, Metric, Share, counts_of
from abalo.core.outcome import Outcome
from abalo.core.statistics import Estimate
from abalo.core.task import Task
from abalo.core.verdicts import Judgement

NOISE = "noise: "
"""Before the name of a count and, behind a colon, of a group: the notes about noise. All groups together have no
name."""

_EVENTS, _TRIALS, _SIZE = ("flips", "trials", "size")
"""Labels that differ, those that could, and as how many independent ones these count."""


def flip_metric(task: Task) -> Metric | None:
    """The metric of flips by which noise is measured, the first that needs no search; None for a task without one."""
    found = (metric for metric in task.metrics().values() if metric.flips and not metric.probes)
    return next((metric for metric in found if isinstance(metric.value, Share)), None)


def noted(
    task: Task, examples: Sequence[Example], first: Sequence[Any], second: Sequence[Any], scale: Any
) -> dict[str, int]:
    """The notes about noise that two passes over the same examples give; none without anything that could flip."""
    metric = flip_metric(task)
    if metric is None:
        return {}
    outcomes = [
        Outcome(example, 0, before, task.rewordings.repeated(example), after, scale)
        for example, before, after in zip(examples, first, second, strict=True)
    ]
    groups = task.groups(outcomes)
    view = task.usual_view if metric.meant_in(task.usual_view) else metric.views[0]
    table = counts_of(metric, outcomes, view, groups)
    _, rows = np.unique([example.cluster for example in examples], return_inverse=True)
    sums = np.zeros((int(rows.max(initial=-1)) + 1, *table.shape[1:]))
    np.add.at(sums, rows, table)
    notes: dict[str, int] = {}
    for place, group in enumerate(("", *groups)):
        notes |= _of_group(group, metric.value, sums[:, place])
    return notes


def _of_group(group: str, value: Any, sums: Floats) -> dict[str, int]:
    events, trials = value.events(sums), value.trials(sums)
    if not trials.sum() > 0:
        return {}
    size = max(1, int(share_law(events, trials).size))
    return {
        f"{NOISE}{name}:{group}": int(number)
        for name, number in ((_EVENTS, events.sum()), (_TRIALS, trials.sum()), (_SIZE, size))
    }


def noise(notes: Mapping[str, int], group: str | None, confidence: float) -> Estimate | None:
    """The share of labels that flip where nothing is changed, in the group, or overall if it has none of these.

    None if both passes gave the same throughout, or if there was one pass.
    """
    if not notes.get(f"{NOISE}{_EVENTS}:"):
        return None
    own = f":{group or ''}"
    own = own if f"{NOISE}{_TRIALS}{own}" in notes else ":"
    events, trials, size = (notes[f"{NOISE}{name}{own}"] for name in (_EVENTS, _TRIALS, _SIZE))
    law, alpha = ShareLaw(events / trials, size), (1 - confidence) / 2
    return Estimate(law.value, law.low(alpha), law.high(alpha), float("nan"), size, law=law, trials=trials)


def least_flips(metric: Metric, low: float, high: float) -> float:
    """The lower end of the flips, by the interval of a metric that counts them or what is left of them."""
    return metric.high - high if metric.more_is_better else low


def beyond_noise(found: Judgement, metric: Metric, notes: Mapping[str, int], confidence: float) -> Judgement:
    """The judgement, inconclusive if noise alone may explain the flips for which it fails.

    That is unless the lower end of their share lies above the upper end of the noise.
    """
    own = noise(notes, found.bound.type, confidence) if metric.flips else None
    if own is None:
        return found
    scale = metric.value.scale if isinstance(metric.value, Share) else 1.0
    found = replace(found, noise=scale * own.high)
    if "fail" not in (found.verdict, found.uncorrected):
        return found
    if least_flips(metric, found.estimate.low, found.estimate.high) > scale * own.high:
        return found
    value, low, high = (scale * each for each in (own.value, own.low, own.high))
    estimate = found.estimate
    reason = (
        f"{estimate.value:z.3f} [{estimate.low:z.3f}, {estimate.high:z.3f}] may be noise of the model, which is "
        f"{value:z.3f} [{low:z.3f}, {high:z.3f}] between two clean passes"
    )
    return replace(found, verdict="inconclusive", uncorrected="inconclusive", reason=reason, needed=None)
