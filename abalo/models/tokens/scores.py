"""Confidence from scores: label columns and one temperature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from abalo.models.labelling.prediction import Prediction
from perturbations import Sentence

TEMPERATURES = (0.05, 20.0)

FITTED = 20_000


@dataclass(frozen=True, slots=True)
class ScoreScale:
    """How to read a model's scores.

    Probabilities are softmax(scores / ``temperature``). The temperature minimises the mean negative log-likelihood on
    the clean corpus, at most its first `FITTED` sentences (Guo et al. 2017, On Calibration of Modern Neural Networks,
    section 4.2).
    """

    labels: tuple[str, ...]
    temperature: float

    @property
    def at_limit(self) -> bool:
        """True if the temperature is within 1 % of a limit."""
        low, high = TEMPERATURES
        return not low * 1.01 < self.temperature < high / 1.01

    def columns(self, tags: Sequence[str]) -> NDArray[np.intp]:
        """The column of each tag; -1 if unknown."""
        known = _number_labels(self.labels)
        return np.array([known.get(tag, -1) for tag in tags], dtype=np.intp)

    def column(self, tag: str) -> int:
        """The column of a tag; -1 if unknown."""
        return _number_labels(self.labels).get(tag, -1)

    def probabilities(self, scores: NDArray[np.floating], columns: NDArray[np.intp]) -> NDArray[np.float64]:
        """The probability of each token's column; ``scores`` are (tokens × labels)."""
        logits = scores.astype(np.float64) / self.temperature
        return np.asarray(np.exp(_log_likelihood(logits, columns)))

    def margins(self, scores: NDArray[np.floating]) -> NDArray[np.float64]:
        """The highest minus the second probability, 0 to 1."""
        logits = scores.astype(np.float64) / self.temperature
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        highest = np.sort(shares / shares.sum(axis=1, keepdims=True), axis=1)
        return np.asarray(highest[:, -1] - highest[:, -2] if highest.shape[1] > 1 else highest[:, -1])


@lru_cache(maxsize=16)
def _number_labels(labels: tuple[str, ...]) -> dict[str, int]:
    return {label: column for column, label in enumerate(labels)}


def scale_of(
    labels: tuple[str, ...], sentences: Sequence[Sentence], predictions: Sequence[Prediction]
) -> ScoreScale | None:
    """The scale on the clean corpus; None if unscored.

    Tokens with gold labels unknown to the model are ignored.
    """
    found = score_tokens(labels, sentences, predictions)
    return None if found is None else fit_scale(labels, [found])


Scored = tuple[NDArray[np.float64], NDArray[np.intp]]


def score_tokens(
    labels: tuple[str, ...], sentences: Sequence[Sentence], predictions: Sequence[Prediction]
) -> Scored | None:
    """The tokens for fitting; None if unscored."""
    rows, columns = [np.zeros((0, len(labels)))], [np.zeros(0, dtype=np.intp)]
    unfitted = ScoreScale(labels, 1.0)
    for sentence, prediction in zip(sentences, predictions, strict=True):
        if prediction.scores is None:
            return None
        found = unfitted.columns(sentence.tags or ())
        rows.append(prediction.scores[found >= 0].astype(np.float64))
        columns.append(found[found >= 0])
    return np.concatenate(rows), np.concatenate(columns)


def fit_scale(labels: tuple[str, ...], parts: Sequence[Scored]) -> ScoreScale:
    """The scale for all parts of a corpus."""
    rows, columns = ([part[k] for part in parts] for k in (0, 1))
    return ScoreScale(labels, _temperature(np.concatenate(rows), np.concatenate(columns)))


def _temperature(logits: NDArray[np.float64], columns: NDArray[np.intp]) -> float:
    """Golden-section search; the loss is convex in 1/T."""
    if not len(columns):
        return 1.0

    def loss(logarithm: float) -> float:
        return -float(_log_likelihood(logits / np.exp(logarithm), columns).mean())

    low, high = np.log(TEMPERATURES).tolist()
    part = (5**0.5 - 1) / 2
    left, right = high - part * (high - low), low + part * (high - low)
    at_left, at_right = loss(left), loss(right)
    while high - low > 1e-4:
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - part * (high - low)
            at_left = loss(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + part * (high - low)
            at_right = loss(right)
    return float(np.exp((low + high) / 2))


def _log_likelihood(logits: NDArray[np.float64], columns: NDArray[np.intp]) -> NDArray[np.float64]:
    shifted = logits - logits.max(axis=1, keepdims=True)
    return np.asarray(shifted[np.arange(len(columns)), columns] - np.log(np.exp(shifted).sum(axis=1)))
