"""Sentence similarity from an encoder."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from abalo.models.auxiliary.sentence_encoder import SentenceEncoder
from perturbations import Sentence


class EncoderSimilarity:
    """Cosine of encoder vectors, -1 to 1; exactly 1 for equal texts."""

    def __init__(self, encoder: SentenceEncoder) -> None:
        self._encoder = encoder
        self.name = f"cosine by encoder {encoder.name}"

    def of(self, pairs: Sequence[tuple[Sentence, Sentence]]) -> NDArray[np.float64]:
        if not pairs:
            return np.zeros(0)
        texts = [sentence.text for pair in pairs for sentence in pair]
        vectors = self._encoder.vectors(texts)
        cosines = np.einsum("ij,ij->i", vectors[::2], vectors[1::2], dtype=np.float64).clip(-1, 1)
        return np.where([first == second for first, second in zip(texts[::2], texts[1::2], strict=True)], 1.0, cosines)
