"""Precision, recall and F1 of words, recall of unseen words, and how much a change lowers F1.

A word is found if both ends are right, as in the SIGHAN bakeoffs. Words with unlabelled characters do not count;
predicted words that split a run of letters or digits are wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from abalo.core.records.outcome import Outcome
from abalo.core.statistics.metrics import Difference, Floats, Metric, Share, column, share, split_sides
from abalo.corpora.word_labels import words_in
from perturbations import Sentence, Span
from perturbations.layers import UNLABELLED

LENGTHS = ("1", "2", "3", "4+")
"""In characters; a run of letters or digits is one."""

_CLEAN_FOUND, _CLEAN_PREDICTED, _CLEAN_GOLD, _FOUND, _PREDICTED, _GOLD, _NEW_FOUND, _NEW = range(8)


def length_of(word: Span) -> str:
    """The length group of a word."""
    return LENGTHS[min(len(word), len(LENGTHS)) - 1]


def compared_words(
    sentence: Sentence, labels: tuple[str, ...], joined: int = 0
) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Gold and predicted fully labelled words, without the last ``joined`` characters."""
    gold, own = sentence.tags or (), len(sentence) - joined
    return tuple(
        tuple(word for word in words_in(each) if word.start < own and UNLABELLED not in gold[word.start : word.stop])
        for each in (gold, labels)
    )  # type: ignore[return-value]


def seen_words(outcome: Outcome) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Gold and predicted words, as last shown."""
    made = outcome.perturbed
    if made is None:
        return compared_words(outcome.sentence, outcome.prediction.tags)
    return compared_words(made.sentence, outcome.prediction.tags, made.joined)


def word_counts(outcomes: Sequence[Outcome], _view: str, lengths: Sequence[str]) -> Floats:
    """Words found, predicted and gold, clean and now, then unseen words, by length."""
    table = np.zeros((len(outcomes), len(lengths), 8))
    row_of = {length: k for k, length in enumerate(lengths)}
    for rows, outcome in zip(table, outcomes, strict=True):
        _count(*compared_words(outcome.sentence, outcome.clean.tags), row_of, rows[:, :_FOUND])
        gold, predicted = seen_words(outcome)
        _count(gold, predicted, row_of, rows[:, _FOUND:_NEW_FOUND])
        seen, made, found = outcome.example.source, outcome.perturbed, {*predicted}
        tokens = (outcome.sentence if made is None else made.sentence).tokens
        for word in gold if seen is not None else ():
            if "".join(tokens[word.start : word.stop]) not in seen:
                rows[row_of[length_of(word)], _NEW_FOUND:] += (word in found, 1)
    return table


def _count(gold: Sequence[Span], predicted: Sequence[Span], row_of: dict[str, int], into: Floats) -> None:
    for place, counted in enumerate(({*gold} & {*predicted}, predicted, gold)):
        for word in counted:
            into[row_of[length_of(word)], place] += 1


def f1_of(found: int, predicted: int, gold: int) -> Share:
    """F1 from the named columns; 0 if nothing is found."""
    return Share(
        lambda sums: 2 * sums[..., found],
        lambda sums: sums[..., predicted] + sums[..., gold],
        empty=0.0,
        hit=(2.0, 1.0),
    )


precision = Share(column(_FOUND), column(_PREDICTED), empty=0.0)

recall = Share(column(_FOUND), column(_GOLD), empty=0.0)

f1 = f1_of(_FOUND, _PREDICTED, _GOLD)

clean_f1 = f1_of(_CLEAN_FOUND, _CLEAN_PREDICTED, _CLEAN_GOLD)

f1_drop = Difference(clean_f1, f1)

oov_recall = share(_NEW_FOUND, _NEW)


def sided_counts(outcomes: Sequence[Outcome], view: str, lengths: Sequence[str]) -> Floats:
    """Found, predicted and gold inside a slice, then outside, by length."""
    return split_sides(word_counts(outcomes, view, lengths)[..., _FOUND:_NEW_FOUND], outcomes)


METRICS = (
    Metric(
        "precision",
        word_counts,
        precision,
        of_clean=True,
        more_is_better=True,
        meaning="share of the predicted words that are correct",
    ),
    Metric(
        "recall",
        word_counts,
        recall,
        of_clean=True,
        more_is_better=True,
        hits=True,
        meaning="share of the gold words that are found",
    ),
    Metric(
        "f1",
        word_counts,
        f1,
        of_clean=True,
        more_is_better=True,
        exact=True,
        by_label=lambda sums: sums[..., _FOUND:_NEW_FOUND],
        title="F1",
        meaning="harmonic mean of precision and recall",
    ),
    Metric(
        "oov_recall",
        word_counts,
        oov_recall,
        of_clean=True,
        more_is_better=True,
        per_group=False,
        title="OOV recall",
        meaning="share of the gold words outside of the training list that are found",
    ),
    Metric(
        "f1_drop",
        word_counts,
        f1_drop,
        low=-1.0,
        before=clean_f1,
        title="F1 drop over all sentences",
        meaning="clean F1 minus F1 after the change, over all sentences",
    ),
    Metric(
        "f1_changed",
        word_counts,
        f1,
        changed_only=True,
        more_is_better=True,
        per_group=False,
        title="F1 of changed sentences",
        meaning="F1 on the changed sentences only",
    ),
    Metric(
        "f1_drop_changed",
        word_counts,
        f1_drop,
        changed_only=True,
        low=-1.0,
        before=clean_f1,
        title="F1 drop",
        meaning="clean F1 minus F1 after the change, over the changed sentences",
    ),
    Metric(
        "f1_gap",
        sided_counts,
        Difference(f1_of(3, 4, 5), f1_of(0, 1, 2), paired=False),
        probes=("slice",),
        of_clean=True,
        low=-1.0,
        title="F1 gap",
        meaning="F1 on the sentences outside the slice minus F1 on the sentences in it",
    ),
)
