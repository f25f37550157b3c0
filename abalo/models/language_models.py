"""Language models, which give the perplexity of a text, by their specs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from abalo.errors import AbaloError
from abalo.models.ngram_lm import NgramModel
from perturbations import Sentence
from perturbations.suggestions import did_you_mean

LANGUAGE_MODELS = ("ngrams", "causal-lm:FOLDER", "masked-lm:FOLDER", "masked-lm:bundled")


class LanguageModel(Protocol):
    """A model of the probability of texts. ``name`` includes everything that perplexities depend on."""

    @property
    def name(self) -> str:
        """The name in reports."""
        ...

    def perplexities(self, sentences: Sequence[Sentence], clean: Sequence[Sentence]) -> NDArray[np.float64]:
        """The perplexity of each sentence per word, at least 1: the lower, the more probable the sentence.

        ``clean`` holds, for each, the sentence of the corpus that it is or was made of. A model trained on that one
        leaves it out first.
        """
        ...


def load_language_model(spec: str, training: Sequence[Sentence], source: str) -> LanguageModel:
    """The language model called ``spec``, one of `LANGUAGE_MODELS`; n-grams learn from ``training``, named ``source``.

    Raises `AbaloError` for any other, and for a folder or a model that cannot be used.
    """
    kind, _, target = spec.partition(":")
    match kind:
        case "ngrams" if spec == kind:
            return NgramModel(training, source)
        case "causal-lm" if target:
            from abalo.models.neural_lm import load_causal_lm

            return load_causal_lm(target)
        case "masked-lm" if target:
            from abalo.models.neural_lm import load_masked_perplexity

            return load_masked_perplexity(target)
    kinds = {each.partition(":")[0] for each in LANGUAGE_MODELS}
    hint = "" if kind in kinds else did_you_mean(kind, kinds)
    raise AbaloError(f"language model {spec!r}: no such model{hint}; there are: {', '.join(LANGUAGE_MODELS)}")
