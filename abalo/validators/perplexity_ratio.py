"""How much less a language model expects the variant than the original."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from abalo.core.configuring import Ranged
from abalo.corpora import Corpus
from abalo.corpora.training import check_training, load_named, named
from abalo.models.language_models import LanguageModel, load_language_model
from abalo.validators.validator import Pairs, Validator
from perturbations import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class PerplexitySettings(Ranged):
    """``model`` is n-grams, or a language model in a folder.

    N-grams learn from ``training``, a corpus; from the one that is judged where none is named. They forget the original
    before they see it or its variant, else any variant would look odd beside what they know by heart.
    """

    model: str = "ngrams"
    training: str = ""

    def __post_init__(self) -> None:
        Ranged.__post_init__(self)
        check_training(self.training)


class PerplexityRatio:
    """Perplexity of the variant over that of the original, above 0: 1 where both are expected alike."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._known: dict[Sentence, float] = {}
        self.name = f"perplexity over that of the original, {model.name}"

    def of(self, pairs: Pairs) -> NDArray[np.float64]:
        """The ratio of each pair."""
        originals = [original for original, _ in pairs]
        after = self._model.perplexities([variant for _, variant in pairs], originals)
        new = [each for each in dict.fromkeys(originals) if each not in self._known]
        self._known |= zip(new, self._model.perplexities(new, new).tolist(), strict=True)
        before = np.array([self._known[original] for original in originals], dtype=np.float64)
        return np.asarray(after / before, dtype=np.float64)


def prepare(corpus: Corpus, settings: PerplexitySettings) -> PerplexityRatio:
    """The ratio by a language model.

    [TextFlint, catalogue name "GPT2Perplexity", which gives its inverse, at most 1]
    """
    training = load_named(settings.training) if settings.training else corpus
    return PerplexityRatio(load_language_model(settings.model, training.sentences, named(training)))


VALIDATOR = Validator("perplexity_ratio", PerplexitySettings, "max", prepare, high=math.inf)
