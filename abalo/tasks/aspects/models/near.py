"""A linear aspect classifier that weights words near the aspect separately."""

from __future__ import annotations

import re
from collections.abc import Sequence

from abalo.corpora.running_text import running_text
from abalo.files import expand_home
from abalo.models.classifiers import linear
from abalo.models.classifiers.protocol import Classifier
from abalo.models.labelling.classified import Classified, TextInput
from abalo.models.specs import Adapter

NEAR = 4


def mark_aspect(sentence: str, aspect: str) -> str:
    """The sentence, followed by prefixed copies of the words near the first occurrence of the aspect."""
    found = re.search(re.escape(aspect), sentence)
    if not aspect or found is None:
        return sentence
    before, after = _words(sentence[: found.start()])[-NEAR:], _words(sentence[found.end() :])[:NEAR]
    return " ".join((sentence, *(f"near_{word}" for word in (*before, "ASPECT", *after))))


def _words(text: str) -> list[str]:
    return [token for token in running_text(text).tokens if token[0].isalnum()] if text.strip() else []


class NearClassifier:
    """An aspect `Classifier` around a text classifier."""

    black_box = False

    def __init__(self, texts: Classifier) -> None:
        self._texts = texts
        self.name, self.fingerprint, self.labels = texts.name, texts.fingerprint, texts.labels
        self.mask_token, self.device, self.settings = texts.mask_token, texts.device, texts.settings

    def predict(self, texts: Sequence[TextInput]) -> list[Classified]:
        return self._texts.predict([mark_aspect(*each) if isinstance(each, tuple) else each for each in texts])


ADAPTER: Adapter[Classifier] = Adapter(
    lambda spec: spec.endswith(linear.SUFFIX) and expand_home(spec).is_file(),
    lambda spec, options: NearClassifier(linear.load(spec, options)),
)
