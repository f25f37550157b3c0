"""The interface of a model that labels texts, whatever its framework."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Probabilities = NDArray[np.floating]
"""The probability of each label of the model, 0 to 1. Double precision, so that those near 0 and 1 stay distinct."""


Input = str | tuple[str, str]
"""A text, or two texts that are labelled together, such as a premise and a hypothesis."""


@dataclass(frozen=True, slots=True, eq=False)
class Classified:
    """The labels that a model gives a text, in the names of the corpus and in alphabetical order.

    ``probabilities`` has one for each of the labels that it could give, ``names``, which are the same for all texts;
    None, and no names, from a model that gives none. ``windows`` is how many inputs the model needed for the text.
    ``reply`` is the text in which a language model answered, None from others; ``answered`` is False if it names no
    valid answer.
    """

    labels: tuple[str, ...]
    probabilities: Probabilities | None = None
    windows: int = 1
    names: tuple[str, ...] = ()
    reply: str | None = None
    answered: bool = True

    def probability(self, label: str) -> float | None:
        """The probability of a label, 0 to 1; None where the model gives none of it."""
        if self.probabilities is None or label not in self.names:
            return None
        return float(self.probabilities[self.names.index(label)])


class Classifier(Protocol):
    """A model that labels texts.

    ``labels`` are those that it can give, in the names of the corpus; empty for a black box without a list of them.
    ``fingerprint`` changes whenever predictions could. ``settings`` are others that the report should name.
    ``black_box`` and ``version``, where there are any, are as `abalo.core.task.Model` has them.
    """

    name: str
    fingerprint: str
    labels: tuple[str, ...]
    mask_token: str | None
    device: str
    settings: dict[str, str | int | float | bool | None]

    def predict(self, texts: Sequence[Input]) -> list[Classified]:
        """The labels of each text or pair of texts, in order."""
        ...
