"""BLEU as a validator."""

from __future__ import annotations

from abalo.corpora import Corpus
from abalo.validators.translation import against_original, metrics_of
from abalo.validators.validator import NoSettings, Plain, Validator
from perturbations import Sentence


def prepare(_corpus: Corpus, _settings: NoSettings) -> Plain:
    """Sentence BLEU by sacreBLEU, scaled to 0 to 1: word 1- to 4-grams, smoothed.

    Ignores n-grams longer than the sentence. Words are the corpus's tokens, not sacreBLEU's. [TextFlint, catalogue name
    "TranslateScore", which does not smooth: a short sentence with one changed word scores 0]
    """
    measure = metrics_of("bleu").BLEU(tokenize="none", effective_order=True)
    return against_original("BLEU", measure, _words)


def _words(sentence: Sentence) -> str:
    return " ".join(sentence.tokens)


VALIDATOR = Validator("bleu", NoSettings, "min", prepare)
