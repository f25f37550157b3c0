"""The predictor of text classifiers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from abalo.core.protocols.predictor import Arrays, CacheKey, Predictor, pack_rows, unpack_rows
from abalo.models.classifiers.protocol import Classifier
from abalo.models.labelling.classified import Classified, TextInput
from abalo.models.labelling.labels import CLASSES


class ClassPredictor(Predictor[TextInput, Classified]):
    """A classifier with its predictions so far."""

    model: Classifier

    def __init__(
        self,
        model: Classifier,
        texts: Sequence[TextInput],
        golds: Sequence[Sequence[str]],
        store: Path | None = None,
    ) -> None:
        super().__init__(model, texts, store)
        self.golds = tuple(golds)

    miscount = "{} predictions for {} texts"

    def key(self, given: TextInput) -> CacheKey:
        return (given,)

    def check_clean(self, predictions: Sequence[Classified]) -> None:
        if not self.model.labels:
            predicted = {label for each in predictions for label in each.labels}
            gold = {label for labels in self.golds for label in labels}
            CLASSES.check_predicted(predicted, gold, self.model.name)

    def labels(self, prediction: Classified) -> Sequence[str]:
        return prediction.labels

    def unanswered(self, prediction: Classified) -> bool:
        return not prediction.answered

    def pack(self, predictions: Sequence[Classified]) -> Arrays:
        rows = [
            (each.labels, each.inputs, each.probabilities is not None, each.reply, each.answered)
            for each in predictions
        ]
        known = [each.probabilities for each in predictions if each.probabilities is not None]
        names = next((each.names for each in predictions if each.names), ())
        return {
            "names": np.frombuffer(json.dumps(names).encode(), dtype=np.uint8),
            **pack_rows(rows),
            "probabilities": np.stack(known) if known else np.zeros((0, 0)),
        }

    def unpack(self, stored: Arrays) -> list[Classified]:
        known = iter(stored["probabilities"])
        rows, names = unpack_rows(stored), tuple(json.loads(stored["names"].tobytes()))
        return [
            Classified(tuple(labels), next(known), inputs, names, reply, answered)
            if has
            else Classified(tuple(labels), None, inputs, (), reply, answered)
            for labels, inputs, has, reply, answered in rows
        ]
