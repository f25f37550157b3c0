"""Genetic attack [Alzantot et al., 2018].

M. Alzantot, Y. Sharma, A. Elgohary, B.-J. Ho, M. Srivastava and K.-W. Chang, Generating Natural Language Adversarial
Examples, EMNLP 2018.

Published: a population of 60; words drawn by how many neighbours they have, and of each the 8 nearest by counter-fitted
word vectors within a squared distance of 0.5, of which the 4 that a language model finds likeliest are kept; at most
20 % of the words changed, 25 % in entailment. The released code (nesl/nlp_adversarial_examples) has a population of 20
over 100 generations, and 20 neighbours of which 5 are kept; TextAttack's recipe 20 generations.

Here there are 20 generations and no choice by a language model: a limit on how surprising a text becomes does it
instead (``require = {perplexity_ratio = 2}``). Vectors have length 1, so the distance is a cosine of 0.75. Stop words
are left alone.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneticAttack(RecipeSettings):
    """The published settings, and a budget that they fit in.

    ``synonyms`` names the word vectors; of each word at most ``most_synonyms`` are tried, those with a similarity above
    ``least_synonym_similarity``.
    """

    budget: int = 10_000
    search: str = "genetic"
    width: int = 60
    most_changed: float = 0.2
    synonyms: str = NONE
    most_synonyms: int = 8
    least_synonym_similarity: float = 0.75

    ranges: ClassVar[Ranges] = {
        **RecipeSettings.ranges,
        "most_synonyms": (1, 10**9),
        "least_synonym_similarity": (-1, 1),
    }

    def __post_init__(self) -> None:
        RecipeSettings.__post_init__(self)
        check_synonyms(self.synonyms, lists=False)


def candidates(settings: GeneticAttack, _seed: int) -> Candidates:
    """Nearest words by counter-fitted word vectors, bred over generations."""
    return Words(load_synonyms(settings.synonyms, most=settings.most_synonyms, least=settings.least_synonym_similarity))


ATTACK = recipe(
    "genetic_attack",
    GeneticAttack,
    candidates,
    needs={"synonyms": 'a file of counter-fitted word vectors: synonyms = "vectors:FILE"'},
)
