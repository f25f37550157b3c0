"""Checks of predictions before use."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from abalo.errors import AbaloError
from abalo.models.labelling.prediction import Prediction, Scores
from abalo.models.tokens.protocol import TokenModel
from perturbations import Sentence


def check_predictions(
    model: TokenModel, sentences: Sequence[Sentence], predictions: Sequence[Prediction]
) -> list[Prediction]:
    """The predictions, checked, with read-only scores."""
    if len(predictions) != len(sentences):
        raise AbaloError(
            f"model {model.name}: {len(predictions)} predictions for {len(sentences)} sentences; expected one each"
        )
    for sentence, prediction in zip(sentences, predictions, strict=True):
        _check(model, sentence, prediction)
    return list(predictions)


def refuse_non_finite(model_name: str, scores: Scores) -> None:
    """Raises `AbaloError` for a NaN or infinite score (tokens × labels)."""
    if not np.isfinite(scores).all():
        token, column = np.argwhere(~np.isfinite(scores))[0].tolist()
        raise AbaloError(
            f"model {model_name}: score {scores[token, column]} for label {column} of token {token} in a sentence of "
            f"{len(scores)} tokens; expected finite numbers"
        )


def _check(model: TokenModel, sentence: Sentence, prediction: Prediction) -> None:
    for tags in (prediction.tags, prediction.alternative):
        if tags is not None and len(tags) != len(sentence):
            raise AbaloError(f"model {model.name}: {len(tags)} tags for {len(sentence)} tokens; expected one each")
    if prediction.scores is None:
        return
    wanted = (len(sentence), len(model.labels))
    if prediction.scores.shape != wanted:
        raise AbaloError(f"model {model.name}: scores of shape {prediction.scores.shape}; expected {wanted}")
    refuse_non_finite(model.name, prediction.scores)
    prediction.scores.setflags(write=False)
