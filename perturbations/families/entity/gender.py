"""Sentences about persons of the other gender: given names, words for persons, and what agrees with them."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cache
from typing import Literal

from perturbations.families.character.accents import strip_accents
from perturbations.families.entity.places import Language, listed_places
from perturbations.families.word.synonyms import in_case_of
from perturbations.lexicons import pairs, rows
from perturbations.resources import sort_of
from perturbations.text import Edit, Sentence, entity_spans

Gender = Literal["woman", "man"]


def turned(sentence: Sentence, to: Gender, language: Language) -> list[Edit]:
    """The sentence about persons of that gender, an edit for each name that the first of them could have.

    One edit where only words change that are no names, none where nothing does.
    """
    table = _table(to, language)
    persons = _persons(sentence, table, language)
    words = _words(sentence, table, persons)
    places = [i for person in persons for i in person.names]
    if not places and not words:
        return []
    bearers = list(dict.fromkeys(sentence.tokens[i].lower() for i in places))
    edits = []
    for first in range(len(table.choices) if bearers else 1):
        given = {name: table.choices[(first + _STRIDE * k) % len(table.choices)] for k, name in enumerate(bearers)}
        edits.append(_rewritten(sentence, words | {i: given[sentence.tokens[i].lower()] for i in places}))
    return edits


_STRIDE = 37
"""How far apart in the list the names are of two who are named in one sentence, which goes by the alphabet."""


@dataclass(frozen=True, slots=True)
class _Table:
    """What is known of one direction: names that turn, names to choose from, words and what they turn to."""

    names: frozenset[str]
    choices: tuple[str, ...]
    nouns: Mapping[str, str]
    determiners: Mapping[str, str]
    adjectives: Mapping[str, str]
    pronouns: Mapping[str, str]


@cache
def _table(to: Gender, language: Language) -> _Table:
    names = pairs(f"given_names_{language}")
    turning = {name for name, gender in names.items() if gender != to}
    staying = {strip_accents(name) for name, gender in names.items() if gender == to}
    plain = {strip_accents(name) for name in turning} - staying
    agreeing = rows("agreeing_words_pt") if language == "pt" else ()
    by_kind = {
        kind: _directed([(m, f) for m, f, each in agreeing if each == kind], to)
        for kind in ("determiner", "adjective", "pronoun")
    }
    return _Table(
        frozenset(turning | plain),
        tuple(name for name, gender in names.items() if gender == to),
        _directed([(m, f) for m, f in rows(f"gendered_words_{language}")], to),
        by_kind["determiner"],
        by_kind["adjective"],
        by_kind["pronoun"],
    )


def _directed(words: list[tuple[str, str]], to: Gender) -> Mapping[str, str]:
    """What each word turns to, towards ``to``; a word that could turn to two is left out."""
    found = words if to == "woman" else [(feminine, masculine) for masculine, feminine in words]
    keys = [key for key, _ in found]
    return {key: word for key, word in found if keys.count(key) == 1}


@dataclass(frozen=True, slots=True)
class _Person:
    """Tokens [``start``, ``stop``) that name a person: first ``titles``, then ``names``, empty where they stay."""

    start: int
    stop: int
    titles: tuple[int, ...]
    names: tuple[int, ...]


def _persons(sentence: Sentence, table: _Table, language: Language) -> list[_Person]:
    """Those that are labelled; without labels, each name of the lists, but in places such as *São Paulo*."""
    if sentence.tags is None:
        within = {i for place in listed_places(sentence.tokens, language) for i in range(*place)}
        places = [i for i, token in enumerate(sentence.tokens) if i not in within and _is_name(token, table)]
        return [_Person(i, i + 1, (), (i,)) for i in places]
    persons: list[_Person] = []
    for span in entity_spans(sentence.tags):
        if sort_of(span.type) != "person":
            continue
        titles: list[int] = []
        i, stop = span.start, span.stop
        while i < stop and (sentence.tokens[i].lower() in table.nouns or (titles and sentence.tokens[i] == ".")):
            titles += [i] if sentence.tokens[i] != "." else []
            i += 1
        begun = i
        while i < stop and _is_name(sentence.tokens[i], table):
            i += 1
        persons.append(_Person(span.start, stop, tuple(titles), tuple(range(begun, i))))
    return persons


def _is_name(token: str, table: _Table) -> bool:
    return token[0].isupper() and token.lower() in table.names


def _words(sentence: Sentence, table: _Table, persons: list[_Person]) -> dict[int, str]:
    """What stands for words that are no names, and where."""
    turning = _Turning(sentence)
    lower, held = turning.lower, set[int]()
    # Before a name, "a" is as often the preposition.
    before_names = {word: other for word, other in table.determiners.items() if word != "a"}
    for person in persons:
        if person.names:
            turning.found |= {title: table.nouns[lower[title]] for title in person.titles}
            turning.agree(person.start, person.stop, before_names, table.adjectives)
        else:
            held |= _beside(person, lower, {*table.nouns, *table.adjectives})
    for i in range(len(lower)):
        if i not in held and turning.turns(i, table.nouns):
            turning.agree(i, i + 1, table.determiners, table.adjectives)
    if turning.found or any(person.names for person in persons):  # else it is as often a thing
        for i in range(len(lower)):
            turning.turns(i, table.pronouns)
    return turning.found


class _Turning:
    """Words that turn: ``found`` has what stands for them by their place. None within entities does."""

    def __init__(self, sentence: Sentence) -> None:
        self.lower = [token.lower() for token in sentence.tokens]
        self.closed = {i for span in entity_spans(sentence.tags or ()) for i in range(span.start, span.stop)}
        self.found: dict[int, str] = {}

    def turns(self, i: int, words: Mapping[str, str]) -> bool:
        """Whether the token at ``i`` is one of these words; then it turns, unless both genders share it."""
        if not 0 <= i < len(self.lower) or i in self.closed or self.lower[i] not in words:
            return False
        if words[self.lower[i]] != self.lower[i]:
            self.found[i] = words[self.lower[i]]
        return True

    def agree(self, start: int, stop: int, determiners: Mapping[str, str], adjectives: Mapping[str, str]) -> None:
        """Adjectives and determiners right before ``start`` turn, and adjectives in a row from ``stop`` on."""
        while self.turns(start - 1, adjectives):
            start -= 1
        while self.turns(start - 1, determiners):
            start -= 1
        while self.turns(stop + self._is_between(stop), adjectives):
            stop += self._is_between(stop) + 1

    def _is_between(self, i: int) -> bool:
        return i < len(self.lower) and self.lower[i] in (",", "e")


def _beside(person: _Person, lower: list[str], words: Set[str]) -> set[int]:
    """Where these words stand in a row before a person, and after, where a comma or bracket may come between."""
    first, last = person.start, person.stop
    while first > 0 and (
        lower[first - 1] in words or (lower[first - 1] == "." and first > 1 and lower[first - 2] in words)
    ):
        first -= 1
    last += last < len(lower) and lower[last] in (",", "(")
    while last < len(lower) and lower[last] in words:
        last += 1
    return {*range(first, person.start), *range(person.stop, last)}


def _rewritten(sentence: Sentence, words: Mapping[int, str]) -> Edit:
    """One edit that puts these words in their places, in the letter case of what stands there."""
    start, stop = min(words), max(words) + 1
    tokens = tuple(
        in_case_of(sentence.tokens[i], words[i]) if i in words else sentence.tokens[i] for i in range(start, stop)
    )
    origins = tuple((i,) for i in range(start, stop))
    return Edit(start, stop, tokens, spaces=sentence.spaces[start:stop], origins=origins)
