"""Mentions of names in a sentence: which of them are of one name, and what a new name makes of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from perturbations.resources import sort_of
from perturbations.text import Sentence, Span

Part = Literal["first", "last"]
"""The end of a full name that a shorter mention of a person has."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name with its mentions: ``whole`` ones, and ``parts`` of it, such as the surname of a person."""

    whole: list[Span]
    parts: list[tuple[Span, Part]] = field(default_factory=list)


def names(sentence: Sentence, spans: Sequence[Span]) -> list[Name]:
    """The names that the spans mention, in order of their first whole mentions; letter case tells no names apart.

    A mention of a person is a part of a longer name where that begins or ends with it.
    """
    found: dict[tuple[str, ...], Name] = {}
    for span in spans:
        found.setdefault((span.type, *folded(sentence, span)), Name([])).whole.append(span)
    for key in sorted(found, key=len):
        owner = _owner(key, found)
        if owner is not None:
            name, part = owner
            name.parts.extend((span, part) for span in found.pop(key).whole)
    return list(found.values())


def folded(sentence: Sentence, span: Span) -> tuple[str, ...]:
    """The tokens of the span without their letter case."""
    return tuple(token.casefold() for token in sentence.tokens[span.start : span.stop])


def _owner(key: tuple[str, ...], found: dict[tuple[str, ...], Name]) -> tuple[Name, Part] | None:
    """The longer name that the words behind the type are a part of, with the end where they are."""
    type_, *words = key
    if sort_of(type_) != "person":
        return None
    for other, name in found.items():
        whole = list(other[1:])
        if other[0] == type_ and len(whole) > len(words):
            if whole[-len(words) :] == words:
                return name, "last"
            if whole[: len(words)] == words:
                return name, "first"
    return None
