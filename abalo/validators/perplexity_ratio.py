"""Perplexity ratio as a validator."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from abalo.core.records.configuring import Ranged
from abalo.corpora import Corpus
from abalo.corpora.training import check_training, corpus_name, load_named
from abalo.models.auxiliary.language_models import LanguageModel, load_language_model
from abalo.validators.validator import SentencePairs, Validator
from perturbations import Sentence

Sentences = Sequence[Sentence]


@dataclass(frozen=True, slots=True, kw_only=True)
class PerplexityRatioSettings(Ranged):
    """``model`` is n-grams or a language model's folder.

    N-grams learn from ``training``, by default the judged corpus, but forget the original.
    """

    model: str = "ngrams"
    training: str = ""

    def __post_init__(self) -> None:
        Ranged.__post_init__(self)
        check_training(self.training)


class AgainstOriginals:
    """Scores variants against their originals, each of which is measured once."""

    def __init__(
        self, name: str, measure: Callable[[Sentences, Sentences], NDArray[np.float64]], compare: np.ufunc
    ) -> None:
        self.name = name
        self._measure = measure
        self._compare = compare
        self._known: dict[Sentence, float] = {}

    def of(self, pairs: SentencePairs) -> NDArray[np.float64]:
        originals = [original for original, _ in pairs]
        after = self._measure([variant for _, variant in pairs], originals)
        new = [each for each in dict.fromkeys(originals) if each not in self._known]
        self._known |= zip(new, self._measure(new, new).tolist(), strict=True)
        before = np.array([self._known[original] for original in originals], dtype=np.float64)
        return np.asarray(self._compare(after, before), dtype=np.float64)


def language_model(corpus: Corpus, settings: PerplexityRatioSettings) -> LanguageModel:
    """The model of the settings."""
    training = load_named(settings.training) if settings.training else corpus
    return load_language_model(settings.model, training.sentences, corpus_name(training))


def prepare(corpus: Corpus, settings: PerplexityRatioSettings) -> AgainstOriginals:
    """Perplexity of the variant divided by the perplexity of the original, by a language model.

    [TextFlint, catalogue name "GPT2Perplexity": the inverse, at most 1]
    """
    model = language_model(corpus, settings)
    name = f"perplexity divided by the perplexity of the original, {model.name}"
    return AgainstOriginals(name, model.perplexities, np.divide)


VALIDATOR = Validator("perplexity_ratio", PerplexityRatioSettings, "max", prepare, high=math.inf)
