"""Confidence drops at the original tokens with gold other than O [stage 4, "confidence drops"].

Confidence is the raw logit of a label or, calibrated, its probability (`abalo.models.scores.Scale`). Left out are
tokens whose label the model lacks, tokens that are gone, and everything of a model that gives no scores.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from abalo.core.example import Outcome
from abalo.core.metrics import Floats, Metric, mean
from abalo.models.prediction import Scores
from abalo.models.scores import Scale

_GOLD, _GOLD_LOGIT, _GOLD_PROBABILITY, _PRED, _PRED_LOGIT, _PRED_PROBABILITY = range(6)


def confidence_counts(outcomes: Sequence[Outcome], _view: str, types: Sequence[str]) -> Floats:
    """Per outcome and gold type, in columns.

    Tokens, and the sums over them of clean minus perturbed logit and probability of the gold label; then the same for
    the label predicted on the clean sentence.
    """
    table = np.zeros((len(outcomes), len(types), 6))
    column = {kind: k for k, kind in enumerate(types)}
    for rows, outcome in zip(table, outcomes, strict=True):
        scale, before, after = outcome.scale, outcome.clean.scores, outcome.prediction.scores
        if scale is None or before is None or after is None:
            continue
        gold = outcome.sentence.tags or ()
        kept = [(old, new) for old, new in _places(outcome) if gold[old] != "O" and new is not None]
        if not kept:
            continue
        old, new = np.array(kept).T
        kinds = np.array([column[gold[i][2:]] for i in old])
        for first, tags in ((_GOLD, gold), (_PRED, outcome.clean.tags)):
            labels = scale.columns([tags[i] for i in old])
            there = labels >= 0
            drops = _drops(scale, before[old[there]], after[new[there]], labels[there])
            np.add.at(rows[:, first : first + 3], kinds[there], drops)
    return table


def _places(outcome: Outcome) -> list[tuple[int, int | None]]:
    """Original tokens, each with the first new token that stands for it."""
    count = len(outcome.sentence)
    return list(enumerate(outcome.perturbed.positions(count) if outcome.perturbed is not None else range(count)))


def _drops(scale: Scale, before: Scores, after: Scores, labels: NDArray[np.intp]) -> Floats:
    """For each token: 1, and the drop of its label in logits and in probability."""
    every = np.arange(len(labels))
    return np.stack(
        [
            np.ones(len(labels)),
            before[every, labels].astype(np.float64) - after[every, labels],
            scale.probabilities(before, labels) - scale.probabilities(after, labels),
        ],
        axis=1,
    )


conf_drop_gold = mean(_GOLD_LOGIT, _GOLD)
"""Mean over tokens with gold other than O of clean minus perturbed logit of the gold label; NaN without a token."""

conf_drop_pred = mean(_PRED_LOGIT, _PRED)
"""The same of the label predicted on the clean sentence."""

prob_drop_gold = mean(_GOLD_PROBABILITY, _GOLD)
"""Mean over tokens with gold other than O of clean minus perturbed probability of the gold label, -1 to 1."""

prob_drop_pred = mean(_PRED_PROBABILITY, _PRED)
"""The same of the label predicted on the clean sentence."""

METRICS = tuple(
    Metric(
        name,
        confidence_counts,
        value,
        views=("projected",),
        compares=True,
        low=-most,
        high=most,
        title=title,
        meaning=meaning,
    )
    for name, value, most, title, meaning in (
        (
            "conf_drop_gold",
            conf_drop_gold,
            math.inf,
            "confidence drop (gold label)",
            "loss of the gold label, mean over gold entity words, in logits",
        ),
        (
            "conf_drop_pred",
            conf_drop_pred,
            math.inf,
            "confidence drop (predicted label)",
            "loss of the label predicted on the clean sentence, mean over the same words, in logits",
        ),
        (
            "prob_drop_gold",
            prob_drop_gold,
            1.0,
            "probability drop (gold label)",
            "loss of the gold label, mean over gold entity words, in probability",
        ),
        (
            "prob_drop_pred",
            prob_drop_pred,
            1.0,
            "probability drop (predicted label)",
            "loss of the label predicted on the clean sentence, mean over the same words, in probability",
        ),
    )
)
