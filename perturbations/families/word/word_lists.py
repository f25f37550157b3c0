"""Reviewed lists of words that stand for others: those that ship, and how any list is made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from perturbations import lexicons
from perturbations.families.character.accents import strip_accents
from perturbations.resources import BY_NAME, REVIEWED, Sense, Senses, WordList

WordRow = tuple[str, str, tuple[str, ...]]
"""A word, its part of speech or nothing, and the words that can stand for it."""


@cache
def shipped_list(name: str) -> WordList:
    """The list of that name, less words of another gender; raises ValueError where there is no such list."""
    found: list[WordRow] = []
    for row in lexicons.read_rows(name):
        if len(row) > 2 and row[1].isupper():
            found.append((row[0], row[1], tuple(row[2].split("|"))))
        elif not "".join(row[2:]):
            found.append((row[0], "", tuple(row[1].split("|"))))
    return list_of_rows(name, found, shipped=name)


BY_NAME[Senses] = lambda name: REVIEWED if name == REVIEWED.name else shipped_list(name)


def list_of_rows(name: str, rows: Iterable[WordRow], *, shipped: str = "", edition: str = "") -> WordList:
    """The list of these rows; its words are found in lower case, and without accents, then answered without them."""
    words: dict[str, tuple[Sense, ...]] = {}
    for word, pos, others in rows:
        words[word.lower()] = (*words.get(word.lower(), ()), Sense(pos, others, others))
    return WordList(name, words, _plain(words), shipped, edition)


def _plain(words: Mapping[str, tuple[Sense, ...]]) -> dict[str, tuple[Sense, ...]]:
    return {strip_accents(word): tuple(map(_bare, senses)) for word, senses in words.items()}


def _bare(sense: Sense) -> Sense:
    others = tuple(map(strip_accents, sense.synonyms))
    return sense if others == sense.synonyms else Sense(sense.pos, others, others)
