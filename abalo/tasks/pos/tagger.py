"""A linear tagger: the score of a tag is a sum of weights of what can be read off a word and the words beside it.

It is small enough to ship and needs nothing but NumPy. `fixtures/train_pos.py` trains it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from abalo.errors import AbaloError
from abalo.files import write_bytes
from abalo.models.archives import read_arrays

Scores = NDArray[np.float32]
"""Logits, one row per token, one column per label of the tagger."""

NEAR = (-2, -1, 1, 2)
"""How far from a word the words lie that its features are about."""

_OUTSIDE = ""
"""Stands for a word before or after the sentence."""

_LONGEST_SHAPE = 6
_ARRAYS = ("features", "labels", "step", "weights")
_REMEDY = "train one with fixtures/train_pos.py"


def shape(word: str) -> str:
    """How the word is written: runs of upper case ``A``, lower case ``a`` and digits ``9``, and other characters.

    Cut after six: *Lei* is ``Aa``, *11.101* is ``9.9``.
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
    """The features of a word by itself: its form, its shape, its beginnings and ends."""
    low = word.lower()
    return [
        f"w={word}",
        f"l={low}",
        f"h={shape(word)}",
        *(f"s{size}={low[-size:]}" for size in range(1, 6) if len(low) > size),
        *(f"p{size}={low[:size]}" for size in range(1, 4) if len(low) > size),
    ]


def near_features(word: str, distance: int) -> list[str]:
    """The features that a word gives the one from which it lies ``distance`` away, one of `NEAR`; "" is outside."""
    low = word.lower()
    found = [f"{distance}l={low}", f"{distance}s2={low[-2:]}"]
    return found if abs(distance) == 2 else [*found, f"{distance}s3={low[-3:]}", f"{distance}h={shape(word)}"]


def pair_features(before: str, word: str, after: str) -> list[str]:
    """The features that two words in lower case have together: the word with either neighbour, and the neighbours."""
    return [f"-1,0={before} {word}", f"0,1={word} {after}", f"-1,1={before} {after}"]


def features(tokens: Sequence[str]) -> Iterator[list[str]]:
    """All features of each token in turn, none twice."""
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
    """Weights of known features for each label; the weight of any other feature is 0.

    ``features`` holds the row of each in ``weights`` (features × labels), whole numbers that count ``step``. So sums
    are exact, and the scores of a sentence are the same whatever others are tagged with it.
    """

    labels: tuple[str, ...]
    features: Mapping[str, int]
    weights: NDArray[np.int8]
    step: float

    def tags(self, sentences: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
        """One label per token of each sentence: the one with the highest score, the first of equal ones."""
        return [tuple(self.labels[label] for label in scores.argmax(axis=1)) for scores in self.scores(sentences)]

    def scores(self, sentences: Sequence[Sequence[str]]) -> list[Scores]:
        """The logits of each sentence, (tokens × labels); a softmax makes probabilities of them."""
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
        """The sums of weights for the tokens of a sentence, given by the numbers of their words."""
        padded = np.concatenate([[0, 0], row, [0, 0]]).astype(np.intp)
        sums = alone[row]
        for distance in NEAR:
            sums += beside[distance][padded[2 + distance : 2 + distance + len(row)]]
        low = [lowered[word] for word in padded[1:-1]]
        sums += self._sums([pair_features(*low[i : i + 3]) for i in range(len(row))])
        return sums

    def _sums(self, rows: Sequence[Sequence[str]]) -> NDArray[np.int32]:
        """For each list of features the sum of their weights, (lists × labels)."""
        known = [[self.features[name] for name in row if name in self.features] for row in rows]
        owner = np.repeat(np.arange(len(rows)), [len(row) for row in known])
        sums = np.zeros((len(rows), len(self.labels)), dtype=np.int32)
        np.add.at(sums, owner, self.weights[[place for row in known for place in row]].astype(np.int32))
        return sums

    def save(self, path: str | Path) -> None:
        """Writes the tagger to a ``.npz`` file that `load` reads, the same bytes for the same tagger."""
        names = sorted(self.features, key=lambda name: self.features[name])
        stream = io.BytesIO()
        np.savez_compressed(
            stream,
            features=np.frombuffer("\n".join(names).encode(), dtype=np.uint8),
            labels=np.array(self.labels),
            step=np.float64(self.step),
            weights=np.ascontiguousarray(self.weights.T),  # a label's weights are mostly 0: so they pack well
        )
        write_bytes(Path(path), stream.getvalue())

    @classmethod
    def load(cls, path: str | Path) -> LinearTagger:
        """The tagger in a ``.npz`` file; raises AbaloError where there is none."""
        found = read_arrays(path, "a tagger", _ARRAYS, _REMEDY)
        names = found["features"].tobytes().decode("utf-8", "replace").split("\n")
        labels, weights = tuple(map(str, found["labels"])), found["weights"]
        if weights.dtype != np.int8 or weights.shape != (len(labels), len(names)):
            raise AbaloError(
                f"{path}: weights are {weights.dtype} of shape {weights.shape}; expected int8 of shape "
                f"{(len(labels), len(names))}, labels by features; {_REMEDY}"
            )
        step = found["step"]
        if not labels or step.shape or step.dtype.kind not in "iuf" or not 0 < float(step) < np.inf:
            raise AbaloError(
                f"{path}: {len(labels)} labels, the step {step!s:.40}; expected some, and a number above 0; {_REMEDY}"
            )
        known = {name: place for place, name in enumerate(names)}
        return cls(labels, known, np.ascontiguousarray(weights.T), float(step))
