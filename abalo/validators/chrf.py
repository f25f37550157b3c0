"""chrF as a validator."""

from __future__ import annotations

from abalo.corpora import Corpus
from abalo.validators.translation import against_original, metrics_of
from abalo.validators.validator import NoSettings, Plain, Validator
from perturbations import Sentence


def prepare(_corpus: Corpus, _settings: NoSettings) -> Plain:
    """Sentence chrF by sacreBLEU, scaled to 0 to 1: F2 of character 1- to 6-grams without white space.

    [TextFlint, catalogue name "TranslateScore"]
    """
    return against_original("chrF", metrics_of("chrf").CHRF(), _text)


def _text(sentence: Sentence) -> str:
    return sentence.text


VALIDATOR = Validator("chrf", NoSettings, "min", prepare)
