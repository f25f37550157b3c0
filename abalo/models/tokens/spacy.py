"""spaCy pipelines as models, with the corpus tokenization.

``spacy:NAME`` uses entities or universal parts of speech (``token.pos_``), ``spacy:NAME?tag`` finer tags
(``token.tag_``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from abalo.errors import AbaloError
from abalo.files import expand_home, read_bytes
from abalo.models.labelling.joining import join_spans
from abalo.models.labelling.prediction import Prediction
from abalo.models.networks.silence import quiet
from abalo.models.options import ModelOptions
from abalo.models.tokens.pipeline_labels import LabelReader, entities, tags
from perturbations import Sentence
from perturbations.suggestions import did_you_mean

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

PREFIX = "spacy:"

_ATTRIBUTES = ("pos", "tag")


class SpacyModel:
    """A `TokenModel` around a spaCy pipeline, without scores."""

    mask_token: str | None = None
    device: str = "cpu"
    reads_text = True
    black_box = False

    def __init__(self, name: str, pipeline: Language, reader: LabelReader, options: ModelOptions) -> None:
        columns = options.columns(reader.labels, name)
        self._renamed = {own: columns.labels[place] for own, place in zip(reader.labels, columns.columns, strict=True)}
        self._kinds = None if columns.kinds is None else dict(zip(reader.labels, columns.kinds, strict=True))
        self._pipeline = pipeline
        self._reader = reader
        self.name = name
        self.labels = columns.labels
        self.settings: dict[str, str | int | float | bool | None] = {
            "pipeline": "{lang}_{name} {version}".format(**pipeline.meta),
            **options.renaming,
        }
        self.fingerprint = _fingerprint(pipeline, self._renamed, join=options.join)
        self.on_progress: Callable[[int, int], None] | None = None

    def predict(self, sentences: Sequence[Sentence]) -> list[Prediction]:
        predictions = []
        with quiet():
            for sentence, doc in zip(sentences, read(f"model {self.name}", self._pipeline, sentences), strict=True):
                predictions.append(Prediction(self._tags(doc), inputs=int(bool(sentence.tokens))))
                if self.on_progress is not None:
                    self.on_progress(len(predictions), len(sentences))
        return predictions

    def _tags(self, doc: Doc) -> tuple[str, ...]:
        labels = self._reader.of(doc)
        for own in labels:
            if own not in self._renamed:
                raise AbaloError(
                    f"model {self.name}: the pipeline gave the label {own!r}; expected one that its components list: "
                    f"{', '.join(self._renamed)}"
                )
        renamed = tuple(self._renamed[own] for own in labels)
        return renamed if self._kinds is None else join_spans(renamed, [self._kinds[own] for own in labels])


def load(spec: str, options: ModelOptions) -> SpacyModel:
    """Loads the folder or package of ``spacy:NAME``."""
    options.refuse_for("a spaCy pipeline")
    options.refuse_version("a spaCy pipeline")
    target, asks, attribute = spec.removeprefix(PREFIX).partition("?")
    if asks and (options.labelling.has_spans or attribute not in _ATTRIBUTES):
        raise AbaloError(_no_such_attribute(spec, target, attribute, has_spans=options.labelling.has_spans))
    pipeline = open_pipeline(f"model {spec}", target)
    if options.labelling.has_spans:
        return SpacyModel(spec, pipeline, entities(spec, pipeline), options)
    return SpacyModel(spec, pipeline, tags(spec, pipeline, attribute or "pos"), options)


def open_pipeline(spec: str, target: str, exclude: Sequence[str] = ()) -> Language:
    """Opens a folder or package."""
    try:
        import spacy
    except ImportError as error:
        raise AbaloError("the spaCy adapter needs spaCy: pip install 'abalo[spacy]'") from error
    folder = expand_home(target)
    try:
        with quiet():
            return spacy.load(folder if folder.exists() else target, exclude=exclude)
    except (OSError, ValueError, ImportError) as error:
        installed = ", ".join(spacy.util.get_installed_models()) or "none"
        raise AbaloError(
            f"{spec}: spaCy cannot load {target!r} ({str(error).partition('. ')[0]}); installed: {installed}. "
            "Give the folder of a pipeline, or get one with: python -m spacy download NAME"
        ) from error


def read(spec: str, pipeline: Language, sentences: Sequence[Sentence]) -> Iterator[Doc]:
    """The document of each sentence."""
    from spacy.tokens import Doc

    docs = (
        Doc(pipeline.vocab, words=list(each.tokens), spaces=[bool(space) for space in each.spaces])
        for each in sentences
    )
    for sentence, doc in zip(sentences, pipeline.pipe(docs), strict=True):
        if len(doc) != len(sentence):
            raise AbaloError(
                f"{spec}: the pipeline made {len(doc)} tokens of {len(sentence)}; leave out the component "
                f"that merges or splits tokens, one of {', '.join(pipeline.pipe_names)}"
            )
        yield doc


def _no_such_attribute(spec: str, target: str, attribute: str, *, has_spans: bool) -> str:
    if has_spans:
        return f"model {spec}: entities are judged here, so ?{attribute} has no meaning; write {PREFIX}{target}"
    return (
        f"model {spec}: no such attribute {attribute!r}{did_you_mean(attribute, _ATTRIBUTES)}; write {PREFIX}{target} "
        f"for universal parts of speech (token.pos_) or {PREFIX}{target}?tag for the pipeline's own tags (token.tag_)"
    )


def _fingerprint(pipeline: Language, renamed: dict[str, str], *, join: bool) -> str:
    digest = hashlib.blake2b((repr(sorted(renamed.items())) + "joined" * join).encode(), digest_size=16)
    for path in sorted(path for path in pipeline.path.rglob("*") if path.is_file() and path.suffix != ".pyc"):
        digest.update(f"{path.relative_to(pipeline.path)}\x1f".encode())
        digest.update(read_bytes(path))
    return digest.hexdigest()
