"""Recipes with near words by counter-fitted vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from abalo.attacks.attack import NONE
from abalo.attacks.candidates.words import SourceWords
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import RecipeSettings
from abalo.core.records.configuring import Ranges
from abalo.sources.loading import check_synonyms, load_synonyms

NEEDED = {"synonyms": 'a file of counter-fitted word vectors: synonyms = "vectors:FILE"'}

ENCODED = {"similarity": 'a sentence encoder: similarity = "encoder:FOLDER"'}


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbourSettings(RecipeSettings):
    """Settings of recipes with near words; ``synonyms`` names word vectors."""

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


def nearest(settings: NeighbourSettings) -> Candidates:
    """The near words under these settings."""
    return SourceWords(
        load_synonyms(settings.synonyms, most=settings.most_synonyms, least=settings.least_synonym_similarity)
    )
