"""Mentions of names in a sentence: which of them are of one name, and what a new name makes of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from perturbations.resources import sort_of
from perturbations.text import Sentence, Span, fold_case

NamePart = Literal["first", "last"]
"""The end of a full name that a shorter mention of a person has."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name with its mentions: ``whole`` ones, and ``parts`` of it, such as the surname of a person."""

    whole: list[Span]
    parts: list[tuple[Span, NamePart]] = field(default_factory=list)


def names(sentence: Sentence, spans: Sequence[Span]) -> list[Name]:
    """The names that the spans mention, in order of their first whole mentions; letter case tells no names apart.

    A mention of a person is a part of a longer name where that begins or ends with it.
    """
    words = fold_case(sentence.tokens)
    found: dict[_Key, Name] = {}
    for span in spans:
        key = span.type, words[span.start : span.stop]
        if key in found:
            found[key].whole.append(span)
        else:
            found[key] = Name([span])
    if len(found) > 1:
        persons = sorted((key for key in found if sort_of(key[0]) == "person"), key=lambda key: len(key[1]))
        owners = _owners(found, persons)
        for key in persons:
            owner = owners.get(key)
            if owner is not None:
                name, part = owner
                name.parts.extend((span, part) for span in found.pop(key).whole)
    return list(found.values())


_Key = tuple[str, tuple[str, ...]]
"""The type of a name and its words without letter case."""


def _owners(found: Mapping[_Key, Name], persons: Sequence[_Key]) -> dict[_Key, tuple[Name, NamePart]]:
    """The first longer name that the words of each person are a part of, with the end where they are."""
    asked, lengths = {*persons}, sorted({len(words) for _, words in persons})
    owners: dict[_Key, tuple[Name, NamePart]] = {}
    for (type_, whole), name in found.items():
        for length in lengths:
            if length >= len(whole):
                break
            ends: tuple[tuple[NamePart, tuple[str, ...]], ...] = ("last", whole[-length:]), ("first", whole[:length])
            for part, words in ends:
                if (type_, words) in asked:
                    owners.setdefault((type_, words), (name, part))
    return owners
