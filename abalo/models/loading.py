"""A model of tokens by its spec: a folder or a graph, ``spacy:NAME``, ``module:factory`` or a hub id."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from abalo.core.options import RunOptions
from abalo.models import black_box, exported, hugging_face, spacy
from abalo.models.labels import BIO, Labelling
from abalo.models.only_types import OnlyTypes
from abalo.models.options import ModelOptions
from abalo.models.protocol import TokenModel
from abalo.models.specs import FOLDER, Adapter, Loader, settings_of

TOKENS: Loader[TokenModel] = Loader(
    black_box.load, hugging_face.load, {FOLDER: hugging_face.load, exported.SUFFIX: hugging_face.load}
)
SPACY: Adapter[TokenModel] = Adapter(lambda spec: spec.startswith(spacy.PREFIX), spacy.load)


def load(spec: str, *, adapters: Sequence[Adapter[TokenModel]] = (), **settings: Any) -> TokenModel:
    """The model called ``spec``, ready to predict; the ``settings`` are the fields of `ModelOptions`.

    ``adapters`` are those of a task, tried before those of all. Raises `AbaloError` that names the problem of the model
    or of a setting.
    """
    return TOKENS.load(spec, ModelOptions(**settings), (*adapters, SPACY))


def load_as_asked(
    spec: str,
    options: RunOptions,
    corpus_labels: Iterable[str],
    labelling: Labelling = BIO,
    adapters: Sequence[Adapter[TokenModel]] = (),
    types: Sequence[str] | None = None,
) -> TokenModel:
    """The same with the settings of a command line, and refused where the model lacks a label of the corpus.

    ``corpus_labels`` are the labels of the tokens, in BIO with their prefixes; empty for a corpus without labels.
    ``types`` are the entity types that are judged, None for all. Spans are joined where labels have any.
    """
    settings = settings_of(options, labelling, join=labelling.has_spans and options.join)
    model = TOKENS.load(spec, settings, (*adapters, SPACY))
    labelling.check(model.labels, corpus_labels, model.name)
    return model if types is None else OnlyTypes(model, types)
