"""From what a model says of each label to the labels that a text gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo.errors import AbaloError
from abalo.models.classifiers.protocol import Classified, Probabilities
from abalo.models.columns import Columns
from abalo.models.options import ModelOptions

LIKELY = 0.5
"""The probability from which on a text has a label, where it can have several."""

ROUNDING = 1e-3
"""By how much probabilities may differ from a sum of 1."""


@dataclass(frozen=True, slots=True)
class LabelReader:
    """The labels of texts from probabilities of a model's own labels.

    Of texts that can have ``several`` labels, or none, each has those of `LIKELY` or more; of others the most likely,
    the first of equally likely ones. The probability of a label that several of the model's own mean is their sum;
    where a text can have several, the highest of them.
    """

    name: str
    columns: Columns
    several: bool

    @classmethod
    def of(cls, name: str, labels: Sequence[str], options: ModelOptions) -> LabelReader:
        """A reader for a model's own ``labels``; raises `AbaloError` as `ModelOptions.columns` does."""
        return cls(name, options.columns(labels, name), options.several)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels in the names of the corpus."""
        return self.columns.labels

    def of_logits(self, logits: NDArray[np.floating], *, independent: bool | None = None) -> list[Classified]:
        """Labels from logits (texts × own labels): by a sigmoid each where they are ``independent``, else a softmax.

        By default labels are independent where a text can have several.
        """
        self._check(logits, "logits")
        values = logits.astype(np.float64)
        if self.several if independent is None else independent:
            return self._read(0.5 * (1 + np.tanh(values / 2)))
        odds = np.exp(values - values.max(axis=1, keepdims=True))
        return self._read(odds / odds.sum(axis=1, keepdims=True))

    def of_probabilities(self, given: NDArray[np.floating]) -> list[Classified]:
        """Labels from probabilities (texts × own labels); raises `AbaloError` where they are none."""
        self._check(given, "probabilities")
        outside = (given < -ROUNDING) | (given > 1 + ROUNDING)
        if outside.any():
            raise AbaloError(
                f"model {self.name}: the probability {float(given[outside][0]):g}; expected numbers from 0 to 1: "
                "give logits as scores(texts)"
            )
        if not self.several and (np.abs(given.sum(axis=1) - 1) > ROUNDING).any():
            text = int(np.argmax(np.abs(given.sum(axis=1) - 1)))
            raise AbaloError(
                f"model {self.name}: probabilities that sum to {given[text].sum():.3f}; expected 1 where a text has "
                "one label: give logits as scores(texts)"
            )
        return self._read(np.clip(given, 0, 1).astype(np.float64))

    def _check(self, values: NDArray[Any], kind: str) -> None:
        wanted = len(self.columns.columns)
        if values.ndim != 2 or values.shape[1] != wanted or values.dtype.kind not in "fiu":
            raise AbaloError(
                f"model {self.name}: {kind} of shape {values.shape} and type {values.dtype}; expected numbers, "
                f"a row for each text and a column for each of {wanted} labels"
            )
        if not np.isfinite(values).all():
            raise AbaloError(f"model {self.name}: {kind} that are NaN or infinite; expected finite numbers")

    def _read(self, own: NDArray[np.float64]) -> list[Classified]:
        folded = np.zeros((len(self.labels), len(own)))
        together = np.maximum if self.several else np.add
        together.at(folded, np.array(self.columns.columns), own.T)
        return [self._labelled(row) for row in np.ascontiguousarray(folded.T)]

    def _labelled(self, row: Probabilities) -> Classified:
        row.setflags(write=False)
        chosen = np.flatnonzero(row >= LIKELY) if self.several else [int(row.argmax())]
        return Classified(tuple(sorted(self.labels[place] for place in chosen)), row, names=self.labels)
