"""How alike sentences are to a sentence encoder."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from abalo.models.sentence_encoder import SentenceEncoder
from perturbations import Sentence


class EncoderSimilarity:
    """The cosine of the vectors that a sentence encoder makes of two texts, -1 to 1."""

    def __init__(self, encoder: SentenceEncoder) -> None:
        self._encoder = encoder
        self.name = f"cosine by encoder {encoder.name}"

    def of(self, pairs: Sequence[tuple[Sentence, Sentence]]) -> NDArray[np.float64]:
        """The cosine of each pair; exactly 1 for equal texts."""
        if not pairs:
            return np.zeros(0)
        texts = [sentence.text for pair in pairs for sentence in pair]
        vectors = self._encoder.vectors(texts)
        cosines = np.einsum("ij,ij->i", vectors[::2], vectors[1::2], dtype=np.float64).clip(-1, 1)
        return np.where([first == second for first, second in zip(texts[::2], texts[1::2], strict=True)], 1.0, cosines)
