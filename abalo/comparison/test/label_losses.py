"""The losses of labels: asked once on the clean corpus, and once pooled over the perturbed cases.

A label's score is its F1, one against the rest. Its recall alone moves with the balance between labels.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from abalo.comparison.test.newly import NEWLY_WRONG
from abalo.core.documents.losses_found import ShiftedLabel
from abalo.core.protocols.task import Task
from abalo.core.records import words
from abalo.core.statistics.estimates import UNDEFINED, Estimate
from abalo.core.statistics.few_events import Few, few_between, few_mean
from abalo.core.statistics.losses import Draws, Hypothesis, Loss, Moved, certain, exact
from abalo.core.statistics.metrics import Flags, Floats, Metric, Share, over_trainings
from abalo.core.statistics.pairing import Matched, NotComparable, Pairing

_RIGHT, _PREDICTED, _GOLD = range(3)

F1 = Share(lambda sums: 2 * sums[..., _RIGHT], lambda sums: sums[..., _PREDICTED] + sums[..., _GOLD], hit=(2.0, 1.0))
RECALL = Share(lambda sums: sums[..., _RIGHT], lambda sums: sums[..., _GOLD])
PRECISION = Share(lambda sums: sums[..., _RIGHT], lambda sums: sums[..., _PREDICTED])

LABEL_F1 = "f1"
"""The metric of every label's loss, whatever the task's own metrics."""

NO_COUNTS = "the reference does not count predictions by label"


def _not_counted(*_: object) -> Floats:
    raise NotImplementedError


_OF_LABELS = Metric(
    LABEL_F1, _not_counted, F1, more_is_better=True, title="F1", meaning="F1 of a label against the rest"
)

_OF_TURNED = Metric(
    NEWLY_WRONG,
    _not_counted,
    _not_counted,
    title="newly wrong",
    meaning="share of the examples that the reference gets right and the run gets wrong",
)


def compared_by(task: Task, metric: str, label: str | None) -> Metric:
    """The metric of a loss: of the task, of its labels, or newly wrong examples."""
    if metric == NEWLY_WRONG:
        return _OF_TURNED
    return task.metrics()[metric] if label is None else _OF_LABELS


def is_common(metric: str, label: str | None) -> bool:
    """Whether every task has losses in this metric."""
    return label is not None or metric == NEWLY_WRONG


def label_metric(task: Task) -> Metric | None:
    """The metric whose table counts labels; None if the task has no labels to compare."""
    return next((metric for metric in task.metrics().values() if metric.by_label is not None), None)


@dataclass(frozen=True, slots=True, eq=False)
class LabelTable:
    """Right, predicted and gold of each label in both runs (clusters × trainings × labels × 3).

    * ``held``: clusters that hold the label in the reference (clusters × labels).
    * ``whole``: nothing is left to chance.
    """

    case: str
    by: Pairing
    clusters: tuple[str, ...]
    labels: tuple[str, ...]
    new: Floats
    reference: Floats
    held: Flags
    share: float
    same_answers: bool | None
    whole: bool = False

    @property
    def holding(self) -> list[int]:
        """The number of clusters that hold each label."""
        found: list[int] = self.held.sum(axis=0).tolist()
        return found

    def with_labels(self, kept: Sequence[int]) -> LabelTable:
        """The table of some labels, by place."""
        return replace(
            self,
            labels=tuple(self.labels[k] for k in kept),
            new=self.new[:, :, kept],
            reference=self.reference[:, :, kept],
            held=self.held[:, kept],
        )


def table_of(case: str, matched: Matched, metric: Metric, view: str, *, whole: bool) -> LabelTable:
    """The labels of a case; raises `NotComparable` if a run lacks counts of predictions."""
    assert metric.by_label is not None
    pair = matched.paired(metric, view)
    try:
        new, reference = (metric.by_label(side)[:, :, 1:] for side in (pair.new, pair.reference))
    except IndexError as error:
        raise NotComparable(NO_COUNTS) from error
    place = {cluster: row for row, cluster in enumerate(pair.clusters)}
    held = np.zeros((len(pair.clusters), len(pair.groups)), dtype=bool)
    rows = np.array([place.get(cluster, -1) for cluster in matched.reference.clusters.tolist()], dtype=np.intp)
    for k, group in enumerate(matched.reference.groups):
        held[rows[(matched.reference.held[:, k] > 0) & (rows >= 0)], pair.groups.index(group)] = True
    return LabelTable(
        case, pair.by, pair.clusters, pair.groups, new, reference, held, pair.share, pair.same_answers, whole
    )


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """The labels of one perturbed case, with its weight among all."""

    table: LabelTable
    weight: float


def pool_labels(name: str, parts: Sequence[Weighed], least: int) -> LabelTable | None:
    """The labels of several cases as one; a case counts for a label that at least ``least`` of its clusters hold."""
    parts = [part for part in parts if part.table.new.any() or part.table.reference.any()]
    if not parts:
        return None
    first, trainings = parts[0].table, [{side.shape[1] for side in sides} for sides in _sides(parts)]
    if any(len(found) > 1 for found in trainings):
        return None
    clusters = sorted({cluster for part in parts for cluster in part.table.clusters})
    labels = sorted({label for part in parts for label in part.table.labels})
    place = {cluster: row for row, cluster in enumerate(clusters)}
    new, reference = (np.zeros((len(clusters), *found, len(labels), 3)) for found in trainings)
    held = np.zeros((len(clusters), len(labels)), dtype=bool)
    totals = [_total(part.table) for part in parts]
    for part, total in zip(parts, totals, strict=True):
        own = part.table
        kept = [k for k, count in enumerate(own.holding) if count >= least]
        rows = [place[cluster] for cluster in own.clusters]
        columns = [labels.index(own.labels[k]) for k in kept]
        scale = part.weight * sum(totals) / total
        for into, side in ((new, own.new), (reference, own.reference)):
            into[np.ix_(rows, range(into.shape[1]), columns)] += scale * side[:, :, kept]
        held[np.ix_(rows, columns)] |= own.held[:, kept]
    answers = [part.table.same_answers for part in parts]
    return LabelTable(
        name,
        "variant" if all(part.table.by == "variant" for part in parts) else "example",
        tuple(clusters),
        tuple(labels),
        new,
        reference,
        held,
        min(part.table.share for part in parts),
        False if False in answers else None if None in answers else first.same_answers,
    )


def _sides(parts: Sequence[Weighed]) -> tuple[list[Floats], list[Floats]]:
    return [part.table.new for part in parts], [part.table.reference for part in parts]


def _total(table: LabelTable) -> float:
    return float(sum(side[..., [_PREDICTED, _GOLD]].sum() / side.shape[1] for side in (table.new, table.reference)) / 2)


def measured(table: LabelTable, value: Share, row: Callable[[str], Loss]) -> list[Loss]:
    """The unjudged loss of each label; ``row`` makes its frame."""
    new, reference = (over_trainings(value(side.sum(axis=0))) for side in (table.new, table.reference))
    differing = (table.new.mean(axis=1) != table.reference.mean(axis=1)).any(axis=-1).sum(axis=0)
    return [
        replace(
            row(label),
            by=table.by,
            new=float(new[k]),
            reference=float(reference[k]),
            loss=Estimate(float(reference[k] - new[k]), math.nan, math.nan, math.nan, len(table.clusters)),
            discordant=int(differing[k]),
            share=table.share,
        )
        for k, label in enumerate(table.labels)
    ]


def label_tests(
    table: LabelTable, value: Share, draws: Draws, least: int, row: Callable[[str], Loss]
) -> Iterator[Hypothesis]:
    """The hypothesis of each label; one that fewer than ``least`` clusters hold could never be significant."""
    resampled = None
    for k, loss in enumerate(measured(table, value, row)):
        same = np.array_equal(table.new[:, :, k], table.reference[:, :, k]) and table.same_answers is not False
        if math.isnan(loss.loss.value):
            yield Hypothesis(replace(loss, state="not judged", loss=UNDEFINED, reason="the label has no value here"))
        elif same:
            yield Hypothesis(certain(replace(loss, state="identical" if table.same_answers else "same results")))
        elif table.whole:
            yield Hypothesis(exact(loss))
        elif table.holding[k] < least:
            reason = f"only {words.count(table.holding[k], 'distinct example')} with it"
            yield Hypothesis(replace(loss, state="not judged", reason=reason))
        else:
            if resampled is None:
                sides = [_resampled(side, table, value, draws) for side in (table.reference, table.new)]
                resampled = sides[0] - sides[1]
            few = _few(table, value, k, always=draws.few)
            counts = np.concatenate([side[:, :, k] for side in (table.reference, table.new)], axis=1)
            yield Hypothesis(loss, resampled[:, k], few, 1.0, parts=draws.parts(table.clusters, counts))


def _resampled(side: Floats, table: LabelTable, value: Share, draws: Draws) -> Floats:
    """A resample without the label keeps the label's value; a subset without it has none."""
    found = draws.values(table.clusters, side, lambda sums: over_trainings(value(sums)))
    return found if draws.few else np.where(np.isnan(found), over_trainings(value(side.sum(axis=0))), found)


