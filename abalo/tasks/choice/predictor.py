"""Asks every prompt once."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.core.protocols.predictor import Arrays, CacheKey, Predictor, pack_rows, unpack_rows
from abalo.questions.question import Prompt
from abalo.tasks.choice.models.protocol import Picked


class AnswerPredictor(Predictor[Prompt, Picked]):
    """A question-answering model with its answers so far."""

    miscount = "{} answers to {} prompts"

    def key(self, given: Prompt) -> CacheKey:
        return given.question, given.options, given.order, given.seed

    def labels(self, prediction: Picked) -> Sequence[int | None]:
        return (prediction.place,)

    def unanswered(self, prediction: Picked) -> bool:
        return prediction.place is None

    def pack(self, predictions: Sequence[Picked]) -> Arrays:
        rows = [(each.place, each.option, each.inputs, each.reply) for each in predictions]
        return pack_rows(rows)

    def unpack(self, stored: Arrays) -> list[Picked]:
        return [Picked(*row) for row in unpack_rows(stored)]
