"""The interface of a model that labels tokens, whatever its framework."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from abalo.models.prediction import Prediction
from perturbations import Sentence


class TokenModel(Protocol):
    """A model that labels every token of a sentence.

    ``labels`` name the columns of the scores, in the names of the corpus; empty for a black box without a list of
    labels. ``fingerprint`` changes whenever predictions could. ``settings`` are others that the report should name,
    such as dtype, aggregation and window length. ``reads_text`` says that predictions depend on white space.
    ``black_box`` and ``version``, where there are any, are as `abalo.core.task.Model` has them.
    """

    name: str
    fingerprint: str
    labels: tuple[str, ...]
    mask_token: str | None
    device: str
    reads_text: bool
    settings: dict[str, str | int | float | bool | None]

    def predict(self, sentences: Sequence[Sentence]) -> list[Prediction]:
        """One prediction per sentence, in order. The adapter chooses batches from these sentences alone."""
        ...
