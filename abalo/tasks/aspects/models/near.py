"""A linear classifier of aspects: of the words of a sentence, and of those near the aspect once more."""

from __future__ import annotations

import re
from collections.abc import Sequence

from abalo.corpora.running_text import running_text
from abalo.files import expanded
from abalo.models.classifiers import linear
from abalo.models.classifiers.protocol import Classified, Classifier, Input
from abalo.models.specs import Adapter

NEAR = 4
"""Words on each side of an aspect that are near it."""


def marked(sentence: str, aspect: str) -> str:
    """The sentence, and behind it the words near the first place of the aspect, each with a sign before it.

    A linear classifier of texts reads it: a word near the aspect is another feature than the same word anywhere.
    """
    found = re.search(re.escape(aspect), sentence)
    if not aspect or found is None:
        return sentence
    before, after = _words(sentence[: found.start()])[-NEAR:], _words(sentence[found.end() :])[:NEAR]
    return " ".join((sentence, *(f"near_{word}" for word in (*before, "ASPECT", *after))))


def _words(text: str) -> list[str]:
    """The words of a text, and no marks."""
    return [token for token in running_text(text).tokens if token[0].isalnum()] if text.strip() else []


class NearClassifier:
    """A `Classifier` of sentences with an aspect, around one of texts."""

    black_box = False

    def __init__(self, texts: Classifier) -> None:
        self._texts = texts
        self.name, self.fingerprint, self.labels = texts.name, texts.fingerprint, texts.labels
        self.mask_token, self.device, self.settings = texts.mask_token, texts.device, texts.settings

    def predict(self, texts: Sequence[Input]) -> list[Classified]:
        """The polarity of each aspect, in order."""
        return self._texts.predict([marked(*each) if isinstance(each, tuple) else each for each in texts])


ADAPTER: Adapter[Classifier] = Adapter(
    lambda spec: spec.endswith(linear.SUFFIX) and expanded(spec).is_file(),
    lambda spec, options: NearClassifier(linear.load(spec, options)),
)
"""Reads the weights in a ``.npz`` file."""
