"""A linear text classifier that needs only NumPy.

Trained by `fixtures/train_sentiment.py`, `train_entailment.py` and `train_aspects.py`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from abalo.corpora.running_text import running_text
from abalo.errors import AbaloError
from abalo.files import expand_home, read_bytes
from abalo.models.classifiers.reading import LabelReader
from abalo.models.labelling.classified import Classified, TextInput
from abalo.models.networks.archives import read_arrays, weights_in, write_weights
from abalo.models.options import ModelOptions

SUFFIX = ".npz"

_LETTERS = "letters"

_ARRAYS = ("features", "labels", "step", "weights")
_REMEDY = "train one with fixtures/train_sentiment.py or fixtures/train_entailment.py"
_EDGE = ""


LETTERS = range(3, 6)


def features(given: TextInput, *, letters: bool = False) -> list[str]:
    """The distinct features of a text: lower-case words and neighbour pairs.

    ``letters`` adds groups of 3 to 5 letters, which mostly survive typos (Bojanowski et al., Enriching Word Vectors
    with Subword Information, 2017, section 3.2). A pair has the words of only one text, their combinations, and the
    share of common words in tenths.
    """
    if not isinstance(given, str):
        return _of_both(*map(_words, given))
    words = _words(given)
    beside = zip([_EDGE, *words], [*words, _EDGE], strict=True)
    groups = [group for word in words for group in _groups(word)] if letters else ()
    return list(dict.fromkeys([*words, *(f"{one} {other}" for one, other in beside), *groups])) if words else []


def _groups(word: str) -> list[str]:
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
    return [token.lower() for token in running_text(text).tokens] if text.strip() else []


@dataclass(frozen=True, slots=True, eq=False)
class LinearWeights:
    """Weights of known features per label; other features weigh 0.

    ``weights`` (features × labels) are whole multiples of ``step``, so sums are exact in any batch.
    """

    labels: tuple[str, ...]
    features: Mapping[str, int]
    weights: NDArray[np.int8]
    step: float
    letters: bool = False

    def logits(self, texts: Sequence[TextInput]) -> NDArray[np.float32]:
        """Logits (texts × labels)."""
        sums = np.zeros((len(texts), len(self.labels)), dtype=np.int64)
        for row, text in zip(sums, texts, strict=True):
            found = features(text, letters=self.letters)
            known = [self.features[name] for name in found if name in self.features]
            row += self.weights[known].sum(axis=0, dtype=np.int64)
        return (sums * self.step).astype(np.float32)

    def save(self, path: str | Path) -> None:
        """Writes a ``.npz`` file; equal weights give equal bytes."""
        letters = {_LETTERS: np.array(True)} if self.letters else {}
        labels, step = np.array(self.labels), np.float64(self.step)
        write_weights(path, self.features, labels=labels, step=step, weights=self.weights, **letters)

    @classmethod
    def load(cls, path: str | Path) -> LinearWeights:
        """Reads a ``.npz`` file; raises `AbaloError`."""
        found = read_arrays(path, "a linear classifier", _ARRAYS, _REMEDY, (_LETTERS,))
        labels = tuple(map(str, found["labels"]))
        if len(labels) < 2:
            raise AbaloError(f"{path}: {len(labels)} labels; expected two or more; {_REMEDY}")
        return cls(labels, *weights_in(found, len(labels), path, _REMEDY), _LETTERS in found)


class LinearClassifier:
    """A `Classifier` with weights from a file."""

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

    def predict(self, texts: Sequence[TextInput]) -> list[Classified]:
        return self._reader.of_logits(self._weights.logits(texts)) if texts else []


def load(spec: str, options: ModelOptions) -> LinearClassifier:
    """Loads a ``.npz`` file of `LinearWeights.save`."""
    options.refuse_for("a linear classifier")
    options.refuse_version("a linear classifier")
    path = expand_home(spec)
    weights = LinearWeights.load(path)
    reader = LabelReader.of(spec, weights.labels, options)
    digest = hashlib.blake2b(
        read_bytes(path) + repr((reader.columns, options.several)).encode(), digest_size=16
    ).hexdigest()
    settings = {"interface": "linear", "several_labels": options.several, **options.renaming}
    return LinearClassifier(spec, weights, reader, digest, settings)
