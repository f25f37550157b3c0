"""Parts of speech by spaCy pipelines, of sentences as they are tokenised in the corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from abalo.errors import AbaloError
from abalo.models.local_files import folder_hash
from abalo.models.silence import quiet
from abalo.models.spacy import PREFIX, open_pipeline, read
from abalo.models.spacy_labels import UNKNOWN
from perturbations import Sentence

NOT_NEEDED = ("ner", "entity_ruler", "lemmatizer", "trainable_lemmatizer")
"""Components that no part of speech depends on."""


class SpacyPartsOfSpeech:
    """The universal part-of-speech tags that a spaCy pipeline gives. ``name`` ends in a hash of its files."""

    def __init__(self, spec: str, pipeline: Any) -> None:
        self._spec = spec
        self._pipeline = pipeline
        self.name = "spaCy {lang}_{name} {version}".format(**pipeline.meta) + f" ({folder_hash(pipeline.path)})"

    def of(self, sentences: Sequence[Sentence]) -> list[tuple[str, ...]]:
        """For each sentence one tag per token; raises `AbaloError` where there are none or the tokens change."""
        with quiet():
            found = [tuple(word.pos_ for word in doc) for doc in read(self._spec, self._pipeline, sentences)]
        if any(found) and not any(map(any, found)):
            raise AbaloError(
                f"{self._spec}: gives no parts of speech; its components are "
                f"{', '.join(self._pipeline.pipe_names) or 'none'}: expected a tagger or morphologizer among them"
            )
        return [tuple(tag or UNKNOWN for tag in tags) for tags in found]

    def features(self, sentences: Sequence[Sentence]) -> list[tuple[Mapping[str, str], ...]]:
        """For each sentence the features of each token; raises `AbaloError` as `of` does."""
        with quiet():
            found = [tuple(word.morph.to_dict() for word in doc) for doc in read(self._spec, self._pipeline, sentences)]
        if any(found) and not any(map(any, found)):
            raise AbaloError(
                f"{self._spec}: gives no morphological features; its components are "
                f"{', '.join(self._pipeline.pipe_names) or 'none'}: expected a morphologizer among them"
            )
        return found


def load_spacy(target: str) -> SpacyPartsOfSpeech:
    """The pipeline ``target``, a folder or an installed package; raises `AbaloError`."""
    spec = f"{PREFIX}{target}"
    return SpacyPartsOfSpeech(spec, open_pipeline(spec, target, NOT_NEEDED))
