"""Attacks that replace words by synonyms."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import ClassVar, Literal

from abalo.attacks.assembly import assemble
from abalo.attacks.attack import Aims, AttackSettings, Started
from abalo.attacks.candidates.words import SourceWords
from abalo.attacks.parts import Tuning, methods, rankings
from abalo.core.records.configuring import Lists, Ranges
from abalo.sources.loading import check_synonyms, load_synonyms
from perturbations.languages import with_parts
from perturbations.lexicons import words


@dataclass(frozen=True, slots=True, kw_only=True)
class SubstitutionSettings(AttackSettings):
    """Further settings of attacks that replace single words.

    ``synonyms = "lists"`` takes the near synonyms of the language. A random ``ranking`` is a baseline (Table 5).
    """

    synonyms: str = "lexicon:near_synonyms_pt"
    most_synonyms: int = 50
    least_synonym_similarity: float = 0.5
    stop_words: str = "stop_words_pt"
    ranking: Literal["importance", "random"] = "importance"

    ranges: ClassVar[Ranges] = {
        **AttackSettings.ranges,
        "most_synonyms": (1, 10**9),
        "least_synonym_similarity": (-1, 1),
    }

    def __post_init__(self) -> None:
        AttackSettings.__post_init__(self)
        check_synonyms(self.synonyms, lists=True)
        words(self.stop_words)  # says so where there is no such list


LISTS: Lists = {
    code: {"synonyms": f"lexicon:near_synonyms_{code}", "stop_words": f"stop_words_{code}"}
    for code in with_parts("letters", "near_synonyms", "stop_words")
}


def draws(settings: SubstitutionSettings) -> bool:
    """Whether anything is drawn under these settings."""
    return settings.ranking == "random"


def start_substitution(name: str, aims: Aims, settings: SubstitutionSettings) -> Started:
    """A search for each target; draws depend on the attack's ``name``."""
    source = load_synonyms(settings.synonyms, most=settings.most_synonyms, least=settings.least_synonym_similarity)
    ranking = rankings()["random" if draws(settings) else "deletion"]
    named = {"synonyms": source.name, "stop words": settings.stop_words}
    return assemble(
        name,
        aims,
        SourceWords(source),
        ranking,
        methods()["greedy"],
        Tuning(Random(0)),
        words(settings.stop_words),
        named,
    )
