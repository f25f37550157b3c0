"""How alike two sentences are, in form or in meaning."""

from __future__ import annotations

from dataclasses import dataclass

from abalo.core.configuring import Ranged
from abalo.corpora import Corpus
from abalo.sources.loading import load_similarity
from abalo.validators.validator import Score, Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilaritySettings(Ranged):
    """``source`` measures it: "ngrams", which see form, or an encoder of sentences, which sees meaning."""

    source: str = "ngrams"


def prepare(corpus: Corpus, settings: SimilaritySettings) -> Score:
    """The cosine of what the source makes of both, -1 to 1.

    [TextFlint, catalogue name "SentenceEncoding"]
    """
    return load_similarity(settings.source, corpus.sentences)


VALIDATOR = Validator("similarity", SimilaritySettings, "min", prepare, low=-1.0)
