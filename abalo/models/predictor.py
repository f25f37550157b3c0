"""Predictions of a token-labelling model: every input once, the clean corpus once for all workers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo.core.predictor import Key, Predictor
from abalo.models.checks import checked
from abalo.models.labels import BIO, Labelling
from abalo.models.prediction import Prediction
from abalo.models.protocol import TokenModel
from abalo.models.scores import FITTED, Scale, Scored, scale_of, scored
from perturbations import Sentence


class TokenPredictor(Predictor[Sentence, Prediction]):
    """A model that labels tokens, with what it has predicted so far.

    ``sentences`` are the clean corpus, with gold labels. ``store`` is as `Predictor` has it,
    ``labelling`` that of the task.
    """

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
        self._scale: tuple[Scale | None] | None = None

    def scale(self) -> Scale | None:
        """How the model's scores are read, fitted on the clean corpus or, of a large one, its first `FITTED` sentences.

        None for a model that gives none.
        """
        if self.part_of_scale is not None:
            (known,) = self.part_of_scale
            return known if known is None or isinstance(known, Scale) else None
        if self._scale is None:
            self._scale = (scale_of(self.model.labels, self.inputs[:FITTED], self.clean()[:FITTED]),)
        return self._scale[0]

    def scored(self) -> Scored | None:
        """The scores by which `scale` is fitted, where this is a part of a corpus; None for a model that gives none."""
        return scored(self.model.labels, self.inputs, self.clean())

    def key(self, given: Sentence) -> Key:
        """The tokens, and the white space where the model reads that."""
        return (given.tokens, given.spaces) if self.model.reads_text else (given.tokens,)

    def checked(self, given: Sequence[Sentence], predictions: Sequence[Prediction]) -> list[Prediction]:
        """The predictions, made read-only; raises `AbaloError` where they do not fit the sentences."""
        return checked(self.model, given, predictions)

    def check_clean(self, predictions: Sequence[Prediction]) -> None:
        """Raises `AbaloError` where a model that tells no labels predicts none of those of the corpus."""
        if not self.model.labels:
            predicted = {tag for each in predictions for tag in each.full_tags or each.tags}
            gold = {tag for each in self.inputs for tag in each.tags or ()}
            self._labelling.check_predicted(predicted, gold, self.model.name)

    def labels(self, prediction: Prediction) -> Sequence[str]:
        """The tags."""
        return prediction.tags

    def pack(self, predictions: Sequence[Prediction]) -> dict[str, NDArray[Any]]:
        """The predictions as arrays: the scores, and everything else as JSON beside them."""
        rows = [
            (p.tags, p.alternative, p.windows, p.wordless, p.full_tags, p.own_tags, p.scores is not None)
            for p in predictions
        ]
        scores = [p.scores for p in predictions if p.scores is not None] or [np.zeros((0, 0), dtype=np.float32)]
        return {
            "rows": np.frombuffer(json.dumps(rows).encode(), dtype=np.uint8),
            "scores": np.concatenate(scores),
        }

    def unpack(self, stored: Mapping[str, NDArray[Any]]) -> list[Prediction]:
        """The predictions that `pack` made arrays of."""
        rows, scores = json.loads(stored["rows"].tobytes()), stored["scores"]
        scores.setflags(write=False)
        predictions, done = [], 0
        for tags, alternative, windows, wordless, full, before, has_scores in rows:
            own = scores[done : done + len(tags)] if has_scores else None
            done += len(tags) if has_scores else 0
            other, *more = (None if each is None else tuple(each) for each in (alternative, full, before))
            predictions.append(Prediction(tuple(tags), own, other, windows, wordless, *more))
        return predictions
