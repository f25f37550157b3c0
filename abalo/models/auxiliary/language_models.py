"""Language models for perplexity, by spec."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from abalo.errors import AbaloError
from abalo.models.auxiliary.ngram_lm import NgramModel
from perturbations import Sentence
from perturbations.suggestions import did_you_mean

LANGUAGE_MODELS = ("ngrams", "causal-lm:FOLDER", "masked-lm:FOLDER", "masked-lm:bundled")


class LanguageModel(Protocol):
    """A model of the probability of texts; ``name`` identifies all that affects perplexity."""

    @property
    def name(self) -> str:
        """The name in reports."""
        ...

    def perplexities(self, sentences: Sequence[Sentence], clean: Sequence[Sentence]) -> NDArray[np.float64]:
        """Perplexity per word of each sentence, at least 1.

        ``clean`` holds the corpus sentence behind each; a model trained on it leaves it out.
        """
        ...

    def surprisals(self, sentences: Sequence[Sentence], clean: Sequence[Sentence]) -> NDArray[np.float64]:
        """Negative log-probability of each sentence, in nats, at least 0."""
        ...


def load_language_model(spec: str, training: Sequence[Sentence], source: str) -> LanguageModel:
    """Loads a spec of `LANGUAGE_MODELS`; n-grams are trained on ``training`` from ``source``."""
    kind, _, target = spec.partition(":")
    match kind:
        case "ngrams" if spec == kind:
            return NgramModel(training, source)
        case "causal-lm" if target:
            from abalo.models.auxiliary.neural_lm import load_causal_lm

            return load_causal_lm(target)
        case "masked-lm" if target:
            from abalo.models.auxiliary.neural_lm import load_masked_perplexity

            return load_masked_perplexity(target)
    kinds = {each.partition(":")[0] for each in LANGUAGE_MODELS}
    hint = "" if kind in kinds else did_you_mean(kind, kinds)
    raise AbaloError(f"language model {spec!r}: no such model{hint}; there are: {', '.join(LANGUAGE_MODELS)}")
