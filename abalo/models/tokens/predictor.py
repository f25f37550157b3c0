"""The predictor of token models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo.core.protocols.predictor import Arrays, CacheKey, Predictor, pack_rows, unpack_rows
from abalo.models.labelling.labels import BIO, Labelling
from abalo.models.labelling.prediction import Prediction
from abalo.models.tokens.checks import check_predictions
from abalo.models.tokens.protocol import TokenModel
from abalo.models.tokens.scores import FITTED, Scored, ScoreScale, scale_of, score_tokens
from perturbations import Sentence


class TokenPredictor(Predictor[Sentence, Prediction]):
    """A token model with its predictions so far."""

    model: TokenModel

    def __init__(
        self,
        model: TokenModel,
        sentences: Sequence[Sentence],
        store: Path | None = None,
        labelling: Labelling = BIO,
    ) -> None:
        super().__init__(model, sentences, store)
        self._labelling = labelling
        self._scale: tuple[ScoreScale | None] | None = None

    def scale(self) -> ScoreScale | None:
        """The score scale, fitted on at most `FITTED` clean sentences; None if unscored."""
        if self.part_of_scale is not None:
            (known,) = self.part_of_scale
            return known if known is None or isinstance(known, ScoreScale) else None
        if self._scale is None:
            self._scale = (scale_of(self.model.labels, self.inputs[:FITTED], self.clean()[:FITTED]),)
        return self._scale[0]

    def scored(self) -> Scored | None:
        """The scores that fit `scale`, for a corpus part; None if unscored."""
        return score_tokens(self.model.labels, self.inputs, self.clean())

    def key(self, given: Sentence) -> CacheKey:
        return (given.tokens, given.spaces) if self.model.reads_text else (given.tokens,)

    def checked(self, given: Sequence[Sentence], predictions: Sequence[Prediction]) -> list[Prediction]:
        return check_predictions(self.model, given, predictions)

    def check_clean(self, predictions: Sequence[Prediction]) -> None:
        if not self.model.labels:
            predicted = {tag for each in predictions for tag in each.full_tags or each.tags}
            gold = {tag for each in self.inputs for tag in each.tags or ()}
            self._labelling.check_predicted(predicted, gold, self.model.name)

    def labels(self, prediction: Prediction) -> Sequence[str]:
        return prediction.tags

    def unanswered(self, prediction: Prediction) -> bool:
        return not prediction.answered

    def pack(self, predictions: Sequence[Prediction]) -> Arrays:
        rows = [
            (p.tags, p.alternative, p.inputs, p.wordless, p.full_tags, p.own_tags, p.scores is not None, _reply_of(p))
            for p in predictions
        ]
        scores = [p.scores for p in predictions if p.scores is not None] or [np.zeros((0, 0), dtype=np.float32)]
        return {
            **pack_rows(rows),
            "scores": np.concatenate(scores),
        }

    def unpack(self, stored: Mapping[str, NDArray[Any]]) -> list[Prediction]:
        rows, scores = unpack_rows(stored), stored["scores"]
        scores.setflags(write=False)
        predictions, done = [], 0
        for tags, alternative, inputs, wordless, full, before, has_scores, said in rows:
            own = scores[done : done + len(tags)] if has_scores else None
            done += len(tags) if has_scores else 0
            other, full_tags, own_tags = (None if each is None else tuple(each) for each in (alternative, full, before))
            reply, answered, ungrounded, ambiguous = said
            predictions.append(
                Prediction(
                    tuple(tags),
                    own,
                    other,
                    inputs,
                    wordless,
                    full_tags,
                    own_tags,
                    reply,
                    answered,
                    tuple((words, kind) for words, kind in ungrounded),
                    ambiguous,
                )
            )
        return predictions


def _reply_of(prediction: Prediction) -> tuple[object, ...]:
    return prediction.reply, prediction.answered, prediction.ungrounded, prediction.ambiguous
