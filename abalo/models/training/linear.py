"""Trains logistic regressions by L-BFGS with L2 penalty, with integer weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from abalo.core.records.lesson import Lesson
from abalo.errors import AbaloError
from abalo.models.classifiers.linear import SUFFIX, LinearWeights, features
from abalo.models.training.settings import Epochs, Say, Training

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

LEAST = 2

PENALTY = 1.0

FeatureRows = Sequence[Sequence[str]]


class LinearTrainer:
    """Trains from scratch on the distinct lessons of all epochs."""

    uses: ClassVar[tuple[str, ...]] = ("letters",)
    suffix: ClassVar[str] = SUFFIX

    def check(self) -> None: ...

    def train(self, epochs: Epochs, settings: Training, out: Path, say: Say) -> str:
        lessons = list(dict.fromkeys(each for k in range(1, settings.epochs + 1) for each in epochs(k)))
        if any(len(each.labels) != 1 for each in lessons):
            raise AbaloError("a linear classifier learns one label for each text; some lessons have several, or none")
        if len(labels := {each.labels[0] for each in lessons}) < 2:
            raise AbaloError(
                f"--train: has the label {min(labels)!r} alone; a classifier learns to tell two or more apart"
            )
        if settings.letters and any(len(each.texts) > 1 for each in lessons):
            raise AbaloError("--letters: is for single texts; of two texts no letters are read")
        rows = [features(_input_of(each), letters=settings.letters) for each in lessons]
        found = replace(multinomial(rows, [each.labels[0] for each in lessons]), letters=settings.letters)
        found.save(out)
        say(f"{len(lessons):,} examples, {len(found.features):,} features")
        return str(out)


def _input_of(lesson: Lesson) -> str | tuple[str, str]:
    if len(lesson.texts) == 1:
        return lesson.texts[0]
    first, second = lesson.texts
    return first, second


def vocabulary(rows: FeatureRows) -> dict[str, int]:
    """The frequent features, sorted, with their indices."""
    counts = Counter(name for row in rows for name in row)
    return {name: place for place, name in enumerate(sorted(name for name, n in counts.items() if n >= LEAST))}


def matrix(rows: FeatureRows, known: Mapping[str, int]) -> csr_matrix:
    """A sparse SciPy matrix (examples × features)."""
    from scipy import sparse

    places = [[known[name] for name in row if name in known] for row in rows]
    ends = np.cumsum([0, *map(len, places)])
    flat = np.concatenate([np.array(row, dtype=np.int32) for row in places])
    return sparse.csr_matrix((np.ones(len(flat)), flat, ends), shape=(len(rows), len(known)))


def whole(weights: NDArray[np.float64]) -> tuple[NDArray[np.int8], float]:
    """Weights as integers from -127 to 127, and the value of one step."""
    step = float(np.abs(weights).max()) / 127
    return np.round(weights / step).astype(np.int8), step


def multinomial(rows: FeatureRows, gold: Sequence[str], labels: Sequence[str] = ()) -> LinearWeights:
    """Trains a classifier; labels default to the sorted gold labels."""
    labels = tuple(labels or sorted(set(gold)))
    known = vocabulary(rows)
    right = np.eye(len(labels))[[labels.index(label) for label in gold]]
    numbers, step = whole(_fit_weights(matrix(rows, known), right))
    kept = np.flatnonzero(numbers.any(axis=1))
    names = list(known)
    return LinearWeights(labels, {names[place]: row for row, place in enumerate(kept)}, numbers[kept], step)


def _fit_weights(examples: csr_matrix, right: NDArray[np.float64]) -> NDArray[np.float64]:
    from scipy.optimize import minimize
    from scipy.special import logsumexp

    shape = examples.shape[1], right.shape[1]

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights = flat.reshape(shape)
        logits = examples @ weights
        logs = logits - logsumexp(logits, axis=1, keepdims=True)
        slope = examples.T @ (np.exp(logs) - right) + PENALTY * weights
        return float(-(right * logs).sum() + PENALTY / 2 * flat @ flat), slope.ravel()

    found: NDArray[np.float64] = minimize(loss, np.zeros(shape[0] * shape[1]), jac=True, method="L-BFGS-B").x
    return found.reshape(shape)
