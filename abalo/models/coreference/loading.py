"""Coreference models by spec; None for the shipped rules."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from abalo.core.protocols.options import RunOptions
from abalo.core.records.words import count
from abalo.corpora.findings import show_value
from abalo.errors import AbaloError
from abalo.files import read_bytes
from abalo.models.coreference import rules
from abalo.models.coreference.protocol import Cluster, CoreferenceModel, MentionPlace, Resolved
from abalo.models.labelling.labels import CLASSES
from abalo.models.networks.local_files import folder_hash
from abalo.models.networks.silence import quiet
from abalo.models.options import ModelOptions
from abalo.models.services.service import Served, Service
from abalo.models.specs import Adapter, Loader, settings_of
from abalo.models.tokens import spacy
from abalo.models.user_code import made_by, optional_text
from perturbations import Sentence
from perturbations.documents import document_name, sentences_of

BATCH = 64

_SPAN_GROUPS = "coref_clusters"

_ATTRIBUTES = ("coref_clusters", "coref_chains")


class LoadedResolver(Served):
    """A `CoreferenceModel` around a function."""

    device = "cpu"

    def __init__(
        self,
        name: str,
        fingerprint: str,
        clusters: Callable[[Sequence[Sentence]], Sequence[object]],
        settings: Mapping[str, object],
        *,
        black_box: bool = False,
        service: Service | None = None,
    ) -> None:
        self.name, self.fingerprint, self.settings = name, fingerprint, dict(settings)
        self.black_box, self.service = black_box, service
        self.version = None if service is None else service.version
        self._clusters = clusters

    def predict(self, documents: Sequence[Sentence]) -> list[Resolved]:
        return self.in_batches(documents, BATCH, self._resolved)

    def _resolved(self, documents: Sequence[Sentence]) -> list[Resolved]:
        made = self._clusters(documents)
        if not isinstance(made, Sequence) or isinstance(made, str) or len(made) != len(documents):
            size = f"{len(made)} lists" if isinstance(made, list | tuple) else show_value(made)
            raise AbaloError(
                f"model {self.name}: returned {size} for {count(len(documents), 'document')}; expected a list with the "
                "clusters of each document, in order"
            )
        return [self._one(clusters, document) for clusters, document in zip(made, documents, strict=True)]

    def _one(self, clusters: object, document: Sentence) -> Resolved:
        words = len(document)
        told = f"model {self.name}: for document {show_value(document_name(document))}"
        if not isinstance(clusters, Iterable) or isinstance(clusters, str):
            raise AbaloError(f"{told} gave {show_value(clusters)}; expected a list of clusters")
        taken: set[MentionPlace] = set()
        found: list[Cluster] = []
        for cluster in clusters:
            if not isinstance(cluster, Iterable) or isinstance(cluster, str):
                raise AbaloError(f"{told} gave the cluster {show_value(cluster)}; expected a list of pairs")
            own = sorted({_mention_in(words, mention, told) for mention in cluster})
            if twice := next((mention for mention in own if mention in taken), None):
                raise AbaloError(f"{told} put the mention {twice} into two clusters; expected it in one")
            taken.update(own)
            found += [tuple(own)] if own else []
        return Resolved(tuple(sorted(found)), inputs=int(bool(words)))


def _mention_in(words: int, mention: object, told: str) -> MentionPlace:
    pair = list(mention) if isinstance(mention, Iterable) and not isinstance(mention, str) else []
    whole = all(isinstance(each, int | np.integer) and not isinstance(each, bool) for each in pair)
    if len(pair) != 2 or not whole or not 0 <= pair[0] < pair[1] <= words:
        raise AbaloError(
            f"{told} gave the mention {show_value(mention)} of {count(words, 'token')}; expected a pair (start, stop) "
            "with 0 <= start < stop, stop exclusive"
        )
    return int(pair[0]), int(pair[1])


def _sentences(documents: Sequence[Sentence]) -> list[list[list[str]]]:
    return [[list(each.tokens[slice(*part)]) for part in sentences_of(each)] for each in documents]


def load_rules() -> LoadedResolver:
    """The shipped rules for English and Portuguese."""
    digest = hashlib.blake2b(read_bytes(Path(rules.__file__)), digest_size=16).hexdigest()
    return LoadedResolver("rules", digest, lambda documents: [rules.resolve(each) for each in documents], {})


def load_code(spec: str, options: ModelOptions) -> LoadedResolver:
    """Loads ``module:factory``, a function from documents to clusters.

    A document is a list of token lists; a cluster is a list of (start, stop) over its tokens.
    """
    options.refuse_for("a module:factory model")
    function, code = made_by(spec)
    if not callable(function):
        raise AbaloError(
            f"model {spec}: the factory returned {type(function).__name__}; expected a function from a list of "
            "documents, lists of sentences of tokens, to a list of clusters for each"
        )
    service = Service(function, code, options)

    def clusters(documents: Sequence[Sentence]) -> Sequence[Any]:
        names = [show_value(document_name(each)) for each in (*documents[:1], *documents[1:][-1:])]
        doing = f"resolving {count(len(documents), 'document')}, {' to '.join(names)},"
        made: Sequence[Any] = service.ask(doing, function, _sentences(documents))
        return made

    name = optional_text(function, "name", code) or spec
    return LoadedResolver(name, service.fingerprint, clusters, {}, black_box=True, service=service)


def load_spacy(spec: str, options: ModelOptions) -> LoadedResolver:
    """Loads a spaCy pipeline with spaCy's coreference, fastcoref or coreferee."""
    options.refuse_for("a spaCy pipeline")
    options.refuse_version("a spaCy pipeline")
    pipeline = spacy.open_pipeline(f"model {spec}", spec.removeprefix(spacy.PREFIX))
    if not any("coref" in name for name in pipeline.pipe_names):
        held = ", ".join(pipeline.pipe_names) or "none"
        raise AbaloError(
            f"model {spec}: no component of the pipeline finds clusters; expected one with coref in its name, such as "
            f"coref or fastcoref; its components are {held}"
        )

    def clusters(documents: Sequence[Sentence]) -> Sequence[object]:
        with quiet():
            return [list(_of_doc(doc)) for doc in spacy.read(f"model {spec}", pipeline, documents)]

    settings = {"pipeline": "{lang}_{name} {version}".format(**pipeline.meta)}
    return LoadedResolver(spec, folder_hash(pipeline.path), clusters, settings)


