"""Accuracy, F1 by class, and how much a change lowers them.

A change may replace the right labels. Examples whose labels become unknown are left to
`abalo.tasks.labels.metrics.direction`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from abalo.core.records.outcome import Outcome
from abalo.core.statistics.metrics import Difference, Floats, MeanShare, Metric, ratio, share, split_sides

_TEXTS, _CLEAN_RIGHT, _RIGHT, _FLIPPED = range(4)
_CLEAN_HITS, _CLEAN_FALSE, _CLEAN_MISSED, _HITS, _FALSE, _MISSED = range(6)


def gold_is_known(outcome: Outcome) -> bool:
    """True if labels are known before and after the change."""
    known = outcome.example if outcome.variant is None else outcome.variant.example
    return outcome.example.gold is not None and known.gold is not None


def gold_now(outcome: Outcome) -> Sequence[str]:
    """The right labels after the change, if known."""
    labels: Sequence[str] = outcome.example.gold if outcome.variant is None else outcome.variant.example.gold
    return labels


def label_counts(outcomes: Sequence[Outcome], _view: str, labels: Sequence[str]) -> NDArray[np.uint8]:
    """Texts, right before, right now, and lost, overall and by gold label.

    Overall, the labels must equal gold; by label, the text must have it. A text with replaced labels counts under the
    old ones, and is right now if its labels equal the new ones.
    """
    table = np.zeros((len(outcomes), 1 + len(labels), 4), dtype=np.uint8)
    places = {label: k for k, label in enumerate(labels, start=1)}
    for rows, outcome in zip(table, outcomes, strict=True):
        gold, clean, now = outcome.example.gold, outcome.clean.labels, outcome.prediction.labels
        if gold_is_known(outcome):
            right, holds = now == gold_now(outcome), gold_now(outcome) == gold
            rows[0] = _compare_labels(clean == gold, right)
            for label in gold:
                rows[places[label]] = _compare_labels(label in clean, label in now if holds else right)
    return table


def kept_counts(outcomes: Sequence[Outcome], view: str, labels: Sequence[str]) -> NDArray[np.uint8]:
    """`label_counts` if the case keeps all labels, else zeros."""
    table = label_counts(outcomes, view, labels)
    return table if all(map(gold_is_known, outcomes)) else np.zeros_like(table)


def whole_labels(outcome: Outcome) -> tuple[Sequence[tuple[str, ...]], Sequence[tuple[str, ...]]]:
    """The labels before and after."""
    return (outcome.clean.labels,), (outcome.prediction.labels,)


def _compare_labels(before: bool, after: bool) -> tuple[bool, ...]:
    return True, before, after, before and not after


accuracy = share(_RIGHT, _TEXTS)

clean_accuracy = share(_CLEAN_RIGHT, _TEXTS)

accuracy_drop = Difference(clean_accuracy, accuracy)

flip_rate = share(_FLIPPED, _CLEAN_RIGHT)


def sided_labels(outcomes: Sequence[Outcome], view: str, labels: Sequence[str]) -> Floats:
    """Texts and right texts inside a slice, then outside, by gold label."""
    return split_sides(label_counts(outcomes, view, labels)[..., [_TEXTS, _RIGHT]], outcomes)


accuracy_gap = Difference(share(3, 2), share(1, 0), paired=False)


def class_counts(outcomes: Sequence[Outcome], _view: str, labels: Sequence[str]) -> NDArray[np.uint8]:
    """True positives, false positives and false negatives by label, clean and now."""
    table = np.zeros((len(outcomes), len(labels), 6), dtype=np.uint8)
    place = {label: k for k, label in enumerate(labels)}
    for rows, outcome in zip(table, outcomes, strict=True):
        if not gold_is_known(outcome):
            continue
        before, after = (outcome.example.gold, outcome.clean), (gold_now(outcome), outcome.prediction)
        for first, (gold, prediction) in ((_CLEAN_HITS, before), (_HITS, after)):
            for label in {*prediction.labels, *gold} & place.keys():
                given, right = label in prediction.labels, label in gold
                rows[place[label], first : first + 3] = given and right, given and not right, right and not given
    return table


def _f1(sums: Floats, first: int) -> Floats:
    hits, false, missed = (sums[..., first + k] for k in range(3))
    each = ratio(2 * hits, 2 * hits + false + missed)
    if each.ndim:
        known = ~np.isnan(each[..., 1:])
        each[..., 0] = ratio(np.where(known, each[..., 1:], 0.0).sum(-1), known.sum(-1).astype(np.float64))
    return each


def macro_f1(sums: Floats) -> Floats:
    """Mean F1 over gold labels, 0 to 1; NaN if none occurs."""
    return _f1(sums, _HITS)


def clean_macro_f1(sums: Floats) -> Floats:
    """Macro F1 on the clean texts."""
    return _f1(sums, _CLEAN_HITS)


def by_label(sums: Floats) -> Floats:
    """Right, predicted and gold texts of each label, from `class_counts`."""
    hits, false, missed = (sums[..., k] for k in (_HITS, _FALSE, _MISSED))
    return np.stack([hits, hits + false, hits + missed], axis=-1)


balanced_accuracy = MeanShare(accuracy)


def kept_class_counts(outcomes: Sequence[Outcome], view: str, labels: Sequence[str]) -> NDArray[np.uint8]:
    """`class_counts` if the case keeps all labels, else zeros."""
    table = class_counts(outcomes, view, labels)
    return table if all(map(gold_is_known, outcomes)) else np.zeros_like(table)


def macro_f1_drop(sums: Floats) -> Floats:
    """Clean minus perturbed macro F1, -1 to 1."""
    return clean_macro_f1(sums) - macro_f1(sums)


def _all_missed(sums: Floats) -> Floats:
    lost = sums.copy()
    lost[..., _HITS] = 0
    lost[..., _MISSED] += sums[..., _HITS]
    return lost


def _extremes(sums: Floats) -> tuple[Floats, Floats]:
    best = sums.copy()
    best[..., _HITS] += sums[..., _MISSED]
    best[..., [_FALSE, _MISSED]] = 0
    return best, _all_missed(sums)


def _drop_extremes(sums: Floats) -> tuple[Floats, Floats]:
    same = sums.copy()
    same[..., _HITS:] = sums[..., :_HITS]
    return same, _all_missed(sums)


METRICS = (
    Metric(
        "accuracy",
        label_counts,
        accuracy,
        of_clean=True,
        more_is_better=True,
        hits=True,
        exact=True,
        meaning="share of the examples with exactly the gold labels; per label, share of its gold examples that get it",
    ),
    Metric(
        "accuracy_drop",
        kept_counts,
        accuracy_drop,
        low=-1.0,
        before=clean_accuracy,
        title="accuracy drop over all examples",
        meaning="accuracy on the clean examples minus accuracy after the change, over all examples",
    ),
    Metric(
        "macro_f1",
        class_counts,
        macro_f1,
        of_clean=True,
        macro=True,
        more_is_better=True,
        lost=_all_missed,
        extremes=_extremes,
        by_label=by_label,
        title="macro F1",
        meaning="mean of the F1 of all gold labels; per label, its F1",
    ),
    Metric(
        "balanced_accuracy",
        label_counts,
        balanced_accuracy,
        probes=("baseline",),
        macro=True,
        more_is_better=True,
        meaning="mean of the recall of all gold labels; per label, its recall",
    ),
    Metric(
        "macro_f1_drop",
        kept_class_counts,
        macro_f1_drop,
        low=-1.0,
        before=clean_macro_f1,
        macro=True,
        lost=_all_missed,
        extremes=_drop_extremes,
        title="macro F1 drop",
        meaning="macro F1 on the clean examples minus macro F1 on the changed examples",
    ),
    Metric(
        "flip_rate",
        kept_counts,
        flip_rate,
        compares=True,
        flips=True,
        outputs=whole_labels,
        meaning="share of the examples labelled correctly before the change that are labelled wrongly after it",
    ),
    Metric(
        "accuracy_changed",
        label_counts,
        accuracy,
        changed_only=True,
        more_is_better=True,
        per_group=False,
        meaning="accuracy on the changed examples only",
    ),
    Metric(
        "accuracy_drop_changed",
        kept_counts,
        accuracy_drop,
        changed_only=True,
        low=-1.0,
        before=clean_accuracy,
        title="accuracy drop",
        meaning="accuracy on the clean examples minus accuracy after the change, over the changed examples",
    ),
    Metric(
        "accuracy_gap",
        sided_labels,
        accuracy_gap,
        probes=("slice",),
        of_clean=True,
        low=-1.0,
        meaning="accuracy on the examples outside the slice minus accuracy on the examples in it",
    ),
)
