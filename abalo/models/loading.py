"""A model by its spec: a folder or a graph, ``spacy:NAME``, ``module:factory`` or a hub id, in this order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from abalo.core.options import RunOptions
from abalo.errors import AbaloError
from abalo.files import expanded
from abalo.models import black_box, exported, hugging_face, spacy
from abalo.models.label_maps import parse_label_map
from abalo.models.labels import BIO, Labelling
from abalo.models.only_types import OnlyTypes
from abalo.models.options import OF_A_RUN, ModelOptions
from abalo.models.protocol import TokenModel
from perturbations.suggestions import did_you_mean_path


@dataclass(frozen=True, slots=True)
class Adapter:
    """A kind of model: whether a spec means one, and how it is loaded."""

    recognises: Callable[[str], bool]
    load: Callable[[str, ModelOptions], TokenModel]


def _exists(spec: str) -> bool:
    return bool(spec.strip()) and expanded(spec).exists()


def _load_path(spec: str, options: ModelOptions) -> TokenModel:
    path = expanded(spec)
    if path.suffix == ".py":
        raise AbaloError(f"model {spec}: is a Python file; name the factory in it too: {spec}:make_model")
    if not path.is_dir() and path.suffix != exported.SUFFIX:
        raise AbaloError(
            f"model {spec}: is a file; expected the folder of a checkpoint, as save_pretrained writes it, or a graph "
            f"that ends in {exported.SUFFIX}"
        )
    return hugging_face.load(spec, options)


def _looks_like_a_path(spec: str) -> bool:
    named = spec.startswith((".", "/", "~")) or spec.endswith(exported.SUFFIX)
    return named or "\\" in spec or spec.count("/") > 1 or not spec.strip()


def _refuse_path(spec: str, _: ModelOptions) -> TokenModel:
    raise AbaloError(f"model {spec!r}: no such {_kind(spec)}{did_you_mean_path(expanded(spec))}")


def _kind(spec: str) -> str:
    return "file" if spec.endswith(exported.SUFFIX) else "folder"


ADAPTERS = (
    Adapter(_exists, _load_path),
    Adapter(lambda spec: spec.startswith(spacy.PREFIX), spacy.load),
    Adapter(lambda spec: ":" in spec, black_box.load),
    Adapter(_looks_like_a_path, _refuse_path),
    Adapter(lambda _: True, hugging_face.load),
)
"""The adapters of all tasks; the first one that recognises a spec loads it."""


def load(
    spec: str,
    *,
    device: str = "auto",
    dtype: str = "fp32",
    aggregation: str = "mean",
    label_map: Mapping[str, str] | None = None,
    allow_pickle: bool = False,
    trust_remote_code: bool = False,
    max_length: int = 256,
    stride: int = 64,
    labelling: Labelling = BIO,
    model_version: str | None = None,
    join: bool = False,
    adapters: Sequence[Adapter] = (),
) -> TokenModel:
    """The model called ``spec``, ready to predict; the settings are those of `ModelOptions`.

    ``adapters`` are those of a task, tried before those of all. Raises `AbaloError` that names the problem of the model
    or of a setting.
    """
    options = ModelOptions(
        device,
        dtype,
        aggregation,
        label_map,
        allow_pickle,
        trust_remote_code,
        max_length,
        stride,
        labelling,
        model_version,
        join,
    )
    return next(adapter for adapter in (*adapters, *ADAPTERS) if adapter.recognises(spec)).load(spec, options)


def load_as_asked(
    spec: str,
    options: RunOptions,
    corpus_labels: Iterable[str],
    labelling: Labelling = BIO,
    adapters: Sequence[Adapter] = (),
    types: Sequence[str] | None = None,
) -> TokenModel:
    """The same with the settings of a command line, and refused where the model lacks a label of the corpus.

    ``options`` has the fields of `ModelOptions` as attributes, but for the labelling, and the label map as text.
    ``corpus_labels`` are the labels of the tokens, in BIO with their prefixes; empty for a corpus without labels.
    ``types`` are the entity types that are judged, None for all. Spans are joined where labels have any.
    """
    settings = {name: getattr(options, name) for name in OF_A_RUN}
    settings["label_map"] = parse_label_map(settings["label_map"]) if settings["label_map"] else None
    settings["join"] = labelling.has_spans and options.join
    model = load(spec, **settings, labelling=labelling, adapters=adapters)
    labelling.check(model.labels, corpus_labels, model.name)
    return model if types is None else OnlyTypes(model, types)
