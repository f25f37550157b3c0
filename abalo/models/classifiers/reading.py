"""Turns model scores into labels of texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from abalo.errors import AbaloError
from abalo.models.labelling.classified import Classified, Probabilities
from abalo.models.labelling.columns import Columns
from abalo.models.options import ModelOptions

LIKELY = 0.5

ROUNDING = 1e-3


@dataclass(frozen=True, slots=True)
class LabelReader:
    """Labels texts by probabilities of the model's own labels.

    If texts can have ``several`` labels, all with at least `LIKELY` apply; else the first most likely. Own labels with
    one meaning are summed, or their maximum is taken with ``several``.
    """

    name: str
    columns: Columns
    several: bool

    @classmethod
    def of(cls, name: str, labels: Sequence[str], options: ModelOptions) -> LabelReader:
        """A reader for the model's own ``labels``."""
        return cls(name, options.columns(labels, name), options.several)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels in corpus names."""
        return self.columns.labels

    def of_logits(self, logits: NDArray[np.floating], *, independent: bool | None = None) -> list[Classified]:
        """Labels from logits (texts × own labels), by sigmoid if ``independent``, else softmax."""
        self._check(logits, "logits")
        values = logits.astype(np.float64)
        if self.several if independent is None else independent:
            return self._read(0.5 * (1 + np.tanh(values / 2)))
        odds = np.exp(values - values.max(axis=1, keepdims=True))
        return self._read(odds / odds.sum(axis=1, keepdims=True))

    def of_probabilities(self, given: NDArray[np.floating]) -> list[Classified]:
        """Labels from probabilities (texts × own labels)."""
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

    def _check(self, values: NDArray[np.generic], kind: str) -> None:
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
