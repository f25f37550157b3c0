"""Sememes and particle swarm optimisation [Zang et al., 2020].

Y. Zang, F. Qi, C. Yang, Z. Liu, M. Zhang, Q. Liu and M. Sun, Word-level Textual Adversarial Attacking as Combinatorial
Optimization, ACL 2020.

Published: words with the same sememes in HowNet and the same part of speech replace nouns, verbs, adjectives and
adverbs; a swarm of 60 texts over 20 generations, with no further constraint. The released code
(thunlp/SememePSO-Attack) draws the word to change in proportion to its number of candidates, at most 10. TextAttack's
recipe draws it by its best candidate's effect, which takes a query for every candidate of every word in every step, and
keeps no part of speech.

Here the search follows the released code. HowNet is not included: ``synonyms`` names the source, such as a wordnet, or
a list made from HowNet. Stop words stay, as in TextAttack; parts of speech stay only if a case says so
(``parts_of_speech = "spacy:NAME"``).

Two readers rated the grammar of 20 English successes, with WordNet, 3.6 of 5; nine in ten keep their label.
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
class Pso(RecipeSettings):
    """The published settings, and a budget that suffices."""

    budget: int = 10_000
    search: str = "particle_swarm"
    width: int = 60
    synonyms: str = NONE
    most_synonyms: int = 50

    ranges: ClassVar[Ranges] = {**RecipeSettings.ranges, "most_synonyms": (1, 10**9)}

    def __post_init__(self) -> None:
        RecipeSettings.__post_init__(self)
        check_synonyms(self.synonyms, lists=False)


def candidates(settings: Pso, _seed: int) -> Candidates:
    """Replaces words by words of the same meaning; a swarm of texts moves towards its best ones."""
    return SourceWords(load_synonyms(settings.synonyms, most=settings.most_synonyms))


ATTACK = recipe(
    "pso",
    Pso,
    candidates,
    title="PSO",
    needs={"synonyms": f"a wordnet or a list: {', '.join(WORDNETS)}, lexicon:FILE.tsv"},
)
