"""Parts of speech by spaCy pipelines, of sentences as they are tokenised in the corpus."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from abalo.errors import AbaloError
from abalo.models.local_files import folder_hash
from abalo.models.silence import quiet
from perturbations import Sentence

NOT_NEEDED = ("ner", "entity_ruler", "lemmatizer", "trainable_lemmatizer")
"""Components that no part of speech hangs on."""
UNKNOWN = "X"
"""The universal tag of a word of which the pipeline says nothing."""


class SpacyPartsOfSpeech:
    """The universal part-of-speech tags that a spaCy pipeline gives. ``name`` ends in a hash of its files."""

    def __init__(self, spec: str, pipeline: Any) -> None:
        self._spec = spec
        self._pipeline = pipeline
        self.name = "spaCy {lang}_{name} {version}".format(**pipeline.meta) + f" ({folder_hash(pipeline.path)})"

    def of(self, sentences: Sequence[Sentence]) -> list[tuple[str, ...]]:
        """For each sentence one tag per token; raises `AbaloError` where there are none or the tokens change."""
        from spacy.tokens import Doc

        docs = (
            Doc(self._pipeline.vocab, words=list(each.tokens), spaces=[bool(space) for space in each.spaces])
            for each in sentences
        )
        with quiet():
            found = [tuple(word.pos_ for word in doc) for doc in self._pipeline.pipe(docs)]
        for sentence, tags in zip(sentences, found, strict=True):
            if len(tags) != len(sentence):
                raise AbaloError(
                    f"{self._spec}: made {len(tags)} tokens of {len(sentence)}; leave out the component that merges or "
                    f"splits tokens, one of {', '.join(self._pipeline.pipe_names)}"
                )
        if any(found) and not any(map(any, found)):
            raise AbaloError(
                f"{self._spec}: gives no parts of speech; its components are "
                f"{', '.join(self._pipeline.pipe_names) or 'none'}: expected a tagger or morphologizer among them"
            )
        return [tuple(tag or UNKNOWN for tag in tags) for tags in found]


def load_spacy(target: str) -> SpacyPartsOfSpeech:
    """The pipeline ``target``, a folder or an installed package; raises `AbaloError`."""
    spec = f"spacy:{target}"
    try:
        import spacy
    except ImportError as error:
        raise AbaloError(f"{spec}: needs spaCy: pip install 'abalo[spacy]'") from error
    folder = Path(target).expanduser()
    try:
        with quiet():
            pipeline = spacy.load(folder if folder.exists() else target, exclude=NOT_NEEDED)
    except (OSError, ValueError, ImportError) as error:
        raise AbaloError(
            f"{spec}: spaCy cannot load it ({str(error).partition('. ')[0]}); installed: "
            f"{', '.join(spacy.util.get_installed_models()) or 'none'}. Give the folder of a pipeline, or get one "
            "with: python -m spacy download NAME"
        ) from error
    return SpacyPartsOfSpeech(spec, pipeline)
