"""Recipes whose candidates are the nearest words by counter-fitted word vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from abalo.attacks.attack import NONE
from abalo.attacks.candidates.words import Words
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import RecipeSettings
from abalo.core.configuring import Ranges
from abalo.sources.loading import check_synonyms, load_synonyms

NEEDED = {"synonyms": 'a file of counter-fitted word vectors: synonyms = "vectors:FILE"'}


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbours(RecipeSettings):
    """The settings of such a recipe.

    ``synonyms`` names the word vectors; of each word at most ``most_synonyms`` are tried, those with a similarity above
    ``least_synonym_similarity``.
    """

    synonyms: str = NONE
    most_synonyms: int = 50
    least_synonym_similarity: float = 0.7

    ranges: ClassVar[Ranges] = {
        **RecipeSettings.ranges,
        "most_synonyms": (1, 10**9),
        "least_synonym_similarity": (-1, 1),
    }

    def __post_init__(self) -> None:
        RecipeSettings.__post_init__(self)
        check_synonyms(self.synonyms, lists=False)


def nearest(settings: Neighbours) -> Candidates:
    """The nearest words."""
    return Words(load_synonyms(settings.synonyms, most=settings.most_synonyms, least=settings.least_synonym_similarity))