def _few(table: LabelTable, value: Share, k: int, *, always: bool) -> Few | None:
    trainings = max(side.shape[1] for side in (table.reference, table.new))
    if any(side.shape[1] not in (1, trainings) for side in (table.reference, table.new)):
        return None
    first, second = (np.broadcast_to(side[:, :, k], (len(side), trainings, 3)) for side in (table.reference, table.new))
    found = [few_between(value, first[:, each], second[:, each], always=always) for each in range(trainings)]
    return few_mean([each for each in found if each is not None]) if None not in found else None


# Shifts ---------------------------------------------------------------------------------------------------------------


def moved_answers(table: LabelTable) -> Mapping[tuple[str, str], Moved]:
    """Where answers went, by label of the reference and of the new run; exact for one label per example.

    In each cluster, right answers that are gone go to the labels that are now given wrongly more often. The others
    have no label now, "".
    """
    right, false = (
        np.stack([_over(side[..., _RIGHT]), _over(side[..., _PREDICTED] - side[..., _RIGHT])])
        for side in (table.reference, table.new)
    )
    gone, come = np.maximum(right[0] - false[0], 0), np.maximum(false[1] - right[1], 0)
    gold = _over(table.reference[..., _GOLD]).sum(axis=0)
    found: dict[tuple[str, str], float] = {}
    for row in np.flatnonzero(gone.any(axis=1)).tolist():
        left = come[row].copy()
        for k in np.flatnonzero(gone[row]).tolist():
            open_still = gone[row, k]
            for other in np.flatnonzero(left).tolist():
                if other == k or open_still <= 0:
                    continue
                count = min(open_still, left[other])
                open_still, left[other] = open_still - count, left[other] - count
                pair = table.labels[k], table.labels[other]
                found[pair] = found.get(pair, 0.0) + count
            if open_still > come[row, k]:  # what is left of the same label has another extent
                pair = table.labels[k], ""
                found[pair] = found.get(pair, 0.0) + open_still - come[row, k]
    places = dict(zip(table.labels, gold.tolist(), strict=True))
    return {
        pair: Moved(*pair, round(count), round(places[pair[0]])) for pair, count in found.items() if round(count) > 0
    }


