"""Labels that the new run finds nowhere, or less often."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from abalo.comparison.test.family import Runs
from abalo.core.documents.losses_found import LabelCount
from abalo.core.protocols.probe import Case
from abalo.core.protocols.task import Task
from abalo.core.statistics.losses import (
    Loss,
)
from abalo.core.statistics.metrics import Share
from abalo.core.statistics.pairing import NotComparable, pair_runs


def is_lost(label: LabelCount) -> bool:
    """Whether a label is found nowhere now, and was found in enough examples and half its places."""
    return not label.now and label.examples >= LEAST_FOUND and 2 * label.found >= label.places


LEAST_FOUND = 5
"""Fewest examples of a *lost* label; equal models often lose rarer ones."""


def count_labels(task: Task, case: Case, floor: str, runs: Runs) -> tuple[LabelCount, ...]:
    """The places of each label in the gold, and how many of them each run finds; empty if they cannot be paired."""
    metric = next((each for each in task.metrics().values() if each.hits), task.metrics()[floor])
    value = metric.value
    if runs.other_gold or not isinstance(value, Share) or not metric.per_group:
        return ()
    if case.id not in runs.new or case.id not in runs.reference:
        return ()
    try:
        pair = pair_runs(runs.new[case.id], runs.reference[case.id], metric, case.view, from_model=False)
    except NotComparable:
        return ()
    found = []
    for k, label in enumerate(pair.groups, start=1):
        hits, still = (value.events(side[:, :, k]) for side in (pair.reference, pair.new))
        places = round(float(value.trials(pair.reference[:, :, k]).mean(axis=1).sum()))
        before, now = (float(each.mean(axis=1).sum()) for each in (hits, still))
        found.append(LabelCount(label, places, before, int((hits > 0).any(axis=1).sum()), now))
    return tuple(found)


def fallen_labels(labels: Iterable[LabelCount], clean: Case, losses: Iterable[Loss]) -> Iterator[LabelCount]:
    """The labels found less often than before whose loss is undecided."""
    open_still = {
        loss.group
        for loss in losses
        if loss.case == clean.id and loss.state in ("can't tell", "not judged") and loss.loss.value > 0
    }
    yield from (each for each in labels if 0 < each.now < each.found and each.type in open_still)
