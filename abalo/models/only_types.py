"""Some entity types of a model, and of no others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from abalo.models.columns import Columns
from abalo.models.labels import OUTSIDE
from abalo.models.prediction import Prediction
from abalo.models.protocol import TokenModel
from perturbations import Sentence


class OnlyTypes:
    """A `TokenModel` that finds what another finds of some entity ``types``; what it finds of others is O.

    The score of O is then the highest of those that mean O now, so the label with the highest score stays the one
    predicted. Predictions keep the tags of the other model as ``full_tags``.
    """

    def __init__(self, model: TokenModel, types: Sequence[str]) -> None:
        self._model = model
        self._types = frozenset(types)
        renamed = [self._tag(label) for label in model.labels]
        self.labels = tuple(dict.fromkeys(renamed))
        self._columns = Columns(self.labels, tuple(map(self.labels.index, renamed)))
        self.name = model.name
        self.mask_token = model.mask_token
        self.device = model.device
        self.reads_text = model.reads_text
        self.black_box: bool = getattr(model, "black_box", True)
        self.version: str | None = getattr(model, "version", None)
        said = ",".join(sorted(types))
        self.settings: dict[str, str | int | float | bool | None] = {**model.settings, "types": said}
        self.fingerprint = f"{model.fingerprint}+types={said}"

    @property
    def runs_ahead(self) -> bool:
        """As the other model."""
        return bool(getattr(self._model, "runs_ahead", False))

    @property
    def on_progress(self) -> Callable[[int, int], None] | None:
        """That of the other model."""
        return getattr(self._model, "on_progress", None)

    @on_progress.setter
    def on_progress(self, call: Callable[[int, int], None] | None) -> None:
        other: Any = self._model
        other.on_progress = call

    def predict(self, sentences: Sequence[Sentence]) -> list[Prediction]:
        """One prediction per sentence, in order."""
        return [self._narrowed(prediction) for prediction in self._model.predict(sentences)]

    def _narrowed(self, found: Prediction) -> Prediction:
        other = found.alternative
        return replace(
            found,
            tags=tuple(map(self._tag, found.tags)),
            scores=None if found.scores is None else self._columns.fold(found.scores),
            alternative=None if other is None else tuple(map(self._tag, other)),
            full_tags=found.tags,
        )

    def _tag(self, tag: str) -> str:
        return tag if tag[2:] in self._types else OUTSIDE
