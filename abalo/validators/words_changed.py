"""Share of words changed as a validator."""

from __future__ import annotations

from abalo.corpora import Corpus
from abalo.validators.distance import share
from abalo.validators.validator import NoSettings, Plain, Validator
from perturbations import Sentence


def prepare(_corpus: Corpus, _settings: NoSettings) -> Plain:
    """Number of replaced, inserted or deleted words, divided by the words of the longer sentence, 0 to 1.

    [TextFlint, catalogue name "MaxWordsPerturbed", which ignores insertions]
    """
    return Plain("words replaced, inserted or deleted, over the longer sentence", of)


def of(original: Sentence, variant: Sentence) -> float:
    """The share for one pair."""
    return share(original.tokens, variant.tokens)


VALIDATOR = Validator("words_changed", NoSettings, "max", prepare)
