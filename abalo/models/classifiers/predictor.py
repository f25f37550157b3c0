"""Predictions of a model that labels texts: every input once, the clean corpus once for all workers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo.core.predictor import Key, Predictor
from abalo.errors import AbaloError
from abalo.models.classifiers.protocol import Classified, Classifier, Input
from abalo.models.labels import CLASSES


class ClassPredictor(Predictor[Input, Classified]):
    """A model that labels texts, or pairs of texts, with what it has predicted so far.

    ``texts`` are the clean corpus, ``golds`` the labels of each. ``store`` is as `Predictor` has it.
    """

    model: Classifier

    def __init__(
        self,
        model: Classifier,
        texts: Sequence[Input],
        golds: Sequence[Sequence[str]],
        store: Path | None = None,
    ) -> None:
        super().__init__(model, texts, store)
        self.golds = tuple(golds)

    def key(self, given: Input) -> Key:
        """The text, or both."""
        return (given,)

    def checked(self, given: Sequence[Input], predictions: Sequence[Classified]) -> list[Classified]:
        """The predictions; raises `AbaloError` where there is not one for each text."""
        if len(predictions) != len(given):
            raise AbaloError(
                f"model {self.model.name}: {len(predictions)} predictions for {len(given)} texts; expected one each"
            )
        return list(predictions)

    def check_clean(self, predictions: Sequence[Classified]) -> None:
        """Raises `AbaloError` where a model that tells no labels predicts none of those of the corpus."""
        if not self.model.labels:
            predicted = {label for each in predictions for label in each.labels}
            gold = {label for labels in self.golds for label in labels}
            CLASSES.check_predicted(predicted, gold, self.model.name)

    def labels(self, prediction: Classified) -> Sequence[str]:
        """The labels."""
        return prediction.labels

    def unanswered(self, prediction: Classified) -> bool:
        """Whether a reply names no valid answer."""
        return not prediction.answered

    def pack(self, predictions: Sequence[Classified]) -> dict[str, NDArray[Any]]:
        """The predictions as arrays: the probabilities, and everything else as JSON beside them."""
        rows = [
            (each.labels, each.windows, each.probabilities is not None, each.reply, each.answered)
            for each in predictions
        ]
        known = [each.probabilities for each in predictions if each.probabilities is not None]
        names = next((each.names for each in predictions if each.names), ())
        return {
            "names": np.frombuffer(json.dumps(names).encode(), dtype=np.uint8),
            "rows": np.frombuffer(json.dumps(rows).encode(), dtype=np.uint8),
            "probabilities": np.stack(known) if known else np.zeros((0, 0)),
        }

    def unpack(self, stored: Mapping[str, NDArray[Any]]) -> list[Classified]:
        """The predictions that `pack` made arrays of."""
        known = iter(stored["probabilities"])
        rows, names = json.loads(stored["rows"].tobytes()), tuple(json.loads(stored["names"].tobytes()))
        return [
            Classified(tuple(labels), next(known), windows, names, reply, answered)
            if has
            else Classified(tuple(labels), None, windows, (), reply, answered)
            for labels, windows, has, reply, answered in rows
        ]
