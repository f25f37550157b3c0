"""English words of praise and blame, and the words that stand around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from perturbations.languages.language import words_in
from perturbations.languages.opinion import NEGATIVE, POSITIVE
from perturbations.lexicons import rows

_SIGNS = {"+": (POSITIVE,), "-": (NEGATIVE,), "±": (POSITIVE, NEGATIVE)}
COPULAS = words_in("is are was were seems seem seemed looks look looked feels feel felt sounds sound sounded")
NEGATED = MappingProxyType({"isn't": "is", "aren't": "are", "wasn't": "was", "weren't": "were"})
DETERMINERS = words_in("the this that these those its it's their my your our his her a an")
ADVERBS = words_in("also always just still absolutely really truly particularly especially definitely")
DEGREE = words_in("very really so extremely pretty quite incredibly super absolutely truly fairly surprisingly")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of praise or blame: its kind, the polarities that it can have, and its opposites."""

    kind: str
    polarities: tuple[str, ...]
    opposites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A word of an opinion in its place: where its negation stands, if any, and whether *not* can be put before it."""

    place: int
    word: Word
    negation: int | None = None
    can_be_denied: bool = False


@cache
def words_known() -> Mapping[str, tuple[Word, ...]]:
    """The words with all that each can be."""
    found: dict[str, tuple[Word, ...]] = {}
    for word, kind, sign, others in rows("opinion_words_en"):
        opposites = () if others == "-" else tuple(others.split("|"))
        found[word] = (*found.get(word, ()), Word(kind, _SIGNS[sign], opposites))
    return MappingProxyType(found)


def of_kind(word: str, *kinds: str) -> Word | None:
    """The word, in lower case, as one of these kinds; None where it is none of them."""
    return next((each for each in words_known().get(word, ()) if each.kind in kinds), None)
