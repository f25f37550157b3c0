"""Probability weighted word saliency [Ren et al., 2019].

S. Ren, Y. Deng, K. He and W. Che, Generating Natural Language Adversarial Examples through Probability Weighted Word
Saliency, ACL 2019.

Published: each word gets the WordNet synonym that hurts most. Words are ordered by the softmax of their saliency (the
effect of an unknown token in their place) times the synonym's effect, and replaced one by one until the label is wrong,
with no further constraint. Named entities get others that are typical of another label. The released code
(JHL-HUST/PWWS) takes nouns, verbs, adjectives, adverbs and conjunctions, with synonyms of the same fine-grained part of
speech, and replaces words even if that makes the model surer.

Here stop words and named entities stay, as in TextAttack's recipe. Parts of speech stay only if a case says so
(``parts_of_speech = "spacy:NAME"``). A word is replaced only if that helps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from abalo.attacks.attack import NONE
from abalo.attacks.candidates.words import SourceWords
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import RecipeSettings, recipe
from abalo.core.records.configuring import Ranges
from abalo.sources.loading import check_synonyms, load_synonyms
from abalo.sources.senses import WORDNETS


@dataclass(frozen=True, slots=True, kw_only=True)
class Pwws(RecipeSettings):
    """The published settings."""

    ranking: str = "weighted_saliency"
    synonyms: str = NONE
    most_synonyms: int = 50

    ranges: ClassVar[Ranges] = {**RecipeSettings.ranges, "most_synonyms": (1, 10**9)}

    def __post_init__(self) -> None:
        RecipeSettings.__post_init__(self)
        check_synonyms(self.synonyms, lists=False)


def candidates(settings: Pwws, _seed: int) -> Candidates:
    """Replaces words by synonyms in WordNet, ordered by saliency and by the best synonym's effect."""
    return SourceWords(load_synonyms(settings.synonyms, most=settings.most_synonyms))


ATTACK = recipe("pwws", Pwws, candidates, title="PWWS", needs={"synonyms": f"a wordnet: {', '.join(WORDNETS)}"})
