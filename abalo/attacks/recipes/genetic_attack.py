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

from abalo.attacks.neighbours import NEEDED, Neighbours, nearest
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import recipe


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneticAttack(Neighbours):
    """The published settings, and a budget that they fit in."""

    budget: int = 10_000
    search: str = "genetic"
    width: int = 60
    most_changed: float = 0.2
    most_synonyms: int = 8
    least_synonym_similarity: float = 0.75


def candidates(settings: GeneticAttack, _seed: int) -> Candidates:
    """Nearest words by counter-fitted word vectors, bred over generations."""
    return nearest(settings)


ATTACK = recipe(
    "genetic_attack",
    GeneticAttack,
    candidates,
    needs=NEEDED,
)
