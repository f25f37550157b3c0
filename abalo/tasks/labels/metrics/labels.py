"""Accuracy, F1 by class, and what a change takes off them.

A change may give an example other labels; then these are the right ones after it. Examples whose labels are not known
after a change, since it turned around what they say, are not counted here, neither before nor after:
`abalo.tasks.labels.metrics.direction` judges those.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from abalo.core.metrics import Difference, Floats, MeanShare, Metric, ratio, share, sided
from abalo.core.outcome import Outcome

_TEXTS, _CLEAN_RIGHT, _RIGHT, _FLIPPED = range(4)
_CLEAN_HITS, _CLEAN_FALSE, _CLEAN_MISSED, _HITS, _FALSE, _MISSED = range(6)


def gold_is_known(outcome: Outcome) -> bool:
    """Whether the example has labels, or may have none, and it is known which are right after the change."""
    known = outcome.example if outcome.variant is None else outcome.variant.example
    return outcome.example.gold is not None and known.gold is not None


def gold_now(outcome: Outcome) -> Sequence[str]:
    """The labels that are right after the change, where they are known."""
    labels: Sequence[str] = outcome.example.gold if outcome.variant is None else outcome.variant.example.gold
    return labels


def label_counts(outcomes: Sequence[Outcome], _view: str, labels: Sequence[str]) -> Floats:
    """Per outcome, overall and by gold label, in columns.

    Texts whose labels are known; those right on the clean text; those right now; those right before and wrong now.
    Overall a text is right whose labels are just those of gold, by label one that has the label; one that the change
    gave other labels counts under its old ones, and is right now with just the new ones.
    """
    table = np.zeros((len(outcomes), 1 + len(labels), 4))
    places = {label: k for k, label in enumerate(labels, start=1)}
    for rows, outcome in zip(table, outcomes, strict=True):
        gold, clean, now = outcome.example.gold, outcome.clean.labels, outcome.prediction.labels
        if gold_is_known(outcome):
            right, holds = now == gold_now(outcome), gold_now(outcome) == gold
            rows[0] = _compared(clean == gold, right)
            for label in gold:
                rows[places[label]] = _compared(label in clean, label in now if holds else right)
    return table


def kept_counts(outcomes: Sequence[Outcome], view: str, labels: Sequence[str]) -> Floats:
    """The same of a case in which all labels still hold; of any other nothing: what is left says little of it."""
    table = label_counts(outcomes, view, labels)
    return table if all(map(gold_is_known, outcomes)) else np.zeros_like(table)


def _compared(before: bool, after: bool) -> tuple[bool, ...]:
    return True, before, after, before and not after


accuracy = share(_RIGHT, _TEXTS)
"""Texts with the labels of gold over all texts, 0 to 1; NaN where there are none."""

clean_accuracy = share(_CLEAN_RIGHT, _TEXTS)

accuracy_drop = Difference(clean_accuracy, accuracy)
"""Clean minus perturbed accuracy, -1 to 1; NaN without a text."""

flip_rate = share(_FLIPPED, _CLEAN_RIGHT)
"""Texts right before and wrong after, over those right before; NaN where there are none."""


def sided_labels(outcomes: Sequence[Outcome], view: str, labels: Sequence[str]) -> Floats:
    """Per outcome and gold label: texts and right ones inside of a slice, then the same outside."""
    return sided(label_counts(outcomes, view, labels)[..., [_TEXTS, _RIGHT]], outcomes)


accuracy_gap = Difference(share(3, 2), share(1, 0), paired=False)
"""Accuracy outside of a slice less accuracy inside, -1 to 1; NaN where a side has no text."""


def class_counts(outcomes: Sequence[Outcome], _view: str, labels: Sequence[str]) -> Floats:
    """Per outcome and label: whether it was given rightly, given wrongly, missing on the clean text; the same now."""
    table = np.zeros((len(outcomes), len(labels), 6))
    for rows, outcome in zip(table, outcomes, strict=True):
        if not gold_is_known(outcome):
            continue
        before, after = (outcome.example.gold, outcome.clean), (gold_now(outcome), outcome.prediction)
        for first, (gold, prediction) in ((_CLEAN_HITS, before), (_HITS, after)):
            for row, label in zip(rows, labels, strict=True):
                given, right = label in prediction.labels, label in gold
                row[first : first + 3] = given and right, given and not right, right and not given
    return table


def _f1(sums: Floats, first: int) -> Floats:
    """F1 of each label, and in front of them, for all together, their mean over labels that occur at all."""
    hits, false, missed = (sums[..., first + k] for k in range(3))
    each = ratio(2 * hits, 2 * hits + false + missed)
    if each.ndim:
        known = ~np.isnan(each[..., 1:])
        each[..., 0] = ratio(np.where(known, each[..., 1:], 0.0).sum(-1), known.sum(-1).astype(np.float64))
    return each


def macro_f1(sums: Floats) -> Floats:
    """Mean over gold labels of their F1, 0 to 1; of one label its F1. NaN where none occurs."""
    return _f1(sums, _HITS)


def clean_macro_f1(sums: Floats) -> Floats:
    """The same on the clean texts."""
    return _f1(sums, _CLEAN_HITS)


balanced_accuracy = MeanShare(accuracy)
"""Mean recall over the labels of gold, 0 to 1; of one label its recall. NaN where none occurs."""


def kept_class_counts(outcomes: Sequence[Outcome], view: str, labels: Sequence[str]) -> Floats:
    """The same of a case in which all labels still hold; of any other nothing."""
    table = class_counts(outcomes, view, labels)
    return table if all(map(gold_is_known, outcomes)) else np.zeros_like(table)


def macro_f1_drop(sums: Floats) -> Floats:
    """Clean minus perturbed macro F1, -1 to 1."""
    return clean_macro_f1(sums) - macro_f1(sums)


def _all_missed(sums: Floats) -> Floats:
    """The sums of a model that gives no label rightly after the change, and no more labels wrongly than this one."""
    lost = sums.copy()
    lost[..., _HITS] = 0
    lost[..., _MISSED] += sums[..., _HITS]
    return lost


METRICS = (
    Metric(
        "accuracy",
        label_counts,
        accuracy,
        of_clean=True,
        more_is_better=True,
        meaning="of the texts, those with just the labels of gold; by label, those of its texts that have it",
    ),
    Metric(
        "accuracy_drop",
        kept_counts,
        accuracy_drop,
        low=-1.0,
        before=clean_accuracy,
        title="accuracy drop over all",
        meaning="accuracy on the clean texts less accuracy after the change, over all texts",
    ),
    Metric(
        "macro_f1",
        class_counts,
        macro_f1,
        of_clean=True,
        macro=True,
        more_is_better=True,
        lost=_all_missed,
        title="macro F1",
        meaning="the mean over labels of gold of their F1; by label, its F1",
    ),
    Metric(
        "balanced_accuracy",
        label_counts,
        balanced_accuracy,
        probes=("baseline",),
        macro=True,
        more_is_better=True,
        meaning="the mean over labels of gold of their recall; by label, its recall",
    ),
    Metric(
        "macro_f1_drop",
        kept_class_counts,
        macro_f1_drop,
        low=-1.0,
        before=clean_macro_f1,
        macro=True,
        lost=_all_missed,
        title="macro F1 drop",
        meaning="macro F1 on the clean texts less macro F1 on the changed ones",
    ),
    Metric(
        "flip_rate",
        kept_counts,
        flip_rate,
        compares=True,
        flips=True,
        meaning="of the texts labelled right before the change, those labelled wrong after it",
    ),
    Metric(
        "accuracy_changed",
        label_counts,
        accuracy,
        changed_only=True,
        more_is_better=True,
        per_group=False,
        meaning="accuracy over the changed texts alone",
    ),
    Metric(
        "accuracy_drop_changed",
        kept_counts,
        accuracy_drop,
        changed_only=True,
        low=-1.0,
        before=clean_accuracy,
        title="accuracy drop",
        meaning="accuracy on the clean texts less accuracy after the change, over the changed texts",
    ),
    Metric(
        "accuracy_gap",
        sided_labels,
        accuracy_gap,
        probes=("slice",),
        of_clean=True,
        low=-1.0,
        meaning="accuracy on all texts outside of the slice less accuracy on those in it",
    ),
)
