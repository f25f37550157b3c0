"""Parsers by spec."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from abalo.bundled import bundled_path
from abalo.core.protocols.options import RunOptions
from abalo.corpora.findings import show_value
from abalo.errors import AbaloError
from abalo.files import expand_home, read_bytes
from abalo.models.labelling.labels import CLASSES
from abalo.models.networks.local_files import folder_hash
from abalo.models.networks.silence import quiet
from abalo.models.options import ModelOptions
from abalo.models.parsers.protocol import Parse, ParsingModel
from abalo.models.parsers.transitions import ParsedTree, TransitionParser
from abalo.models.services.service import Served, Service
from abalo.models.specs import Adapter, Loader, settings_of
from abalo.models.tokens import spacy
from abalo.models.tokens.linear import LinearTagger
from abalo.models.user_code import made_by, optional_text
from perturbations import Sentence
from perturbations.suggestions import did_you_mean

SHIPPED, TAGGER = "fixtures/parsing-pt/weights.npz", "fixtures/pos-pt/weights.npz"
STANZA = "stanza:"
BATCH = 256


class LoadedParser(Served):
    """A `ParsingModel` around a function."""

    device = "cpu"

    def __init__(
        self,
        name: str,
        fingerprint: str,
        trees: Callable[[Sequence[Sentence]], Sequence[object]],
        settings: Mapping[str, object],
        *,
        labels: tuple[str, ...] = (),
        black_box: bool = False,
        version: str | None = None,
        service: Service | None = None,
    ) -> None:
        self.name, self.fingerprint, self.labels, self.settings = name, fingerprint, labels, dict(settings)
        self.black_box, self.version = black_box, version
        self.service = service
        self._trees = trees
        self._renaming: Mapping[str, str] = {}

    def rename(self, renaming: Mapping[str, str]) -> None:
        """Gives relations the names of the label map; raises `AbaloError` for relations that the model lacks."""
        unknown = [each for each in renaming if self.labels and each not in self.labels]
        if unknown:
            raise AbaloError(
                f"model {self.name}: the label map renames {unknown[0]!r}, no relation of the model"
                f"{did_you_mean(unknown[0], self.labels)}; it has {', '.join(self.labels)}"
            )
        self._renaming = renaming
        self.labels = tuple(dict.fromkeys(renaming.get(each, each) for each in self.labels))
        self.settings["label_map"] = ",".join(f"{own}={label}" for own, label in renaming.items())
        self.fingerprint += f"+{self.settings['label_map']}"

    def predict(self, sentences: Sequence[Sentence]) -> list[Parse]:
        return self.in_batches(sentences, BATCH, self._parsed)

    def _parsed(self, sentences: Sequence[Sentence]) -> list[Parse]:
        made = self._trees(sentences)
        if not isinstance(made, Sequence) or isinstance(made, str) or len(made) != len(sentences):
            size = f"{len(made)} trees" if isinstance(made, Sequence) else type(made).__name__
            raise AbaloError(
                f"model {self.name}: gave {size} for {len(sentences)} sentences; expected a list with one each"
            )
        return [self._one(tree, len(sentence)) for tree, sentence in zip(made, sentences, strict=True)]

    def _one(self, tree: object, words: int) -> Parse:
        if not isinstance(tree, Sequence) or len(tree) != 2 or not all(hasattr(each, "__len__") for each in tree):
            raise AbaloError(f"model {self.name}: gave {show_value(tree)}; expected a pair (heads, relations)")
        heads, relations = (list(each) for each in tree)
        if len(heads) != words or len(relations) != words:
            raise AbaloError(
                f"model {self.name}: gave {len(heads)} heads and {len(relations)} relations for {words} words; "
                "expected one of each for each word"
            )
        for place, head in enumerate(heads):
            whole = isinstance(head, int | np.integer) and not isinstance(head, bool)
            if not whole or not 0 <= head <= words or head == place + 1:
                raise AbaloError(
                    f"model {self.name}: gave word {place + 1} of {words} the head {show_value(head)}; expected the "
                    "number of another word, counted from 1, or 0 for the root"
                )
        if not all(isinstance(relation, str) and relation and relation.isprintable() for relation in relations):
            raise AbaloError(f"model {self.name}: gave {show_value(relations)}; expected a relation for each word")
        renamed = tuple(self._renaming.get(relation, relation) for relation in relations)
        return Parse(tuple(int(head) - 1 for head in heads), renamed, inputs=int(bool(words)))


def _counted_from_1(tree: ParsedTree) -> tuple[list[int], tuple[str, ...]]:
    heads, relations = tree
    return [head + 1 for head in heads], relations


def _words(sentences: Sequence[Sentence]) -> list[list[str]]:
    return [list(each.tokens) for each in sentences]


def _digest(*contents: bytes) -> str:
    return hashlib.blake2b(b"\x1f".join(contents), digest_size=16).hexdigest()


def load_weights(spec: str, options: ModelOptions) -> LoadedParser:
    """The parser in a ``.npz`` file, with tags of the bundled tagger."""
    options.refuse_for("a transition parser")
    options.refuse_version("a transition parser")
    path, tagger_path = expand_home(spec), bundled_path(TAGGER)
    parser, tagger = TransitionParser.load(path), LinearTagger.load(tagger_path)

    def trees(sentences: Sequence[Sentence]) -> Sequence[Any]:
        words = _words(sentences)
        return [_counted_from_1(tree) for tree in parser.parse(words, tagger.tags(words))]

    digest = _digest(read_bytes(path), read_bytes(tagger_path))
    return LoadedParser(spec, digest, trees, {"interface": "transitions"}, labels=parser.relations)


def load_code(spec: str, options: ModelOptions) -> LoadedParser:
    """Loads ``module:factory``, a function from word lists to (heads, relations)."""
    options.refuse_for("a module:factory model")
    function, code = made_by(spec)
    if not callable(function):
        raise AbaloError(
            f"model {spec}: the factory returned {type(function).__name__}; expected a function from a list of lists "
            "of words to a list of (heads, relations)"
        )
    service = Service(function, code, options)

    def trees(sentences: Sequence[Sentence]) -> Sequence[Any]:
        made: Sequence[Any] = service.ask("parsing", function, _words(sentences))
        return made

    name = optional_text(function, "name", code) or spec
    return LoadedParser(name, service.fingerprint, trees, {}, black_box=True, version=service.version, service=service)


def load_spacy(spec: str, options: ModelOptions) -> LoadedParser:
    """Loads a spaCy folder or package."""
    options.refuse_for("a spaCy pipeline")
    options.refuse_version("a spaCy pipeline")
    pipeline = spacy.open_pipeline(f"model {spec}", spec.removeprefix(spacy.PREFIX))
    if "parser" not in pipeline.pipe_names:
        held = ", ".join(pipeline.pipe_names) or "none"
        raise AbaloError(f"model {spec}: the pipeline has no component parser; its components are {held}")

    def trees(sentences: Sequence[Sentence]) -> Sequence[Any]:
        with quiet():
            return [_of_doc(doc) for doc in spacy.read(f"model {spec}", pipeline, sentences)]

    settings = {"pipeline": "{lang}_{name} {version}".format(**pipeline.meta)}
    labels = tuple(pipeline.pipe_labels["parser"])
    return LoadedParser(spec, folder_hash(pipeline.path), trees, settings, labels=labels)


def _of_doc(doc: Any) -> tuple[list[int], list[str]]:
    heads = [0 if word.head.i == word.i else word.head.i + 1 for word in doc]
    return heads, ["root" if word.dep_ == "ROOT" else word.dep_ or "dep" for word in doc]


def load_stanza(spec: str, options: ModelOptions) -> LoadedParser:
    """Loads ``stanza:LANG`` for tokenized text."""
    options.refuse_for("a Stanza pipeline")
    try:
        import stanza
    except ImportError as error:
        raise AbaloError("the Stanza adapter needs Stanza: pip install 'abalo[stanza]'") from error
    language = spec.removeprefix(STANZA)
    try:
        pipeline = stanza.Pipeline(
            language,
            processors="tokenize,pos,lemma,depparse",
            tokenize_pretokenized=True,
            download_method=None,
            verbose=False,
        )
    except Exception as error:
        raise AbaloError(
            f"model {spec}: Stanza cannot load {language!r}: {error}; get its models with "
            f"python -c 'import stanza; stanza.download({language!r})'"
        ) from error

    def trees(sentences: Sequence[Sentence]) -> Sequence[Any]:
        found = pipeline(_words(sentences)).sentences
        return [([word.head for word in each.words], [word.deprel for word in each.words]) for each in found]

    version = getattr(stanza, "__version__", "")
    own = f"{spec} {version} {options.model_version or ''}".encode()
    return LoadedParser(spec, _digest(own), trees, {"stanza": version}, black_box=True, version=options.model_version)


def _refuse(spec: str, _options: ModelOptions) -> LoadedParser:
    raise AbaloError(
        f"model {spec}: is no parser; expected a file .npz of fixtures/train_parser.py, module:factory, "
        "spacy:NAME or stanza:LANG"
    )


_LOADER: Loader[LoadedParser] = Loader(load_code, _refuse, {".npz": load_weights})
_ADAPTERS: Sequence[Adapter[LoadedParser]] = (
    Adapter(lambda spec: spec.startswith(spacy.PREFIX), load_spacy),
    Adapter(lambda spec: spec.startswith(STANZA), load_stanza),
)


def load(spec: str | None, options: RunOptions) -> ParsingModel:
    """Loads a parser, or the bundled one for None."""
    path = str(bundled_path(SHIPPED)) if spec is None else spec
    settings = settings_of(options, CLASSES)
    model = _LOADER.load(path, settings, _ADAPTERS)
    if settings.label_map:
        model.rename(settings.label_map)
    return model
