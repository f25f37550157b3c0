"""Scores as confidence: which column is whose label, and one temperature that makes probabilities of logits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from abalo.models.prediction import Prediction
from perturbations import Sentence

TEMPERATURES = (0.05, 20.0)
"""The bounds of a temperature; one at an end means that the logits are no good as probabilities."""

FITTED = 20_000
"""How many sentences a temperature is fitted on at most, the first of a corpus."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How the scores of a model are read.

    ``labels`` name the columns. Probabilities are the softmax of scores over ``temperature``, which is that of the
    smallest mean negative log-likelihood on the clean corpus (Guo et al. 2017, On Calibration of Modern Neural
    Networks, section 4.2). It is fitted on the very tokens it is used for, or on those of the first `FITTED` sentences.
    """

    labels: tuple[str, ...]
    temperature: float

    @property
    def at_limit(self) -> bool:
        """Whether the temperature is within 1 % of one of the bounds."""
        low, high = TEMPERATURES
        return not low * 1.01 < self.temperature < high / 1.01

    def columns(self, tags: Sequence[str]) -> NDArray[np.intp]:
        """The column of each tag; -1 for one that the model lacks."""
        known = _numbered(self.labels)
        return np.array([known.get(tag, -1) for tag in tags], dtype=np.intp)

    def column(self, tag: str) -> int:
        """The column of one tag; -1 if the model lacks it."""
        return _numbered(self.labels).get(tag, -1)

    def probabilities(self, scores: NDArray[np.floating], columns: NDArray[np.intp]) -> NDArray[np.float64]:
        """For each row of ``scores``, (tokens × labels), the probability of the label in its column."""
        logits = scores.astype(np.float64) / self.temperature
        return np.asarray(np.exp(_log_likelihood(logits, columns)))

    def margins(self, scores: NDArray[np.floating]) -> NDArray[np.float64]:
        """For each row of ``scores``, by how much its highest probability exceeds the next, 0 to 1."""
        logits = scores.astype(np.float64) / self.temperature
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        highest = np.sort(shares / shares.sum(axis=1, keepdims=True), axis=1)
        return np.asarray(highest[:, -1] - highest[:, -2] if highest.shape[1] > 1 else highest[:, -1])


@lru_cache(maxsize=16)
def _numbered(labels: tuple[str, ...]) -> dict[str, int]:
    return {label: column for column, label in enumerate(labels)}


def scale_of(labels: tuple[str, ...], sentences: Sequence[Sentence], predictions: Sequence[Prediction]) -> Scale | None:
    """The scale for a model's scores on its clean corpus; None for a model that gives no scores.

    Tokens whose gold label the model lacks have no part in it.
    """
    found = scored(labels, sentences, predictions)
    return None if found is None else fitted(labels, [found])


Scored = tuple[NDArray[np.float64], NDArray[np.intp]]
"""The scores of tokens (tokens × labels), and for each the column of its gold label."""


def scored(labels: tuple[str, ...], sentences: Sequence[Sentence], predictions: Sequence[Prediction]) -> Scored | None:
    """The tokens of sentences by which scores are fitted; None for a model that gives no scores."""
    rows, columns = [np.zeros((0, len(labels)))], [np.zeros(0, dtype=np.intp)]
    unfitted = Scale(labels, 1.0)
    for sentence, prediction in zip(sentences, predictions, strict=True):
        if prediction.scores is None:
            return None
        found = unfitted.columns(sentence.tags or ())
        rows.append(prediction.scores[found >= 0].astype(np.float64))
        columns.append(found[found >= 0])
    return np.concatenate(rows), np.concatenate(columns)


def fitted(labels: tuple[str, ...], parts: Sequence[Scored]) -> Scale:
    """The scale that fits the tokens of all parts of a corpus, in its order."""
    rows, columns = ([part[k] for part in parts] for k in (0, 1))
    return Scale(labels, _temperature(np.concatenate(rows), np.concatenate(columns)))


def _temperature(logits: NDArray[np.float64], columns: NDArray[np.intp]) -> float:
    """By golden sections of the logarithm; the negative log-likelihood has one minimum, being convex in 1/T."""
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
