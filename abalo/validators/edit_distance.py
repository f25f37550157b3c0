"""Character edit distance as a validator."""

from __future__ import annotations

from abalo.corpora import Corpus
from abalo.validators.distance import share
from abalo.validators.validator import NoSettings, Plain, Validator
from perturbations import Sentence


def prepare(_corpus: Corpus, _settings: NoSettings) -> Plain:
    """Character edit distance divided by the length of the longer text, 0 to 1; white space counts.

    [TextFlint, catalogue name "EditDistance": 1 minus the distance divided by the length of the original]
    """
    return Plain("edit distance in characters, over the longer text", of)


def of(original: Sentence, variant: Sentence) -> float:
    """The share for one pair."""
    return share(original.text, variant.text)


VALIDATOR = Validator("edit_distance", NoSettings, "max", prepare)
