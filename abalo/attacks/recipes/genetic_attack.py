"""Genetic attack [Alzantot et al., 2018].

M. Alzantot, Y. Sharma, A. Elgohary, B.-J. Ho, M. Srivastava and K.-W. Chang, Generating Natural Language Adversarial
Examples, EMNLP 2018.

Published: a population of 60. Words are drawn by their number of neighbours: the 8 nearest by counter-fitted vectors
within a squared distance of 0.5; a language model keeps the 4 likeliest. At most 20 % of the words change, 25 % in
entailment. The released code (nesl/nlp_adversarial_examples) has a population of 20 over 100 generations, and keeps 5
of 20 neighbours; TextAttack's recipe has 20 generations.

Here a search has 20 generations. A limit on how surprising a text becomes replaces the language model's choice
(``require = {perplexity_ratio = 2}``). Vectors have length 1, so the distance is a cosine of 0.75. Stop words stay.
"""

from __future__ import annotations

from dataclasses import dataclass

from abalo.attacks.neighbours import NEEDED, NeighbourSettings, nearest
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import recipe


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneticAttack(NeighbourSettings):
    """The published settings, and a budget that suffices."""

    budget: int = 10_000
    search: str = "genetic"
    width: int = 60
    most_changed: float = 0.2
    most_synonyms: int = 8
    least_synonym_similarity: float = 0.75


def candidates(settings: GeneticAttack, _seed: int) -> Candidates:
    """Breeds texts over generations, with near words by counter-fitted vectors."""
    return nearest(settings)


ATTACK = recipe(
    "genetic_attack",
    GeneticAttack,
    candidates,
    needs=NEEDED,
)
