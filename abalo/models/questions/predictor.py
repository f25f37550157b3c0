"""The predictor of question-answering models."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.core.protocols.predictor import Arrays, CacheKey, Predictor, pack_rows, unpack_rows
from abalo.models.questions.protocol import Answered, Input, PassagePlace


class ReadingPredictor(Predictor[Input, Answered]):
    """A question-answering model with its answers so far."""

    miscount = "{} answers to {} questions"

    def key(self, given: Input) -> CacheKey:
        return given

    def labels(self, prediction: Answered) -> Sequence[str]:
        return (prediction.text,)

    def unanswered(self, prediction: Answered) -> bool:
        return not prediction.answered

    def pack(self, predictions: Sequence[Answered]) -> Arrays:
        rows = [
            (each.text, each.place, each.score, each.null, each.inputs, each.reply, each.answered)
            for each in predictions
        ]
        return pack_rows(rows)

    def unpack(self, stored: Arrays) -> list[Answered]:
        return [
            Answered(text, None if place is None else PassagePlace(*place), *more)
            for text, place, *more in unpack_rows(stored)
        ]
