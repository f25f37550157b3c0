"""Words swapped for others of a list, in a sentence: names are left alone, and "a" and "an" are made to fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from perturbations.families.grammar.sites import in_case_at, in_entities, one_label
from perturbations.text import Edit, Sentence

_LIKE_VOWELS = ("heir", "honest", "honour", "honor", "hour")
_LIKE_CONSONANTS = ("eu", "one", "once", "uni", "usa", "use", "usu", "ut")
_BUT_VOWELS = ("unim", "unin", "unid", "utt", "utm")
"""Beginnings of words that sound unlike their first letter; the last are exceptions of those before."""


def swapped(
    sentence: Sentence, options: Callable[[int], Sequence[str]], *, english: bool, inside_entities: bool
) -> list[list[Edit]]:
    """For each token with ``options``, given by its place, the edits that put these there in its letter case.

    In English an article before it changes with it, if both are in one entity or in none.
    """
    taken = in_entities(sentence)
    sites = []
    for i in range(len(sentence)):
        if taken[i] and not inside_entities:
            continue
        others = options(i)
        if others:
            sites.append(swaps_at(sentence, i, others, english=english))
    return sites


def swaps_at(sentence: Sentence, place: int, others: Sequence[str], *, english: bool) -> list[Edit]:
    """The edits that put other words there in the letter case of the token, in English with their article."""
    token = sentence.tokens[place]
    cased = dict.fromkeys(in_case_at(sentence.tokens, place, other) for other in others)
    return [_edit(sentence, place, other, english=english) for other in cased if other != token]


def _edit(sentence: Sentence, place: int, word: str, *, english: bool) -> Edit:
    if english and place and one_label(sentence, place - 1, place + 1):
        article = sentence.tokens[place - 1]
        fitting = "an" if begins_like_vowel(word.lower()) else "a"
        if article.lower() in ("a", "an") and article.lower() != fitting:
            return Edit(
                place - 1, place + 1, (_article(article, fitting, word), word), origins=((place - 1,), (place,))
            )
    return Edit(place, place + 1, (word,))


def _article(present: str, fitting: str, word: str) -> str:
    """In the letter case of the one there; one letter in upper case could be a capital or shouted."""
    if present.isupper() and word.isupper():
        return fitting.upper()
    return fitting.capitalize() if present[0].isupper() else fitting


def begins_like_vowel(word: str) -> bool:
    """Whether an English word in lower case takes *an*, as far as its letters tell."""
    if word.startswith(_BUT_VOWELS):
        return True
    return word.startswith(_LIKE_VOWELS) or (word[0] in "aeiou" and not word.startswith(_LIKE_CONSONANTS))
