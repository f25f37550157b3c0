"""Label probabilities: their loss after a change, and their calibration.

Labels or probabilities that the model lacks are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from abalo.core.records.outcome import Outcome
from abalo.core.statistics.calibration import BINS, COLUMNS, CalibrationError, narrow_bin
from abalo.core.statistics.metrics import Floats, Metric, mean
from abalo.tasks.labels.metrics.labels import gold_is_known, gold_now


def confidence_counts(outcomes: Sequence[Outcome], _view: str, labels: Sequence[str]) -> Floats:
    """Number and summed loss of gold labels, overall and by label, then of clean predictions."""
    table = np.zeros((len(outcomes), 1 + len(labels), 4))
    places = {label: k for k, label in enumerate(labels, start=1)}
    for rows, outcome in zip(table, outcomes, strict=True):
        if not gold_is_known(outcome):
            continue
        for label, drop in gold_drops(outcome):
            rows[0, :2] += 1, drop
            rows[places[label], :2] += 1, drop
        for _, drop in drops(outcome, outcome.clean.labels):
            rows[0, 2:] += 1, drop
    return table


def gold_drops(outcome: Outcome) -> Iterator[tuple[str, float]]:
    """The loss of probability of each gold label that the model knows.

    A new label is compared with the old one.
    """
    old, new = outcome.example.gold, gold_now(outcome)
    if old == new or not len(old) == len(new) == 1:
        yield from drops(outcome, old)
        return
    before, after = outcome.clean.probability(old[0]), outcome.prediction.probability(new[0])
    if before is not None and after is not None:
        yield old[0], before - after


def drops(outcome: Outcome, labels: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Clean minus present probability of each known label."""
    for label in labels:
        before, after = outcome.clean.probability(label), outcome.prediction.probability(label)
        if before is not None and after is not None:
            yield label, before - after


prob_drop_gold = mean(1, 0)

prob_drop_pred = mean(3, 2)


def decision_counts(outcomes: Sequence[Outcome], _view: str, labels: Sequence[str]) -> Floats:
    """Per bin of confidence: decisions, summed confidence, right decisions.

    A single-label text is one decision. A multi-label text is a decision per label, with the probability of the
    likelier answer.
    """
    table = np.zeros((len(outcomes), 1 + len(labels), COLUMNS))
    for rows, outcome in zip(table, outcomes, strict=True):
        if gold_is_known(outcome):
            for confidence, right in _decisions(outcome):
                place = 3 * narrow_bin(confidence)
                rows[0, place : place + 3] += 1, confidence, right
    return table


def _decisions(outcome: Outcome) -> Iterator[tuple[float, bool]]:
    found, gold = outcome.prediction, gold_now(outcome)
    if found.probabilities is None:
        return
    if outcome.example.source is not True:
        yield float(found.probabilities.max()), found.labels == gold
        return
    for label, probability in zip(found.names, found.probabilities.tolist(), strict=True):
        given = label in found.labels
        yield probability if given else 1 - probability, given == (label in gold)


calibration_error = CalibrationError()


METRICS = (
    Metric(
        "prob_drop_gold",
        confidence_counts,
        prob_drop_gold,
        compares=True,
        low=-1.0,
        title="confidence drop (gold label)",
        meaning="drop in the probability of the gold label, mean over examples",
    ),
    Metric(
        "prob_drop_pred",
        confidence_counts,
        prob_drop_pred,
        compares=True,
        per_group=False,
        low=-1.0,
        title="confidence drop (predicted label)",
        meaning="drop in the probability of the label predicted on the clean example, mean over examples",
    ),
    Metric(
        "calibration_error",
        decision_counts,
        calibration_error,
        of_clean=True,
        per_group=False,
        meaning=f"distance between confidence and accuracy, mean over {BINS} bins of about equal mass, debiased",
    ),
)
