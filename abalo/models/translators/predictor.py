"""The predictor of translation models."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.core.protocols.predictor import Arrays, CacheKey, Predictor, pack_rows, unpack_rows
from abalo.models.translators.protocol import TranslatedText


class TranslationPredictor(Predictor[str, TranslatedText]):
    """A translation model with its translations so far."""

    miscount = "{} translations of {} texts"

    def key(self, given: str) -> CacheKey:
        return (given,)

    def labels(self, prediction: TranslatedText) -> Sequence[str]:
        return (prediction.text,)

    def unanswered(self, prediction: TranslatedText) -> bool:
        return not prediction.answered

    def pack(self, predictions: Sequence[TranslatedText]) -> Arrays:
        rows = [(each.text, each.inputs, each.reply, each.answered) for each in predictions]
        return pack_rows(rows)

    def unpack(self, stored: Arrays) -> list[TranslatedText]:
        return [TranslatedText(*row) for row in unpack_rows(stored)]
