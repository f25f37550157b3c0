"""Slice by gender words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

from abalo.core.records.configuring import Ranged
from abalo.corpora import Corpus
from abalo.slices.slice import Cut, Slice, check_language
from perturbations import Sentence
from perturbations.languages import language_named
from perturbations.lexicons import pairs
from perturbations.lexicons import words as words_of

WordGender = Literal["female", "male", "both", "neither"]

PARTS = ("gender_words", "given_names")

SAINTS = frozenset({"são", "santo", "santa", "san", "saint", "st", "st."})
"""A name after these means a place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GenderSettings(Ranged):
    """Which ``words``: female, male, both or neither."""

    words: WordGender = "female"
    language: str = "pt"

    def __post_init__(self) -> None:
        Ranged.__post_init__(self)
        check_language("gender_words", self.language, PARTS)


def cut(_corpus: Corpus, settings: GenderSettings) -> Cut:
    """Sentences by the gender of their words.

    Counts words for women or men in any letter case, and capitalised first names, except after a saint's title: *São
    Paulo* is no man. Ignores names that usually mean something else (*Israel, Rose*), Portuguese pronouns, and words
    that courts also use for companies (*autora*). [TextFlint, catalogue name "PrejudiceSubPopulation"]
    """
    described = {
        "female": "with words or first names of women and none of men",
        "male": "with words or first names of men and none of women",
        "both": "with words or first names of women and of men",
        "neither": "without words or first names of women or men",
    }[settings.words]
    language = language_named(settings.language).name
    return Cut(partial(_holds, settings=settings), f"sentences {described} ({language})")


def genders(sentence: Sentence, language: str) -> set[str]:
    """The genders, "female" and "male", in a sentence."""
    words, names = pairs(f"gender_words_{language}"), pairs(f"given_names_{language}")
    found, before = set(), ""
    for token in sentence.tokens:
        plain = token.replace("’", "'").lower()
        if plain in words:
            found.add(words[plain])
        elif token[0].isupper() and plain in names and plain not in words_of("not_only_names") and before not in SAINTS:
            found.add(_OF_NAMES[names[plain]])
        before = plain
    return found


def _holds(sentence: Sentence, settings: GenderSettings) -> bool:
    return genders(sentence, settings.language) == _WANTED[settings.words]


_OF_NAMES = {"woman": "female", "man": "male"}
_WANTED: dict[WordGender, set[str]] = {
    "female": {"female"},
    "male": {"male"},
    "both": {"female", "male"},
    "neither": set(),
}

SLICE = Slice("gender_words", GenderSettings, cut, parts=PARTS, title="Gender words: {words}")
