"""The interface of token models in any framework."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from abalo.models.labelling.prediction import Prediction
from perturbations import Sentence


class TokenModel(Protocol):
    """A model that labels every token of a sentence.

    * ``labels``: score columns in corpus names; empty for a black box without a list.
    * ``fingerprint``: changes whenever predictions could.
    * ``settings``: for the report.
    * ``reads_text``: predictions depend on white space.
    * ``black_box``, ``version``: optional, as in `abalo.core.protocols.task.Model`.
    """

    name: str
    fingerprint: str
    labels: tuple[str, ...]
    mask_token: str | None
    device: str
    reads_text: bool
    settings: dict[str, str | int | float | bool | None]

    def predict(self, sentences: Sequence[Sentence], /) -> list[Prediction]:
        """One prediction per sentence, in order; batches depend only on these sentences."""
        ...
