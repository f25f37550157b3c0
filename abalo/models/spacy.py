"""spaCy pipelines, given sentences as they are tokenised in the corpus."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from abalo.errors import AbaloError
from abalo.models.labels import OUTSIDE, bio_columns
from abalo.models.options import ModelOptions
from abalo.models.silence import quiet
from abalo.models.prediction import Prediction
from perturbations import Sentence

PREFIX = "spacy:"


class SpacyModel:
    """A `TokenModel` around a spaCy pipeline; it gives tags and no scores, and sees whether a space follows a token."""

    mask_token: str | None = None
    device: str = "cpu"
    reads_text = True

    def __init__(self, name: str, pipeline: Any, options: ModelOptions) -> None:
        own_labels = [OUTSIDE, *(f"{position}-{kind}" for kind in _entity_types(name, pipeline) for position in "BI")]
        columns = bio_columns(own_labels, options.label_map, name)
        self._renamed = {own: columns.labels[place] for own, place in zip(own_labels, columns.columns, strict=True)}
        self._pipeline = pipeline
        self.name = name
        self.labels = columns.labels
        self.settings: dict[str, str | int | float | bool | None] = {
            "pipeline": "{lang}_{name} {version}".format(**pipeline.meta)
        }
        self.fingerprint = _fingerprint(pipeline, self._renamed)
        self.on_progress: Callable[[int, int], None] | None = None

    def predict(self, sentences: Sequence[Sentence]) -> list[Prediction]:
        """One prediction per sentence, in order; raises `AbaloError` where the pipeline changes the tokens."""
        predictions = []
        with quiet():
            for sentence, doc in zip(sentences, read(f"model {self.name}", self._pipeline, sentences), strict=True):
                predictions.append(Prediction(self._tags(sentence, doc), windows=int(bool(sentence.tokens))))
                if self.on_progress is not None:
                    self.on_progress(len(predictions), len(sentences))
        return predictions

    def _tags(self, sentence: Sentence, doc: Any) -> tuple[str, ...]:
        tags = [OUTSIDE] * len(sentence)
        for entity in doc.ents:
            for i in range(entity.start, entity.end):
                tags[i] = self._renamed[f"{'B' if i == entity.start else 'I'}-{entity.label_}"]
        return tuple(tags)


def load(name: str, options: ModelOptions) -> SpacyModel:
    """The pipeline that ``spacy:NAME`` calls NAME, a folder or an installed package; raises `AbaloError`."""
    options.refuse_for("a spaCy pipeline")
    return SpacyModel(name, open_pipeline(f"model {name}", name.removeprefix(PREFIX)), options)


def open_pipeline(asked: str, target: str, exclude: Sequence[str] = ()) -> Any:
    """The pipeline ``target``, a folder or an installed package; raises `AbaloError`, beginning with ``asked``."""
    try:
        import spacy
    except ImportError as error:
        raise AbaloError("the spaCy adapter needs spaCy: pip install 'abalo[spacy]'") from error
    folder = Path(target).expanduser()
    try:
        with quiet():
            return spacy.load(folder if folder.exists() else target, exclude=exclude)
    except (OSError, ValueError, ImportError) as error:
        installed = ", ".join(spacy.util.get_installed_models()) or "none"
        raise AbaloError(
            f"{asked}: spaCy cannot load {target!r} ({str(error).partition('. ')[0]}); installed: {installed}. "
            "Give the folder of a pipeline, or get one with: python -m spacy download NAME"
        ) from error


def read(asked: str, pipeline: Any, sentences: Sequence[Sentence]) -> Iterator[Any]:
    """What the pipeline makes of each sentence; raises `AbaloError`, beginning with ``asked``, for other tokens."""
    from spacy.tokens import Doc

    docs = (
        Doc(pipeline.vocab, words=list(each.tokens), spaces=[bool(space) for space in each.spaces])
        for each in sentences
    )
    for sentence, doc in zip(sentences, pipeline.pipe(docs), strict=True):
        if len(doc) != len(sentence):
            raise AbaloError(
                f"{asked}: the pipeline made {len(doc)} tokens of {len(sentence)}; leave out the component "
                f"that merges or splits tokens, one of {', '.join(pipeline.pipe_names)}"
            )
        yield doc


def _entity_types(name: str, pipeline: Any) -> list[str]:
    finders = [pipe for pipe in pipeline.pipe_names if "doc.ents" in pipeline.get_pipe_meta(pipe).assigns]
    types = sorted({kind for pipe in finders for kind in pipeline.pipe_labels.get(pipe, ())})
    if not types:
        raise AbaloError(
            f"model {name}: no component finds entities; the pipeline has {', '.join(pipeline.pipe_names) or 'none'}"
        )
    return types


def _fingerprint(pipeline: Any, renamed: dict[str, str]) -> str:
    """BLAKE2b digest of the pipeline's files and of its renamed labels, 32 hexadecimal digits."""
    digest = hashlib.blake2b(repr(sorted(renamed.items())).encode(), digest_size=16)
    for path in sorted(path for path in pipeline.path.rglob("*") if path.is_file() and path.suffix != ".pyc"):
        digest.update(f"{path.relative_to(pipeline.path)}\x1f".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
