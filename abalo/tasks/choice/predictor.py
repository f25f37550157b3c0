"""Answers of a model to prompts: every prompt once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo.core.predictor import Key, Predictor
from abalo.errors import AbaloError
from abalo.tasks.choice.models.protocol import Picked
from abalo.tasks.choice.question import Prompt


class AnswerPredictor(Predictor[Prompt, Picked]):
    """A model that answers questions, with its answers so far."""

    def key(self, given: Prompt) -> Key:
        """The question and its options as they are shown, and the seed of models that draw."""
        return given.question, given.options, given.order, given.seed

    def checked(self, given: Sequence[Prompt], predictions: Sequence[Picked]) -> list[Picked]:
        """The answers; raises `AbaloError` where there is not one for each prompt."""
        if len(predictions) != len(given):
            raise AbaloError(
                f"model {self.model.name}: {len(predictions)} answers to {len(given)} prompts; expected one each"
            )
        return list(predictions)

    def labels(self, prediction: Picked) -> Sequence[int | None]:
        """The place of the option picked."""
        return (prediction.place,)

    def unanswered(self, prediction: Picked) -> bool:
        """Whether no option was named."""
        return prediction.place is None

    def pack(self, predictions: Sequence[Picked]) -> dict[str, NDArray[Any]]:
        """The answers as JSON in an array."""
        rows = [(each.place, each.option, each.windows, each.reply) for each in predictions]
        return {"rows": np.frombuffer(json.dumps(rows).encode(), dtype=np.uint8)}

    def unpack(self, stored: Mapping[str, NDArray[Any]]) -> list[Picked]:
        """The answers that `pack` made an array of."""
        return [Picked(*row) for row in json.loads(stored["rows"].tobytes())]
