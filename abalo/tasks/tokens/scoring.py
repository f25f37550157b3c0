"""Scores of the labels of a word."""

from __future__ import annotations

from abalo.models.labelling.prediction import Prediction


def score_of(prediction: Prediction, place: int, names: tuple[str, ...], labels: tuple[str, ...]) -> float:
    """The largest score of ``names``; without scores 1 if one was predicted, else 0.

    ``labels`` name the score columns.
    """
    if prediction.scores is None:
        return float(prediction.tags[place] in names)
    columns = [k for k, label in enumerate(labels) if label in names]
    return max((float(prediction.scores[place, k]) for k in columns), default=float("-inf"))
