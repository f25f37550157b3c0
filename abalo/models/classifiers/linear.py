"""A linear classifier of texts, or of pairs of them: the score of a label is a sum of weights of what is in them.

It is small enough to ship and needs nothing but NumPy. `fixtures/train_sentiment.py`, `train_entailment.py` and
`train_aspects.py` train such.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo.corpora.running_text import running_text
from abalo.errors import AbaloError
from abalo.files import expanded, read_bytes, write_bytes
from abalo.models.archives import read_arrays
from abalo.models.classifiers.protocol import Classified, Input
from abalo.models.classifiers.reading import LabelReader
from abalo.models.options import ModelOptions

SUFFIX = ".npz"

_LETTERS = "letters"
"""The array of a file whose features are groups of letters, too."""

_ARRAYS = ("features", "labels", "step", "weights")
_REMEDY = "train one with fixtures/train_sentiment.py or fixtures/train_entailment.py"
_EDGE = ""


LETTERS = range(3, 6)
"""How many letters are read together where groups of letters are features."""


def features(given: Input, *, letters: bool = False) -> list[str]:
    """The features of a text, none twice: its words in lower case, and pairs of neighbours, its ends among them.

    With ``letters`` also the groups of 3 to 5 letters in each word, whose ends count as letters: most of them outlive
    a slip (Bojanowski et al., Enriching Word Vectors with Subword Information, 2017, section 3.2).
    Of two texts: the words that one of them has and the other has not, each such word of the first with each of the
    second, and how much of the second the first has, in tenths of its words; no tenth is a feature of all pairs.
    """
    if not isinstance(given, str):
        return _of_both(*map(_words, given))
    words = _words(given)
    beside = zip([_EDGE, *words], [*words, _EDGE], strict=True)
    groups = [group for word in words for group in _groups(word)] if letters else ()
    return list(dict.fromkeys([*words, *(f"{one} {other}" for one, other in beside), *groups])) if words else []


def _groups(word: str) -> list[str]:
    """The groups of letters in a word, each behind a tab, which no word has."""
    ends = f"<{word}>"
    return [f"\t{ends[k : k + size]}" for size in LETTERS for k in range(len(ends) - size + 1)]


def _of_both(first: Sequence[str], second: Sequence[str]) -> list[str]:
    gone, new = (
        [word for word in dict.fromkeys(one) if word not in other] for one, other in ((first, second), (second, first))
    )
    held = sum(word in first for word in second)
    shares = [f"={tenth}" for tenth in range(10 * held // max(1, len(second)) + 1)]
    return [
        *(f"-{word}" for word in gone),
        *(f"+{word}" for word in new),
        *(f"-{one} +{other}" for one in gone for other in new),
        *shares,
    ]


def _words(text: str) -> list[str]:
    """The words and marks of a text in lower case."""
    return [token.lower() for token in running_text(text).tokens] if text.strip() else []


@dataclass(frozen=True, slots=True, eq=False)
class LinearWeights:
    """Weights of known features for each label; the weight of any other feature is 0.

    ``features`` holds the row of each in ``weights`` (features × labels), whole numbers that count ``step``. So sums
    are exact, and the scores of a text are the same whatever others are scored with it. ``letters`` says that groups of
    letters are features, too.
    """

    labels: tuple[str, ...]
    features: Mapping[str, int]
    weights: NDArray[np.int8]
    step: float
    letters: bool = False

    def logits(self, texts: Sequence[Input]) -> NDArray[np.float32]:
        """The logits of each text, (texts × labels)."""
        sums = np.zeros((len(texts), len(self.labels)), dtype=np.int64)
        for row, text in zip(sums, texts, strict=True):
            found = features(text, letters=self.letters)
            known = [self.features[name] for name in found if name in self.features]
            row += self.weights[known].sum(axis=0, dtype=np.int64)
        return (sums * self.step).astype(np.float32)

    def save(self, path: str | Path) -> None:
        """Writes the weights to a ``.npz`` file that `load` reads, the same bytes for the same weights."""
        names = sorted(self.features, key=lambda name: self.features[name])
        stream = io.BytesIO()
        arrays: dict[str, NDArray[Any]] = {_LETTERS: np.array(True)} if self.letters else {}
        np.savez_compressed(
            stream,
            allow_pickle=False,
            features=np.frombuffer("\n".join(names).encode(), dtype=np.uint8),
            labels=np.array(self.labels),
            step=np.float64(self.step),
            weights=self.weights,
            **arrays,
        )
        write_bytes(Path(path), stream.getvalue())

    @classmethod
    def load(cls, path: str | Path) -> LinearWeights:
        """The weights in a ``.npz`` file; raises AbaloError where there are none."""
        found = read_arrays(path, "a linear classifier", _ARRAYS, _REMEDY, (_LETTERS,))
        names = found["features"].tobytes().decode("utf-8", "replace").split("\n")
        labels, weights, step = tuple(map(str, found["labels"])), found["weights"], found["step"]
        if weights.dtype != np.int8 or weights.shape != (len(names), len(labels)):
            raise AbaloError(
                f"{path}: weights are {weights.dtype} of shape {weights.shape}; expected int8 of shape "
                f"{(len(names), len(labels))}, features by labels; {_REMEDY}"
            )
        if len(labels) < 2 or step.shape or step.dtype.kind not in "iuf" or not 0 < float(step) < np.inf:
            raise AbaloError(
                f"{path}: {len(labels)} labels, the step {step!s:.40}; expected two or more, and a number above 0; "
                f"{_REMEDY}"
            )
        return cls(labels, {name: place for place, name in enumerate(names)}, weights, float(step), _LETTERS in found)


class LinearClassifier:
    """A `Classifier` around weights in a file."""

    mask_token: str | None = None
    device = "cpu"
    black_box = False

    def __init__(
        self, name: str, weights: LinearWeights, reader: LabelReader, digest: str, settings: dict[str, str | bool]
    ) -> None:
        self.name = name
        self.fingerprint = digest
        self.labels = reader.labels
        self.settings: dict[str, str | int | float | bool | None] = {**settings}
        self._weights = weights
        self._reader = reader

    def predict(self, texts: Sequence[Input]) -> list[Classified]:
        """The labels of each text, in order."""
        return self._reader.of_logits(self._weights.logits(texts)) if texts else []


def load(spec: str, options: ModelOptions) -> LinearClassifier:
    """The classifier in a ``.npz`` file, as `LinearWeights.save` writes it; raises `AbaloError` without one."""
    options.refuse_for("a linear classifier")
    options.refuse_version("a linear classifier")
    path = expanded(spec)
    weights = LinearWeights.load(path)
    reader = LabelReader.of(spec, weights.labels, options)
    digest = hashlib.blake2b(
        read_bytes(path) + repr((reader.columns, options.several)).encode(), digest_size=16
    ).hexdigest()
    settings = {"interface": "linear", "several_labels": options.several, **options.renaming}
    return LinearClassifier(spec, weights, reader, digest, settings)
