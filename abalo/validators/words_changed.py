"""How many words of the sentence have changed."""

from __future__ import annotations

from abalo.corpora import Corpus
from abalo.validators.distance import share
from abalo.validators.validator import NoSettings, Plain, Validator
from perturbations import Sentence


def prepare(_corpus: Corpus, _settings: NoSettings) -> Plain:
    """Words replaced, inserted or deleted over those of the longer sentence, 0 to 1.

    Insertions count: a sentence drowned in filler is not the original.
    [TextFlint, catalogue name "MaxWordsPerturbed", to which they are nothing]
    """
    return Plain("words replaced, inserted or deleted, over the longer sentence", of)


def of(original: Sentence, variant: Sentence) -> float:
    """The share of one pair."""
    return share(original.tokens, variant.tokens)


VALIDATOR = Validator("words_changed", NoSettings, "max", prepare)
