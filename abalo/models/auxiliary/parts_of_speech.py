"""Parts of speech by spaCy, with the corpus tokenization."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from abalo.errors import AbaloError
from abalo.models.networks.local_files import folder_hash
from abalo.models.networks.silence import quiet
from abalo.models.tokens.pipeline_labels import UNKNOWN
from abalo.models.tokens.spacy import PREFIX, open_pipeline, read
from perturbations import Sentence

NOT_NEEDED = ("ner", "entity_ruler", "lemmatizer", "trainable_lemmatizer")


class SpacyPartsOfSpeech:
    """Universal POS tags; ``name`` ends in a hash of the files."""

    def __init__(self, spec: str, pipeline: Any) -> None:
        self._spec = spec
        self._pipeline = pipeline
        self.name = "spaCy {lang}_{name} {version}".format(**pipeline.meta) + f" ({folder_hash(pipeline.path)})"

    def of(self, sentences: Sequence[Sentence]) -> list[tuple[str, ...]]:
        """One tag per token."""
        with quiet():
            found = [tuple(word.pos_ for word in doc) for doc in read(self._spec, self._pipeline, sentences)]
        if any(found) and not any(map(any, found)):
            raise AbaloError(
                f"{self._spec}: gives no parts of speech; its components are "
                f"{', '.join(self._pipeline.pipe_names) or 'none'}: expected a tagger or morphologizer among them"
            )
        return [tuple(tag or UNKNOWN for tag in tags) for tags in found]

    def features(self, sentences: Sequence[Sentence]) -> list[tuple[Mapping[str, str], ...]]:
        """Features of each token."""
        with quiet():
            found: list[tuple[Mapping[str, str], ...]] = [
                tuple(word.morph.to_dict() for word in doc) for doc in read(self._spec, self._pipeline, sentences)
            ]
        if any(found) and not any(map(any, found)):
            raise AbaloError(
                f"{self._spec}: gives no morphological features; its components are "
                f"{', '.join(self._pipeline.pipe_names) or 'none'}: expected a morphologizer among them"
            )
        return found


def load_spacy(target: str) -> SpacyPartsOfSpeech:
    """Loads a folder or installed package."""
    spec = f"{PREFIX}{target}"
    return SpacyPartsOfSpeech(spec, open_pipeline(spec, target, NOT_NEEDED))
