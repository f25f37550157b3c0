"""The predictor of coreference models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from abalo.core.protocols.predictor import Arrays, CacheKey, Predictor, pack_rows, unpack_rows
from abalo.models.coreference.protocol import Resolved
from perturbations import Sentence
from perturbations.documents import sentences_of


class CoreferencePredictor(Predictor[Sentence, Resolved]):
    """A coreference model with its clusters so far."""

    miscount = "{} replies to {} documents"

    def key(self, given: Sentence) -> CacheKey:
        return (given.tokens, given.spaces, tuple(stop for _, stop in sentences_of(given)))

    def labels(self, prediction: Resolved) -> Sequence[Any]:
        return prediction.clusters

    def pack(self, predictions: Sequence[Resolved]) -> Arrays:
        rows = [(each.clusters, each.inputs) for each in predictions]
        return pack_rows(rows)

    def unpack(self, stored: Arrays) -> list[Resolved]:
        return [
            Resolved(tuple(tuple((start, stop) for start, stop in cluster) for cluster in clusters), inputs)
            for clusters, inputs in unpack_rows(stored)
        ]
