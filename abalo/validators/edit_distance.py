"""How many characters of the text have changed."""

from __future__ import annotations

from abalo.corpora import Corpus
from abalo.validators.distance import share
from abalo.validators.validator import NoSettings, Plain, Validator
from perturbations import Sentence


def prepare(_corpus: Corpus, _settings: NoSettings) -> Plain:
    """The edit distance in characters over those of the longer text, 0 to 1; the white space counts.

    [TextFlint, catalogue name "EditDistance", which gives 1 less the distance over the length of the original]
    """
    return Plain("edit distance in characters, over the longer text", of)


def of(original: Sentence, variant: Sentence) -> float:
    """The share of one pair."""
    return share(original.text, variant.text)


VALIDATOR = Validator("edit_distance", NoSettings, "max", prepare)
