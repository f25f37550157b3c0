"""Surface similarity by character n-grams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from perturbations import Sentence

SIZES = (3, 4, 5)
"""Characters per n-gram."""

DECIMALS = 12

NgramWeights = Mapping[str, float]


class NgramSimilarity:
    """TF-IDF cosine of character 3- to 5-grams within words and surrounding spaces, 0 to 1.

    Meaning is ignored: "good" is as far from "fine" as from "foul". An n-gram in d of the n ``sentences`` weighs ln((1
    + n) / (1 + d)) + 1; letter case counts. Rounding to `DECIMALS` removes effects of summation order.
    """

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        known = Counter(gram for each in sentences for gram in {gram for word in each.tokens for gram in _grams(word)})
        count = len(sentences)
        self._weights = {gram: log((1 + count) / (1 + seen)) + 1 for gram, seen in known.items()}
        self._unseen = log(1 + count) + 1
        self._word = lru_cache(maxsize=100_000)(self._word_vector)
        self._original = lru_cache(maxsize=1_000)(self._squared)
        self.name = f"TF-IDF of character 3- to 5-grams ({count:,} sentences), which measures form, not meaning"

    def of(self, pairs: Sequence[tuple[Sentence, Sentence]]) -> NDArray[np.float64]:
        return np.array([self._cosine(first.tokens, second.tokens) for first, second in pairs], dtype=np.float64)

    def _cosine(self, first: tuple[str, ...], second: tuple[str, ...]) -> float:
        if first == second:
            return 1.0
        if not first or not second:
            return 0.0
        original, square = self._original(first)
        gone, new = _difference(first, second)
        if len(gone) + len(new) < len(second):
            change = self._vector(new, gone)
            along = sum(weight * original[gram] for gram, weight in change.items() if gram in original)
            product = square + along
            other_square = product + along + sum(weight * weight for weight in change.values())
        else:
            other = self._vector(second)
            product = sum(weight * original[gram] for gram, weight in other.items() if gram in original)
            other_square = sum(weight * weight for weight in other.values())
        return round(min(1.0, product / sqrt(square * other_square)), DECIMALS)

    def _squared(self, tokens: tuple[str, ...]) -> tuple[NgramWeights, float]:
        vector = self._vector(tokens)
        return vector, sum(weight * weight for weight in vector.values())

    def _vector(self, tokens: Sequence[str], without: Sequence[str] = ()) -> NgramWeights:
        vector: dict[str, float] = {}
        for word in tokens:
            for gram, weight in self._word(word):
                vector[gram] = vector.get(gram, 0.0) + weight
        for word in without:
            for gram, weight in self._word(word):
                vector[gram] = vector.get(gram, 0.0) - weight
        return vector

    def _word_vector(self, word: str) -> list[tuple[str, float]]:
        return [(gram, self._weights.get(gram, self._unseen)) for gram in _grams(word)]


def _difference(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[list[str], list[str]]:
    if len(first) == len(second):  # words replaced: those that have only changed places cancel out
        pairs = [(old, new) for old, new in zip(first, second, strict=True) if old != new]
        return [old for old, _ in pairs], [new for _, new in pairs]
    counts = Counter(first)
    counts.subtract(second)
    gone = [word for word, count in counts.items() for _ in range(count)]
    return gone, [word for word, count in counts.items() for _ in range(-count)]


def _grams(word: str) -> list[str]:
    padded = f" {word} "
    return [padded[start : start + size] for size in SIZES for start in range(len(padded) - size + 1)]
