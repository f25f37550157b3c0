"""Labels of a text, in corpus names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Probabilities = NDArray[np.floating]


TextInput = str | tuple[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Classified:
    """The labels of a text, in corpus names, sorted.

    ``probabilities`` (0 to 1) has one value per entry of ``names``; None if unknown. ``reply`` is a language model's
    answer, else None; ``answered`` is False if invalid.
    """

    labels: tuple[str, ...]
    probabilities: Probabilities | None = None
    inputs: int = 1
    names: tuple[str, ...] = ()
    reply: str | None = None
    answered: bool = True

    def probability(self, label: str) -> float | None:
        """0 to 1; None if unknown."""
        if self.probabilities is None or label not in self.names:
            return None
        return float(self.probabilities[self.names.index(label)])
