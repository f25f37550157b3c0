"""chrF of the variant, the original being the reference."""

from __future__ import annotations

from abalo.corpora import Corpus
from abalo.validators.translation import against_original, metrics_of
from abalo.validators.validator import NoSettings, Plain, Validator
from perturbations import Sentence


def prepare(_corpus: Corpus, _settings: NoSettings) -> Plain:
    """Sentence chrF by sacreBLEU over a hundred, 0 to 1: F2 of character 1- to 6-grams, white space aside.

    [TextFlint, catalogue name "TranslateScore"]
    """
    return against_original("chrF", metrics_of("chrf").CHRF(), _text)


def _text(sentence: Sentence) -> str:
    return sentence.text


VALIDATOR = Validator("chrf", NoSettings, "min", prepare)
