"""Probabilities: what a change takes off them, and whether they mean what they say.

Left out are labels that the model lacks, and everything of a model that gives no probabilities.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from abalo.core.calibration import BINS, COLUMNS, CalibrationError, narrow_bin
from abalo.core.metrics import Floats, Metric, mean
from abalo.core.outcome import Outcome
from abalo.tasks.labels.metrics.labels import gold_is_known, gold_now


def confidence_counts(outcomes: Sequence[Outcome], _view: str, labels: Sequence[str]) -> Floats:
    """Per outcome, overall and by gold label: labels, and the sum of what their probability has lost.

    Then the same of the labels predicted on the clean text, overall alone.
    """
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
    """For each label of gold that the model knows what its probability has lost.

    Where the change gave an example with one label another, the new one now is compared with the old one before.
    """
    old, new = outcome.example.gold, gold_now(outcome)
    if old == new or not len(old) == len(new) == 1:
        yield from drops(outcome, old)
        return
    before, after = outcome.clean.probability(old[0]), outcome.prediction.probability(new[0])
    if before is not None and after is not None:
        yield old[0], before - after


def drops(outcome: Outcome, labels: Sequence[str]) -> Iterator[tuple[str, float]]:
    """For each of the labels that the model knows its clean probability less the present one."""
    for label in labels:
        before, after = outcome.clean.probability(label), outcome.prediction.probability(label)
        if before is not None and after is not None:
            yield label, before - after


prob_drop_gold = mean(1, 0)
"""Mean over gold labels of clean minus perturbed probability, -1 to 1; NaN without a label."""

prob_drop_pred = mean(3, 2)
"""The same of the labels predicted on the clean text."""


def decision_counts(outcomes: Sequence[Outcome], _view: str, labels: Sequence[str]) -> Floats:
    """Per outcome, overall alone, for each narrow bin of confidence: decisions, the sum of confidence, right decisions.

    Of a text with one label the decision is that label, and its probability the confidence. Of a text that can have
    several it is for each label of the model whether the text has it, and the confidence that of the likelier answer.
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
"""Mean distance between confidence and accuracy over 10 bins of about equal mass, debiased, 0 to 1. NaN if no
decision has a probability."""


METRICS = (
    Metric(
        "prob_drop_gold",
        confidence_counts,
        prob_drop_gold,
        compares=True,
        low=-1.0,
        title="confidence drop (gold label)",
        meaning="what the probability of the gold label loses, mean over texts",
    ),
    Metric(
        "prob_drop_pred",
        confidence_counts,
        prob_drop_pred,
        compares=True,
        per_group=False,
        low=-1.0,
        title="confidence drop (predicted label)",
        meaning="what the probability of the label predicted on the clean text loses, mean over texts",
    ),
    Metric(
        "calibration_error",
        decision_counts,
        calibration_error,
        of_clean=True,
        per_group=False,
        meaning=f"how far confidence is from accuracy, mean over {BINS} bins of about equal mass, debiased",
    ),
)
