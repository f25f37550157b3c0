"""Loss of log-probability as a validator."""

from __future__ import annotations

import math

import numpy as np

from abalo.corpora import Corpus
from abalo.validators.perplexity_ratio import AgainstOriginals, PerplexityRatioSettings, language_model
from abalo.validators.validator import Validator


def prepare(corpus: Corpus, settings: PerplexityRatioSettings) -> AgainstOriginals:
    """Log-probability of the original minus log-probability of the variant, in nats, by a language model.

    Sums over the whole text, unlike `perplexity_ratio`, which is per word [Kuleshov et al., 2018, equation 5].
    """
    model = language_model(corpus, settings)
    name = f"log-probability of the original less that of the variant, {model.name}"
    return AgainstOriginals(name, model.surprisals, np.subtract)


VALIDATOR = Validator("log_probability_loss", PerplexityRatioSettings, "max", prepare, low=-math.inf, high=math.inf)
