"""The linear tagger as a model."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from abalo.files import expand_home, read_bytes
from abalo.models.labelling.columns import Columns
from abalo.models.labelling.prediction import Prediction
from abalo.models.options import ModelOptions
from abalo.models.specs import Adapter
from abalo.models.tokens.linear import LinearTagger
from abalo.models.tokens.protocol import TokenModel
from perturbations import Sentence

SUFFIX = ".npz"

BATCH = 256


class LinearModel:
    """A `TokenModel` with scores from a weights file; it ignores white space."""

    mask_token: str | None = None
    device = "cpu"
    reads_text = False
    black_box = False

    def __init__(
        self, name: str, tagger: LinearTagger, columns: Columns, digest: str, settings: dict[str, Any]
    ) -> None:
        self.name = name
        self.fingerprint = digest
        self.labels = columns.labels
        self.settings = settings
        self.on_progress: Callable[[int, int], None] | None = None
        self._tagger = tagger
        self._columns = columns

    def predict(self, sentences: Sequence[Sentence]) -> list[Prediction]:
        found: list[Prediction] = []
        for start in range(0, len(sentences), BATCH):
            for scores in self._tagger.scores([each.tokens for each in sentences[start : start + BATCH]]):
                folded, tags = self._columns.read(scores)
                found.append(Prediction(tuple(tags), folded, inputs=int(bool(tags))))
            if self.on_progress is not None:
                self.on_progress(len(found), len(sentences))
        return found


def load(spec: str, options: ModelOptions) -> LinearModel:
    """The tagger from `LinearTagger.save`. Raises AbaloError."""
    options.refuse_for("a linear tagger")
    options.refuse_version("a linear tagger")
    path = expand_home(spec)
    tagger = LinearTagger.load(path)
    columns = options.columns(tagger.labels, spec)
    digest = hashlib.blake2b(read_bytes(path) + repr(columns).encode(), digest_size=16).hexdigest()
    return LinearModel(spec, tagger, columns, digest, {"interface": "linear", **options.renaming})


ADAPTER: Adapter[TokenModel] = Adapter(lambda spec: spec.endswith(SUFFIX), load)
