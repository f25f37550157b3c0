"""How alike sentences look: the cosine of the character n-grams in their words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from perturbations import Sentence

SIZES = (3, 4, 5)
"""Characters in an n-gram."""

Weights = Mapping[str, float]


class NgramSimilarity:
    """The cosine of TF-IDF vectors of 3- to 5-grams of characters, each within a word and the spaces around it, 0 to 1.

    It sees the surface and knows nothing of meaning: "good" is as far from "fine" as from "foul". An n-gram that is in
    d of the n ``sentences`` weighs ln((1 + n) / (1 + d)) + 1 wherever it stands; letter case counts.
    """

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        known = Counter(gram for each in sentences for gram in {gram for word in each.tokens for gram in _grams(word)})
        count = len(sentences)
        self._weights = {gram: log((1 + count) / (1 + seen)) + 1 for gram, seen in known.items()}
        self._unseen = log(1 + count) + 1
        self._word = lru_cache(maxsize=100_000)(self._word_vector)
        self._original = lru_cache(maxsize=1_000)(self._vector)
        self.name = f"TF-IDF of character 3- to 5-grams ({count:,} sentences), which is likeness of form, not meaning"

    def of(self, pairs: Sequence[tuple[Sentence, Sentence]]) -> NDArray[np.float64]:
        """The cosine of each pair; 1 for equal tokens, 0 where one has none. Quickest where many share the first."""
        return np.array([self._cosine(first.tokens, second.tokens) for first, second in pairs], dtype=np.float64)

    def _cosine(self, first: tuple[str, ...], second: tuple[str, ...]) -> float:
        if first == second:
            return 1.0
        original, length = self._original(first)
        other, other_length = self._vector(second)
        if not length or not other_length:
            return 0.0
        product = sum(weight * original[gram] for gram, weight in other.items() if gram in original)
        return min(1.0, product / (length * other_length))

    def _vector(self, tokens: tuple[str, ...]) -> tuple[Weights, float]:
        """The weights of the n-grams in a sentence, and the length of that vector."""
        vector: dict[str, float] = {}
        for word in tokens:
            for gram, weight in self._word(word):
                vector[gram] = vector.get(gram, 0.0) + weight
        return vector, sqrt(sum(weight * weight for weight in vector.values()))

    def _word_vector(self, word: str) -> list[tuple[str, float]]:
        return [(gram, self._weights.get(gram, self._unseen)) for gram in _grams(word)]


def _grams(word: str) -> list[str]:
    padded = f" {word} "
    return [padded[start : start + size] for size in SIZES for start in range(len(padded) - size + 1)]
