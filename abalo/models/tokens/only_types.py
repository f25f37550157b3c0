"""Restricts a model to some entity types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from abalo.core.statistics.repeating import draws
from abalo.models.labelling.columns import Columns
from abalo.models.labelling.labels import OUTSIDE
from abalo.models.labelling.prediction import Prediction
from abalo.models.tokens.protocol import TokenModel
from perturbations import Sentence


class OnlyTypes:
    """Keeps some entity ``types`` of another model; others become O.

    O gets the highest score of labels that now mean O. ``full_tags`` holds the original tags.
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
        self.draws = draws(model)
        said = ",".join(sorted(types))
        self.settings: dict[str, str | int | float | bool | None] = {**model.settings, "types": said}
        self.fingerprint = f"{model.fingerprint}+types={said}"

    @property
    def runs_ahead(self) -> bool:
        return bool(getattr(self._model, "runs_ahead", False))

    @property
    def on_progress(self) -> Callable[[int, int], None] | None:
        return getattr(self._model, "on_progress", None)

    @on_progress.setter
    def on_progress(self, call: Callable[[int, int], None] | None) -> None:
        other: Any = self._model
        other.on_progress = call

    def predict(self, sentences: Sequence[Sentence]) -> list[Prediction]:
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
