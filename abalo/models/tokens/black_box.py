"""Any callable as a token model: ``module:factory``, where ``factory()`` returns one of four things.

* A function from token lists to tag lists, in BIO for entities.
* An object with ``labels`` and ``scores(batch)``, which returns floats (tokens × labels) per token list.
* An object with ``entities(texts)``, which returns character spans ``(start, end, type)`` per raw text.
* An object with ``replies(prompts)`` (`abalo.models.prompts`).

Optional attributes: ``labels``, ``mask_token``, ``name``, ``version``, ``fingerprint``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from abalo.errors import AbaloError
from abalo.models.generative.models import PromptedTokens
from abalo.models.generative.opening import of_code
from abalo.models.labelling.labels import Labelling
from abalo.models.labelling.prediction import Prediction
from abalo.models.options import ModelOptions
from abalo.models.services.service import Served, Service
from abalo.models.tokens.protocol import TokenModel
from abalo.models.tokens.readers import BoxReader, ScoreReader, SpanReader, TagReader, Tags
from abalo.models.user_code import UserCode, draws_of, made_by, mask_token_of, optional_text
from perturbations import Sentence

BATCH = 32


class BlackBoxModel(Served):
    """A `TokenModel` around user code, called with fixed-size batches sorted by length."""

    def __init__(
        self,
        name: str,
        fingerprint: str,
        mask_token: str | None,
        reader: BoxReader,
        settings: Mapping[str, str | bool],
        service: Service | None = None,
        *,
        draws: bool | None = None,
    ) -> None:
        self._reader = reader
        self.draws = draws
        self.name = name
        self.fingerprint = fingerprint
        self.service = service
        self.version = None if service is None else service.version
        self.labels = reader.labels
        self.mask_token = mask_token
        self.device = "unknown"
        self.reads_text = reader.reads_text
        self.settings: dict[str, str | int | float | bool | None] = {**settings}
        no_scores = np.zeros((0, len(self.labels)), dtype=np.float32) if isinstance(reader, ScoreReader) else None
        self._nothing = Prediction((), no_scores, inputs=0)

    def predict(self, sentences: Sequence[Sentence]) -> list[Prediction]:
        predictions = [self._nothing] * len(sentences)
        order = sorted((i for i, each in enumerate(sentences) if each.tokens), key=lambda i: len(sentences[i]))
        found = self.in_batches([sentences[i] for i in order], BATCH, self._reader.predict)
        for i, prediction in zip(order, found, strict=True):
            predictions[i] = prediction
        return predictions


def load(spec: str, options: ModelOptions) -> TokenModel:
    """Loads a factory's result."""
    options.refuse_for("a module:factory model")
    model, code = made_by(spec.partition("?")[0])
    asked = of_code(spec, model, code, options)
    if asked is not None:
        return PromptedTokens(asked, spans=options.labelling.has_spans)
    name = optional_text(model, "name", code) or spec
    service = Service(model, code, options)
    reader, interface = _reader(model, service, options)
    fingerprint = service.fingerprint + "".join(f"+{value}" for value in options.renaming.values())
    settings = {"interface": interface, **options.renaming}
    mask_token, draws = mask_token_of(model, code), draws_of(model, code)
    return BlackBoxModel(name, fingerprint, mask_token, reader, settings, service, draws=draws)


def _reader(model: object, service: Service, options: ModelOptions) -> tuple[BoxReader, str]:
    code = service.code
    labelling = options.labelling
    labels = _optional_labels(model, code, labelling)
    columns = None if labels is None else options.columns(labels, code.spec)
    scores, entities = code.attribute(model, "scores"), code.attribute(model, "entities")
    if callable(scores):
        if columns is None:
            raise AbaloError(
                f"model {code.spec}: has scores() but no labels; give it labels, one for each column of scores"
            )
        return ScoreReader(service, scores, columns), "scores"
    tags = Tags(code, options, () if columns is None else columns.labels)
    if callable(entities) and labelling.has_spans:
        return SpanReader(service, entities, tags), "entities"
    if callable(model):
        return TagReader(service, model, tags), "tags"
    expected = "a function from token lists to tag lists, or an object with labels and scores(batch)"
    if callable(entities):
        raise AbaloError(
            f"model {code.spec}: has entities(texts), which gives spans of text, but here every token has a label of "
            f"its own; return {expected}"
        )
    if labelling.has_spans:
        expected += ", or one with entities(texts)"
    raise AbaloError(f"model {code.spec}: the factory returned {type(model).__name__}; expected {expected}")


def _optional_labels(model: object, code: UserCode, labelling: Labelling) -> list[str] | None:
    labels = code.attribute(model, "labels")
    if labels is None:
        return None
    listed = isinstance(labels, Sequence) and not isinstance(labels, str) and all(isinstance(e, str) for e in labels)
    if not listed or not labels:
        raise AbaloError(
            f"model {code.spec}: its labels are {labels!r}; expected a list such as {list(labelling.example)}"
        )
    return list(labels)
