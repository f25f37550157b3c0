"""BLEU of the variant, the original being the reference."""

from __future__ import annotations

from abalo.corpora import Corpus
from abalo.validators.translation import against_original, metrics_of
from abalo.validators.validator import NoSettings, Plain, Validator
from perturbations import Sentence


def prepare(_corpus: Corpus, _settings: NoSettings) -> Plain:
    """Sentence BLEU by sacreBLEU over a hundred, 0 to 1: word 1- to 4-grams, smoothed, and of those that there can be.

    The words are those of the sentences, not sacreBLEU's own. [TextFlint, catalogue name "TranslateScore", without the
    smoothing, so that a short sentence with one word changed scored nothing]
    """
    measure = metrics_of("bleu").BLEU(tokenize="none", effective_order=True)
    return against_original("BLEU", measure, _words)


def _words(sentence: Sentence) -> str:
    return " ".join(sentence.tokens)


VALIDATOR = Validator("bleu", NoSettings, "min", prepare)
