"""Probability weighted word saliency [Ren et al., 2019].

S. Ren, Y. Deng, K. He and W. Che, Generating Natural Language Adversarial Examples through Probability Weighted Word
Saliency, ACL 2019.

Published: of each word the synonym in WordNet that hurts most; words by the softmax of their saliency, the effect of an
unknown token in their place, times the effect of that synonym; replaced one by one until the label is wrong, with no
further constraint; named entities by others that are typical of another label. The released code (JHL-HUST/PWWS) takes
nouns, verbs, adjectives, adverbs and conjunctions, and synonyms of the same fine-grained part of speech, and replaces
words in their order even where that makes the model surer.

Here stop words and named entities are left alone, as in TextAttack's recipe, parts of speech are kept only where a case
says so (``parts_of_speech = "spacy:NAME"``), and a word is replaced only where that helps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from abalo.attacks.attack import NONE
from abalo.attacks.candidates.words import Words
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import RecipeSettings, recipe
from abalo.core.configuring import Ranges
from abalo.sources.loading import check_synonyms, load_synonyms
from abalo.sources.senses import WORDNETS


@dataclass(frozen=True, slots=True, kw_only=True)
class Pwws(RecipeSettings):
    """The published settings. ``synonyms`` names the wordnet; of each word at most ``most_synonyms`` are tried."""

    ranking: str = "weighted_saliency"
    synonyms: str = NONE
    most_synonyms: int = 50

    ranges: ClassVar[Ranges] = {**RecipeSettings.ranges, "most_synonyms": (1, 10**9)}

    def __post_init__(self) -> None:
        RecipeSettings.__post_init__(self)
        check_synonyms(self.synonyms, lists=False)


def candidates(settings: Pwws, _seed: int) -> Candidates:
    """Synonyms in WordNet, words by their saliency and by the effect of their best synonym."""
    return Words(load_synonyms(settings.synonyms, most=settings.most_synonyms))


ATTACK = recipe("pwws", Pwws, candidates, title="PWWS", needs={"synonyms": f"a wordnet: {', '.join(WORDNETS)}"})
