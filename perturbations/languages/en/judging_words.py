"""English words of praise and blame, and the words that stand around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from perturbations.languages.language import words_in
from perturbations.languages.opinion import NEGATIVE, POSITIVE
from perturbations.lexicons import rows

_SIGNS = {"+": (POSITIVE,), "-": (NEGATIVE,), "±": (POSITIVE, NEGATIVE)}
COPULAS = words_in("is are was were seems seem seemed looks look looked feels feel felt sounds sound sounded")
NEGATED = MappingProxyType(
    {f"{verb}{ending}": verb for verb in ("is", "are", "was", "were") for ending in ("n't", "nt")}
)
DETERMINERS = words_in("the this that these those its it's their my your our his her a an")
ADVERBS = words_in("also always just still absolutely really truly particularly especially definitely even simply")
DEGREE = words_in(
    "very really so extremely pretty quite incredibly super absolutely truly fairly surprisingly amazingly relatively "
    "somewhat rather kinda way insanely exceptionally remarkably ridiculously completely totally exceedingly much "
    "noticeably far"
)
MERGED = words_in("too crystal top user beyond")
"""Words before a word of praise or blame that go with it alone: *too loud*, *crystal clear*, *top notch*."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of praise or blame: its kind, the polarities that it can have, and its opposites."""

    kind: str
    polarities: tuple[str, ...]
    opposites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """A word of an opinion in its place: where its negation stands, if any, and whether *not* can be put before it."""

    place: int
    word: Word
    negation: int | None = None
    can_be_denied: bool = False


THINGS = words_in("it laptop computer machine netbook notebook macbook mac product unit pro this which")
"""Words for what has the aspects."""

WordStretch = tuple[int, int, list[PlacedWord]]
"""The tokens of an opinion, and its words."""


def word_at(lowered: Sequence[str], place: int) -> str:
    """The word at the place; empty beyond the end."""
    return lowered[place] if place < len(lowered) else ""


@cache
def words_known() -> Mapping[str, tuple[Word, ...]]:
    """The words with all that each can be."""
    found: dict[str, tuple[Word, ...]] = {}
    for word in _listed_words():
        if word[1].kind not in _DEEDS:
            found[word[0]] = (*found.get(word[0], ()), word[1])
    return MappingProxyType(found)


@cache
def deeds() -> Mapping[tuple[str, str], Word]:
    """The verbs and prepositions that judge by what they say of an aspect, by their kind and the word."""
    return MappingProxyType({(word.kind, written): word for written, word in _listed_words() if word.kind in _DEEDS})


_DEEDS = frozenset(["DO", "BASE", "HAS"])


@cache
def _listed_words() -> tuple[tuple[str, Word], ...]:
    return tuple(
        (written, Word(kind, _SIGNS[sign], () if others == "-" else tuple(others.split("|"))))
        for written, kind, sign, others in rows("opinion_words_en")
    )


def of_kind(word: str, *kinds: str) -> Word | None:
    """The word, in lower case, as one of these kinds; None where it is none of them."""
    return next((each for each in words_known().get(word, ()) if each.kind in kinds), None)
