"""A linear tagger that needs only NumPy.

Trained by `fixtures/train_pos.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from abalo.errors import AbaloError
from abalo.models.networks.archives import read_arrays, weights_in, write_weights

TagScores = NDArray[np.float32]

NEAR = (-2, -1, 1, 2)

_OUTSIDE = ""

_LONGEST_SHAPE = 6
_ARRAYS = ("features", "labels", "step", "weights")
_REMEDY = "train one with fixtures/train_pos.py"


def shape(word: str) -> str:
    """Runs of upper case ``A``, lower case ``a``, digits ``9``, and other characters, cut after six.

    *Lei* is ``Aa``, *11.101* is ``9.9``.
    """
    found = ""
    for char in word:
        kind = "9" if char.isdigit() else "A" if char.isupper() else "a" if char.islower() else char
        if not found.endswith(kind):
            found += kind
            if len(found) == _LONGEST_SHAPE:
                break
    return found


def own_features(word: str) -> list[str]:
    """Form, shape, prefixes and suffixes."""
    low = word.lower()
    return [
        f"w={word}",
        f"l={low}",
        f"h={shape(word)}",
        *(f"s{size}={low[-size:]}" for size in range(1, 6) if len(low) > size),
        *(f"p{size}={low[:size]}" for size in range(1, 4) if len(low) > size),
    ]


def near_features(word: str, distance: int) -> list[str]:
    """Features from a neighbour at ``distance``; "" is outside."""
    low = word.lower()
    found = [f"{distance}l={low}", f"{distance}s2={low[-2:]}"]
    return found if abs(distance) == 2 else [*found, f"{distance}s3={low[-3:]}", f"{distance}h={shape(word)}"]


def pair_features(before: str, word: str, after: str) -> list[str]:
    """Features of pairs among a word and its neighbours."""
    return [f"-1,0={before} {word}", f"0,1={word} {after}", f"-1,1={before} {after}"]


def features(tokens: Sequence[str]) -> Iterator[list[str]]:
    """The distinct features of each token."""
    for place, token in enumerate(tokens):
        near = {distance: _at(tokens, place + distance) for distance in NEAR}
        yield [
            *own_features(token),
            *(feature for distance, word in near.items() for feature in near_features(word, distance)),
            *pair_features(near[-1].lower(), token.lower(), near[1].lower()),
        ]


def _at(tokens: Sequence[str], place: int) -> str:
    return tokens[place] if 0 <= place < len(tokens) else _OUTSIDE


@dataclass(frozen=True, slots=True, eq=False)
class LinearTagger:
    """Weights of known features per label; other features weigh 0.

    ``weights`` (features × labels) are whole multiples of ``step``, so sums are exact in any batch.
    """

    labels: tuple[str, ...]
    features: Mapping[str, int]
    weights: NDArray[np.int8]
    step: float

    def tags(self, sentences: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
        """The best label of each token, the first in a tie."""
        return [tuple(self.labels[label] for label in scores.argmax(axis=1)) for scores in self.scores(sentences)]

    def scores(self, sentences: Sequence[Sequence[str]]) -> list[TagScores]:
        """Logits of each sentence (tokens × labels)."""
        words: dict[str, int] = {_OUTSIDE: 0}
        rows = [[words.setdefault(token, len(words)) for token in tokens] for tokens in sentences]
        alone = self._sums([own_features(word) for word in words])
        beside = {distance: self._sums([near_features(word, distance) for word in words]) for distance in NEAR}
        lowered = [word.lower() for word in words]
        return [
            (self._scored(np.array(row, dtype=np.intp), alone, beside, lowered) * self.step).astype(np.float32)
            for row in rows
        ]

    def _scored(
        self,
        row: NDArray[np.intp],
        alone: NDArray[np.int32],
        beside: Mapping[int, NDArray[np.int32]],
        lowered: Sequence[str],
    ) -> NDArray[np.int32]:
        padded = np.concatenate([[0, 0], row, [0, 0]]).astype(np.intp)
        sums = alone[row]
        for distance in NEAR:
            sums += beside[distance][padded[2 + distance : 2 + distance + len(row)]]
        low = [lowered[word] for word in padded[1:-1]]
        sums += self._sums([pair_features(*low[i : i + 3]) for i in range(len(row))])
        return sums

    def _sums(self, rows: Sequence[Sequence[str]]) -> NDArray[np.int32]:
        known = [[self.features[name] for name in row if name in self.features] for row in rows]
        owner = np.repeat(np.arange(len(rows)), [len(row) for row in known])
        sums = np.zeros((len(rows), len(self.labels)), dtype=np.int32)
        np.add.at(sums, owner, self.weights[[place for row in known for place in row]].astype(np.int32))
        return sums

    def save(self, path: str | Path) -> None:
        """Writes a ``.npz`` file; equal taggers give equal bytes."""
        write_weights(
            path,
            self.features,
            labels=np.array(self.labels),
            step=np.float64(self.step),
            weights=np.ascontiguousarray(self.weights.T),  # a label's weights are mostly 0: so they pack well
        )

    @classmethod
    def load(cls, path: str | Path) -> LinearTagger:
        """Reads a ``.npz`` file."""
        found = read_arrays(path, "a tagger", _ARRAYS, _REMEDY)
        labels = tuple(map(str, found["labels"]))
        if not labels:
            raise AbaloError(f"{path}: no labels; expected some; {_REMEDY}")
        return cls(labels, *weights_in(found, len(labels), path, _REMEDY, by_label=True))
