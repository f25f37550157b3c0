"""Probability weighted word saliency [Ren et al., 2019].

S. Ren, Y. Deng, K. He and W. Che, Generating Natural Language Adversarial Examples through Probability Weighted Word
Saliency, ACL 2019.

Published: of each word the synonym in WordNet that hurts most; words by the softmax of their saliency, the effect of an
unknown token in their place, times the effect of that synonym; replaced one by one until the label is wrong, with no
further constraint. Here stop words are left alone, and named entities, which the paper replaces by others of the same
type, too where a corpus marks them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from abalo.attacks.attack import NONE
from abalo.attacks.candidates.words import Words
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import RecipeSettings, recipe
from abalo.core.configuring import Ranges
from abalo.sources.loading import load_synonyms
from abalo.sources.senses import SENSES


@dataclass(frozen=True, slots=True, kw_only=True)
class Pwws(RecipeSettings):
    """The published settings. ``synonyms`` names the wordnet; of each word at most ``most_synonyms`` are tried."""

    ranking: str = "weighted_saliency"
    synonyms: str = NONE
    most_synonyms: int = 50

    ranges: ClassVar[Ranges] = {**RecipeSettings.ranges, "most_synonyms": (1, 10**9)}


def candidates(settings: Pwws, _seed: int) -> Candidates:
    """Synonyms in WordNet, words by their saliency and by the effect of their best synonym."""
    return Words(load_synonyms(settings.synonyms, most=settings.most_synonyms))


ATTACK = recipe("pwws", Pwws, candidates, needs={"synonyms": f"a wordnet: {', '.join(SENSES)}"})