def _of_doc(doc: Any) -> Iterator[list[MentionPlace]]:
    groups = sorted(key for key in doc.spans if key.startswith(_SPAN_GROUPS))
    for key in groups:
        yield [(span.start, span.end) for span in doc.spans[key]]
    held = next((name for name in _ATTRIBUTES if not groups and doc.has_extension(name)), None)
    for cluster in getattr(doc._, held, None) or () if held else ():
        yield [mention for each in cluster if (mention := _of_mention(doc, each)) is not None]


def _of_mention(doc: Any, mention: Any) -> MentionPlace | None:
    if hasattr(mention, "token_indexes"):
        return min(mention.token_indexes), max(mention.token_indexes) + 1
    span = doc.char_span(*mention, alignment_mode="expand")
    return None if span is None else (span.start, span.end)


def _refuse(spec: str, _options: ModelOptions) -> LoadedResolver:
    raise AbaloError(f"model {spec}: is no model of coreference; expected module:factory or spacy:NAME")


_LOADER: Loader[CoreferenceModel] = Loader(load_code, _refuse, {})
_ADAPTERS: Sequence[Adapter[CoreferenceModel]] = (Adapter(lambda spec: spec.startswith(spacy.PREFIX), load_spacy),)


def load(spec: str | None, options: RunOptions) -> CoreferenceModel:
    """Loads a model, or the shipped rules for None."""
    return load_rules() if spec is None else _LOADER.load(spec, settings_of(options, CLASSES), _ADAPTERS)
