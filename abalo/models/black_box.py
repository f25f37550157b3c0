"""Any Python callable as a model: ``module:factory``, where ``factory()`` returns one of three things.

* a function from a list of token lists to a list of tag lists, in BIO where entities are judged;
* an object with ``labels`` and ``scores(batch)``, which gives a (tokens × labels) array of floats for each token list;
* an object with ``entities(texts)``, which gives a list of character spans ``(start, end, type)`` for each raw text;
  only where labels are about spans.

``labels``, ``mask_token``, ``name``, ``version`` and ``fingerprint`` are read from the result, where they are present.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from abalo.errors import AbaloError
from abalo.models.labels import Labelling
from abalo.models.options import ModelOptions
from abalo.models.prediction import Prediction
from abalo.models.readers import Reader, ScoreReader, SpanReader, TagReader, Tags
from abalo.models.user_code import OnProgress, UserCode, identity, in_batches, made_by, mask_token_of, optional_text
from perturbations import Sentence

BATCH = 32
"""Sentences in one call."""


class BlackBoxModel:
    """A `TokenModel` around a user's own code, called with batches of one fixed size, sorted by length."""

    def __init__(
        self,
        name: str,
        fingerprint: str,
        mask_token: str | None,
        reader: Reader,
        settings: Mapping[str, str | bool],
        version: str | None = None,
    ) -> None:
        self._reader = reader
        self.name = name
        self.fingerprint = fingerprint
        self.version = version
        self.labels = reader.labels
        self.mask_token = mask_token
        self.device = "unknown"
        self.reads_text = reader.reads_text
        self.settings: dict[str, str | int | float | bool | None] = {**settings}
        no_scores = np.zeros((0, len(self.labels)), dtype=np.float32) if isinstance(reader, ScoreReader) else None
        self._nothing = Prediction((), no_scores, windows=0)
        self.on_progress: OnProgress | None = None

    def predict(self, sentences: Sequence[Sentence]) -> list[Prediction]:
        """One prediction per sentence, in order; raises `AbaloError` for whatever goes wrong in the user's code."""
        predictions = [self._nothing] * len(sentences)
        order = sorted((i for i, each in enumerate(sentences) if each.tokens), key=lambda i: len(sentences[i]))
        found = in_batches([sentences[i] for i in order], BATCH, self._reader.predict, self.on_progress)
        for i, prediction in zip(order, found, strict=True):
            predictions[i] = prediction
        return predictions


def load(spec: str, options: ModelOptions) -> BlackBoxModel:
    """The model that the factory called ``spec`` returns; raises `AbaloError` where it cannot be found or used."""
    options.refuse_for("a module:factory model")
    model, code = made_by(spec)
    name = optional_text(model, "name", code) or spec
    reader, interface = _reader(model, code, options)
    fingerprint, version = identity(model, code, options.model_version)
    fingerprint += "".join(f"+{value}" for value in options.renaming.values())
    settings = {"interface": interface, **options.renaming}
    return BlackBoxModel(name, fingerprint, mask_token_of(model, code), reader, settings, version)


def _reader(model: Any, code: UserCode, options: ModelOptions) -> tuple[Reader, str]:
    labelling = options.labelling
    labels = _optional_labels(model, code, labelling)
    columns = None if labels is None else options.columns(labels, code.spec)
    scores, entities = code.attribute(model, "scores"), code.attribute(model, "entities")
    if callable(scores):
        if columns is None:
            raise AbaloError(
                f"model {code.spec}: has scores() but no labels; give it labels, one for each column of scores"
            )
        return ScoreReader(code, scores, columns), "scores"
    tags = Tags(code, options, () if columns is None else columns.labels)
    if callable(entities) and labelling.has_spans:
        return SpanReader(code, entities, tags), "entities"
    if callable(model):
        return TagReader(code, model, tags), "tags"
    expected = "a function from token lists to tag lists, or an object with labels and scores(batch)"
    if callable(entities):
        raise AbaloError(
            f"model {code.spec}: has entities(texts), which gives spans of text, but here every token has a label of "
            f"its own; return {expected}"
        )
    if labelling.has_spans:
        expected += ", or one with entities(texts)"
    raise AbaloError(f"model {code.spec}: the factory returned {type(model).__name__}; expected {expected}")


def _optional_labels(model: Any, code: UserCode, labelling: Labelling) -> list[str] | None:
    labels = code.attribute(model, "labels")
    if labels is None:
        return None
    listed = isinstance(labels, Sequence) and not isinstance(labels, str) and all(isinstance(e, str) for e in labels)
    if not listed or not labels:
        raise AbaloError(
            f"model {code.spec}: its labels are {labels!r}; expected a list such as {list(labelling.example)}"
        )
    return list(labels)
