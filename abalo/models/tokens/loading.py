"""Token models by spec."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from abalo.core.protocols.options import RunOptions
from abalo.models.generative.models import PromptedTokens
from abalo.models.generative.opening import is_prompted, open_prompted
from abalo.models.labelling.labels import BIO, Labelling
from abalo.models.networks import exported
from abalo.models.options import ModelOptions
from abalo.models.prompts.template import Prompting
from abalo.models.specs import FOLDER, Adapter, Loader, settings_of
from abalo.models.tokens import black_box, hugging_face, spacy
from abalo.models.tokens.only_types import OnlyTypes
from abalo.models.tokens.protocol import TokenModel

TOKENS: Loader[TokenModel] = Loader(
    black_box.load, hugging_face.load, {FOLDER: hugging_face.load, exported.SUFFIX: hugging_face.load}
)
SPACY: Adapter[TokenModel] = Adapter(lambda spec: spec.startswith(spacy.PREFIX), spacy.load)


def _load_prompted(spec: str, options: ModelOptions) -> TokenModel:
    return PromptedTokens(open_prompted(spec, options), spans=options.labelling.has_spans)


PROMPTED: Adapter[TokenModel] = Adapter(is_prompted, _load_prompted, takes_args=True)


def load(spec: str, *, adapters: Sequence[Adapter[TokenModel]] = (), **settings: Any) -> TokenModel:
    """Loads a model; ``settings`` are fields of `ModelOptions`.

    ``adapters`` of a task are tried first.
    """
    return TOKENS.load(spec, ModelOptions(**settings), (*adapters, SPACY, PROMPTED))


def load_as_asked(
    spec: str,
    options: RunOptions,
    corpus_labels: Iterable[str] | Mapping[str, int],
    labelling: Labelling = BIO,
    adapters: Sequence[Adapter[TokenModel]] = (),
    types: Sequence[str] | None = None,
    prompting: Prompting | None = None,
) -> TokenModel:
    """Loads a model with run options and checks its labels.

    ``corpus_labels`` are all labels of the corpus with their prefixes, or their numbers. ``types`` are judged entity
    types; None means all.
    """
    settings = settings_of(options, labelling, join=labelling.has_spans and options.join, prompting=prompting)
    model = TOKENS.load(spec, settings, (*adapters, SPACY, PROMPTED))
    labelling.check(model.labels, corpus_labels, model.name)
    asked = isinstance(model, PromptedTokens)  # for these types alone
    return model if types is None or asked else OnlyTypes(model, types)
