"""Macro F1 of SemEval-2010 task 8, micro F1 of TACRED, and how much a change lowers them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from abalo.core.records.outcome import Outcome
from abalo.core.statistics.metrics import Floats, Metric, extremes_of_sides, ratio, split_sides
from abalo.tasks.labels.metrics import attack, confidence, invariances, labels
from abalo.tasks.labels.metrics.labels import gold_is_known, gold_now
from abalo.tasks.relations.corpus import Inventory, relation_of

_CLEAN, _NOW = 0, 3
_IN_MEAN, _RELATION = 6, 7
COLUMNS = 13


def relation_counts(outcomes: Sequence[Outcome], _view: str, labels: Sequence[str]) -> Floats:
    """Hits, wrong and missed, clean and now, by label and overall without the negative label.

    The first row of each relation adds 1 and its own counts. A wrong direction is wrong and missed.
    """
    table = np.zeros((len(outcomes), 1 + len(labels), COLUMNS))
    for rows, outcome in zip(table, outcomes, strict=True):
        inventory = outcome.example.source
        heads = _heads(labels, inventory)
        rows[list(heads.values()), _IN_MEAN] = 1
        if not gold_is_known(outcome):
            continue
        before, after = (outcome.example.gold, outcome.clean), (gold_now(outcome), outcome.prediction)
        for first, (gold, prediction) in ((_CLEAN, before), (_NOW, after)):
            right, found = gold[0], next(iter(prediction.labels), None)
            for given, column in ((found, 0 if found == right else 1), (right, 2)):
                if given is None or (column == 2 and found == right):
                    continue
                if given in labels:
                    rows[1 + labels.index(given), first + column] += 1
                if given != inventory.negative:
                    rows[0, first + column] += 1
                    if (head := heads.get(relation_of(given))) is not None:
                        rows[head, _RELATION + first + column] += 1
    return table


def _heads(labels: Sequence[str], inventory: Inventory) -> dict[str, int]:
    found: dict[str, int] = {}
    for row, label in enumerate(labels, start=1):
        if label != inventory.negative and label in inventory.labels:
            found.setdefault(relation_of(label), row)
    return found


def _f1(sums: Floats, first: int) -> Floats:
    hits, false, missed = (sums[..., first + k] for k in range(3))
    return ratio(2 * hits, 2 * hits + false + missed)


def _macro(sums: Floats, first: int, *, there: bool = False) -> Floats:
    each = _f1(sums, first)
    if each.ndim:
        rows = sums[..., 1:, :]
        own = np.nan_to_num(_f1(rows, _RELATION + first))
        counted = rows[..., _IN_MEAN] > 0
        if there:
            counted &= rows[..., _RELATION + first] + rows[..., _RELATION + first + 2] > 0
        each[..., 0] = ratio(np.where(counted, own, 0.0).sum(-1), counted.sum(-1).astype(np.float64))
    return each


def sided_counts(outcomes: Sequence[Outcome], view: str, labels: Sequence[str]) -> Floats:
    """`relation_counts` inside a slice, then outside."""
    return split_sides(relation_counts(outcomes, view, labels), outcomes)


def macro_f1_gap(sums: Floats) -> Floats:
    """Macro F1 outside a slice minus inside, each over the relations there, -1 to 1."""
    return _macro(sums[..., COLUMNS:], _NOW, there=True) - _macro(sums[..., :COLUMNS], _NOW, there=True)


def _all_missed(sums: Floats) -> Floats:
    lost = sums.copy()
    for first in (_NOW, _RELATION + _NOW):
        lost[..., first + 2] += lost[..., first]
        lost[..., first] = 0
    return lost


def _extremes(sums: Floats) -> tuple[Floats, Floats]:
    best = sums.copy()
    for first in (_NOW, _RELATION + _NOW):
        best[..., first] += sums[..., first + 2]
        best[..., [first + 1, first + 2]] = 0
    return best, _all_missed(sums)


def _drop_extremes(sums: Floats) -> tuple[Floats, Floats]:
    same = sums.copy()
    for first in (0, _RELATION):
        same[..., first + _NOW : first + 2 * _NOW] = sums[..., first : first + _NOW]
    return same, _all_missed(sums)


def _by_label(sums: Floats) -> Floats:
    hits, false, missed = (sums[..., _NOW + k] for k in range(3))
    return np.stack([hits, hits + false, hits + missed], axis=-1)


def _score(name: str, f1: Callable[[Floats, int], Floats], over: str, *, macro: bool) -> tuple[Metric, Metric]:
    known: dict[str, Any] = {"macro": macro, "lost": _all_missed}

    def now(sums: Floats) -> Floats:
        return f1(sums, _NOW)

    def clean(sums: Floats) -> Floats:
        return f1(sums, _CLEAN)

    def drop(sums: Floats) -> Floats:
        return clean(sums) - now(sums)

    title = name.replace("_f1", " F1")
    known |= {"title": title, "meaning": f"F1 {over}, direction included, without the negative one; per label, its F1"}
    loss = {"title": f"{title} drop", "meaning": f"{title} on the clean sentences minus {title} on the changed ones"}
    return (
        Metric(
            name,
            relation_counts,
            now,
            of_clean=True,
            more_is_better=True,
            extremes=_extremes,
            by_label=_by_label if macro else None,
            **known,
        ),
        Metric(
            f"{name}_drop", relation_counts, drop, low=-1.0, before=clean, extremes=_drop_extremes, **{**known, **loss}
        ),
    )


METRICS = (
    *_score("macro_f1", _macro, "as the mean over the relations", macro=True),
    *_score("micro_f1", _f1, "over all relations", macro=False),
    Metric(
        "macro_f1_gap",
        sided_counts,
        macro_f1_gap,
        probes=("slice",),
        of_clean=True,
        low=-1.0,
        macro=True,
        extremes=extremes_of_sides(_extremes),
        title="macro F1 gap",
        meaning="macro F1 on the sentences outside the slice minus macro F1 on the sentences in it, each over the "
        "relations that occur there",
    ),
    *(each for each in labels.METRICS if each.name not in ("macro_f1", "macro_f1_drop")),
    *confidence.METRICS,
    *attack.METRICS,
    *invariances.METRICS,
)
