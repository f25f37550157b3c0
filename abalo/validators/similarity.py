"""Similarity as a validator."""

from __future__ import annotations

from dataclasses import dataclass

from abalo.core.records.configuring import Ranged
from abalo.corpora import Corpus
from abalo.sources.loading import load_similarity
from abalo.validators.validator import Score, Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilaritySettings(Ranged):
    """``source``: "ngrams" compares form, a sentence encoder meaning."""

    source: str = "ngrams"


def prepare(corpus: Corpus, settings: SimilaritySettings) -> Score:
    """Cosine similarity of the source's vectors for original and variant, -1 to 1.

    [TextFlint, catalogue name "SentenceEncoding"]
    """
    return load_similarity(settings.source, corpus.sentences)


VALIDATOR = Validator("similarity", SimilaritySettings, "min", prepare, low=-1.0)
