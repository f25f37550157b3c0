"""The interface of text classifiers in any framework."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from abalo.models.labelling.classified import Classified, TextInput


class Classifier(Protocol):
    """A model that labels texts.

    * ``labels``: in corpus names; empty for a black box without a list.
    * ``fingerprint``: changes whenever predictions could.
    * ``settings``: for the report.
    * ``black_box``, ``version``: optional, as in `abalo.core.protocols.task.Model`.
    """

    name: str
    fingerprint: str
    labels: tuple[str, ...]
    mask_token: str | None
    device: str
    settings: dict[str, str | int | float | bool | None]

    def predict(self, texts: Sequence[TextInput], /) -> list[Classified]:
        """The labels of each text or pair, in order."""
        ...
