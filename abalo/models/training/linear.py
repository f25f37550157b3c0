"""Training of linear classifiers: logistic regressions by L-BFGS with an L2 penalty, in whole numbers of one step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from abalo.core.lesson import Lesson
from abalo.errors import AbaloError
from abalo.models.classifiers.linear import SUFFIX, LinearWeights, features
from abalo.models.training.settings import Epochs, Say, Training

LEAST = 2
"""A feature counts from this number of examples."""

PENALTY = 1.0

Rows = Sequence[Sequence[str]]
"""The features of each example."""


class LinearTrainer:
    """Trains a classifier of words and pairs of words again, on the lessons of all epochs, each distinct one once."""

    uses: ClassVar[tuple[str, ...]] = ("letters",)
    suffix: ClassVar[str] = SUFFIX

    def check(self) -> None:
        """Nothing: it trains from the start."""

    def train(self, epochs: Epochs, settings: Training, out: Path, say: Say) -> str:
        """Writes the weights to ``out``, and gives that path."""
        lessons = list(dict.fromkeys(each for k in range(1, settings.epochs + 1) for each in epochs(k)))
        if any(len(each.labels) != 1 for each in lessons):
            raise AbaloError("a linear classifier learns one label for each text; some lessons have several, or none")
        if len(labels := {each.labels[0] for each in lessons}) < 2:
            raise AbaloError(
                f"--train: has the label {min(labels)!r} alone; a classifier learns to tell two or more apart"
            )
        if settings.letters and any(len(each.texts) > 1 for each in lessons):
            raise AbaloError("--letters: is for single texts; of two texts no letters are read")
        rows = [features(_given(each), letters=settings.letters) for each in lessons]
        found = replace(multinomial(rows, [each.labels[0] for each in lessons]), letters=settings.letters)
        found.save(out)
        say(f"{len(lessons):,} examples, {len(found.features):,} features")
        return str(out)


def _given(lesson: Lesson) -> str | tuple[str, str]:
    if len(lesson.texts) == 1:
        return lesson.texts[0]
    first, second = lesson.texts
    return first, second


def vocabulary(rows: Rows) -> dict[str, int]:
    """The features that count, in alphabetical order, with their places."""
    counts = Counter(name for row in rows for name in row)
    return {name: place for place, name in enumerate(sorted(name for name, n in counts.items() if n >= LEAST))}


def matrix(rows: Rows, known: Mapping[str, int]) -> Any:
    """Which known features each example has, a sparse matrix (examples × features) of SciPy."""
    from scipy import sparse

    places = [[known[name] for name in row if name in known] for row in rows]
    ends = np.cumsum([0, *map(len, places)])
    flat = np.concatenate([np.array(row, dtype=np.int32) for row in places])
    found: Any = sparse.csr_matrix((np.ones(len(flat)), flat, ends), shape=(len(rows), len(known)))
    return found


def whole(weights: NDArray[np.float64]) -> tuple[NDArray[np.int8], float]:
    """The weights as whole numbers from -127 to 127, and what one is worth."""
    step = float(np.abs(weights).max()) / 127
    return np.round(weights / step).astype(np.int8), step


def multinomial(rows: Rows, gold: Sequence[str], labels: Sequence[str] = ()) -> LinearWeights:
    """A classifier of examples, each with one of the labels; by default those of gold, in alphabetical order."""
    labels = tuple(labels or sorted(set(gold)))
    known = vocabulary(rows)
    right = np.eye(len(labels))[[labels.index(label) for label in gold]]
    numbers, step = whole(_fitted(matrix(rows, known), right))
    kept = np.flatnonzero(numbers.any(axis=1))
    names = list(known)
    return LinearWeights(labels, {names[place]: row for row, place in enumerate(kept)}, numbers[kept], step)


def _fitted(examples: Any, right: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weight of each feature for each label, (features × labels); ``right`` is 1 for the label of an example."""
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
