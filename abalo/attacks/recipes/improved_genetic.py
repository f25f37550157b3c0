"""Improved genetic algorithm [Wang et al., 2019].

X. Wang, H. Jin and K. He, Natural Language Adversarial Attack and Defense in Word Level, arXiv 1909.06723, 2019.

Published: the genetic attack with three changes. The first population replaces each word by its best synonym, parents
are cut in two at a drawn word, and a word can change again, at most 5 times. TextAttack's recipe has a population of 60
over 20 generations, changes at most 20 % of the words, and takes the 50 nearest words by counter-fitted vectors within
a squared distance of 0.5. It looks for synonyms of the current word, so a word can drift from the original.

Synonyms are always those of the original word. Vectors have length 1, so the distance is a cosine of 0.75. Stop
words stay.

Two readers rated the grammar of 20 English successes, with an encoder and word vectors, 3.5 of 5; nine in ten keep
their label.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from abalo.attacks.neighbours import NEEDED, NeighbourSettings, nearest
from abalo.attacks.parts import Candidates, Tuning
from abalo.attacks.recipe import RecipeSettings, recipe
from abalo.core.records.configuring import Ranges


@dataclass(frozen=True, slots=True, kw_only=True)
class ImprovedGenetic(NeighbourSettings):
    """The published settings, and a budget that suffices."""

    budget: int = 10_000
    search: str = "improved_genetic"
    width: int = 60
    most_changed: float = 0.2
    least_synonym_similarity: float = 0.75
    most_replacements: int = 5

    ranges: ClassVar[Ranges] = {**NeighbourSettings.ranges, "most_replacements": (1, 1000)}

    def tuning(self) -> Tuning:
        return replace(RecipeSettings.tuning(self), replacements=self.most_replacements)


def candidates(settings: ImprovedGenetic, _seed: int) -> Candidates:
    """Breeds texts with near words by counter-fitted vectors; a word can change several times."""
    return nearest(settings)


ATTACK = recipe("improved_genetic", ImprovedGenetic, candidates, needs=NEEDED)