def moved_in(tables: Iterable[LabelTable], label: str) -> tuple[Moved, ...]:
    """The most frequent moves of answers from or to a label, counted over several tables."""
    found: dict[tuple[str, str], Moved] = {}
    for table in tables:
        for pair, each in moved_answers(table).items():
            if label in pair:
                before = found.get(pair, replace(each, count=0, places=0))
                found[pair] = replace(each, count=before.count + each.count, places=before.places + each.places)
    return tuple(sorted(found.values(), key=lambda each: -each.count)[:_NAMED])


def _over(counts: Floats) -> Floats:
    found: Floats = counts.mean(axis=1)
    return found


_NAMED = 3


def shifted_labels(judged: Sequence[Loss], table: LabelTable, known: Sequence[str]) -> Iterator[ShiftedLabel]:
    """The labels whose recall or precision regressed; ``known`` fell by F1 and are left out.

    A label whose precision fell is told by the labels that its answers came from, if these are told.
    """
    moved, told = moved_answers(table), set[str]()
    fallen = sorted((loss for loss in judged if loss.state == "regressed"), key=lambda loss: -loss.loss.value)
    for loss in sorted(fallen, key=lambda loss: loss.metric != "recall"):
        label = str(loss.group)
        if label in known:
            continue
        side = 0 if loss.metric == "recall" else 1
        own = sorted((each for pair, each in moved.items() if pair[side] == label), key=lambda each: -each.count)
        if side and own and own[0].source in told:
            continue
        told.add(label)
        yield ShiftedLabel(label, "precision" if side else "recall", loss.reference, loss.new, tuple(own[:_NAMED]))
