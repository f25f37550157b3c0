"""A perceptron that labels characters B, M, E or S; needs only NumPy.

Decoding picks the best valid label sequence. Trained by `fixtures/train_segmentation.py`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from abalo.corpora.word_labels import LABELS
from abalo.files import expand_home, read_bytes
from abalo.models.labelling.prediction import Prediction
from abalo.models.networks.archives import read_arrays, weights_in, write_weights
from abalo.models.options import ModelOptions
from abalo.models.tokens.protocol import TokenModel
from perturbations import Sentence

SUFFIX = ".npz"

_ARRAYS = ("features", "seen", "step", "weights")
_REMEDY = "train one with fixtures/train_segmentation.py"
_OUTSIDE = "^"
_BEFORE = tuple(tuple(LABELS.index(each) for each in ("ES" if label in "BS" else "BM")) for label in LABELS)

_REMEMBERED = 2**16


def character_class(char: str) -> str:
    """Number, Latin, Chinese or other."""
    if char.isdecimal() or char in "〇零一二三四五六七八九十百千万亿两":
        return "9"
    return "a" if char.isascii() and char.isalnum() else "x" if char.isalpha() else "."


Window = tuple[str, str, str, str, str]


def windows(tokens: Sequence[str]) -> list[Window]:
    """The window of each character."""
    padded = [_OUTSIDE, _OUTSIDE, *tokens, _OUTSIDE, _OUTSIDE]
    return list(zip(*(padded[k : len(tokens) + k] for k in range(5)), strict=True))


def character_features(window: Window) -> list[str]:
    """Characters, pairs, classes and equalities in a window."""
    a, b, c, d, e = window
    kinds = "".join(_OUTSIDE if each == _OUTSIDE else character_class(each) for each in window)
    found = [f"0{c}", f"1{b}", f"2{d}", f"3{a}", f"4{e}", f"5{b}{c}", f"6{c}{d}", f"7{b}{d}", f"8{a}{b}", f"9{d}{e}"]
    found += [f"k{kinds}", f"K{kinds[1:4]}"]
    if c in (a, b, d, e):
        found.append(f"r{c == a:d}{c == b:d}{c == d:d}{c == e:d}")
    return found


def word_digest(word: str) -> int:
    """64-bit BLAKE2b digest, to recognise words without revealing them."""
    return int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")


@dataclass(frozen=True, slots=True)
class SeenWords:
    """Training words, as digests."""

    digests: frozenset[int]

    def __contains__(self, word: object) -> bool:
        return word_digest(str(word)) in self.digests


@dataclass(frozen=True, slots=True, eq=False)
class Perceptron:
    """Weights of known features for `LABELS`; other features weigh 0.

    ``weights`` (features × labels) are whole multiples of ``step``, so sums are exact.
    """

    features: dict[str, int]
    weights: NDArray[np.int8]
    step: float
    seen: SeenWords

    def score(self, window: Window) -> list[float]:
        """One sum per label in `LABELS`."""
        rows = [self.features[name] for name in character_features(window) if name in self.features]
        sums: list[int] = self.weights[rows].sum(axis=0, dtype=np.int32).tolist()
        return [each * self.step for each in sums]

    def save(self, path: str | Path) -> None:
        """Writes a ``.npz`` file; equal weights give equal bytes."""
        write_weights(
            path,
            self.features,
            seen=np.array(sorted(self.seen.digests), dtype=np.uint64),
            step=np.float64(self.step),
            weights=np.ascontiguousarray(self.weights.T),
        )


def best_labels(scores: Sequence[Sequence[float]], ends: Sequence[bool]) -> tuple[str, ...]:
    """The best valid label sequence.

    ``scores`` has one row per character; ``ends`` forces word ends; ties follow label order.
    """
    back: list[list[int]] = []
    best = [0.0 if label in "ES" else -inf for label in LABELS]
    for own, must_end in zip(scores, (True, *ends), strict=False):
        if must_end:
            best = [sum_ if label in "ES" else -inf for label, sum_ in zip(LABELS, best, strict=True)]
        back.append([max(before, key=best.__getitem__) for before in _BEFORE])
        best = [best[before] + score for before, score in zip(back[-1], own, strict=True)]
    label = max((LABELS.index("E"), LABELS.index("S")), key=best.__getitem__)
    path: list[str] = []
    for before in reversed(back):
        path.append(LABELS[label])
        label = before[label]
    return tuple(reversed(path))


def load_weights(path: str | Path) -> Perceptron:
    """Reads a ``.npz`` file."""
    found = read_arrays(path, "a perceptron", _ARRAYS, _REMEDY)
    seen = SeenWords(frozenset(map(int, found["seen"].ravel())))
    return Perceptron(*weights_in(found, len(LABELS), path, _REMEDY, by_label=True), seen)


class PerceptronModel:
    """A `TokenModel` around a perceptron."""

    mask_token: str | None = None
    device = "cpu"
    reads_text = True
    black_box = False
    labels: tuple[str, ...] = LABELS

    def __init__(self, name: str, perceptron: Perceptron, digest: str) -> None:
        self.name, self.fingerprint = name, digest
        self.settings: dict[str, str | int | float | bool | None] = {"interface": "perceptron"}
        self.on_progress: Callable[[int, int], None] | None = None
        self._score = lru_cache(_REMEMBERED)(perceptron.score)

    def predict(self, sentences: Sequence[Sentence]) -> list[Prediction]:
        return [self._predicted(sentence) for sentence in sentences]

    def _predicted(self, sentence: Sentence) -> Prediction:
        scores = [self._score(window) for window in windows(sentence.tokens)]
        labels = best_labels(scores, [bool(space) for space in sentence.spaces])
        table = np.array(scores, dtype=np.float32).reshape(-1, len(LABELS))
        return Prediction(labels, table, inputs=int(bool(labels)))


def load(spec: str, options: ModelOptions) -> TokenModel:
    """Loads a ``.npz`` file of `Perceptron.save`."""
    options.refuse_for("a perceptron")
    options.refuse_version("a perceptron")
    path = expand_home(spec)
    digest = hashlib.blake2b(read_bytes(path), digest_size=16).hexdigest()
    return PerceptronModel(spec, load_weights(path), digest)
