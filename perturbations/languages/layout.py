"""How a sentence in a script without spaces is cut into tokens, and edits that are cut likewise."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from perturbations.text import Edit, Sentence, entity_spans

_VISIBLE = re.compile(r"\s*\S\s*")

TokenRange = tuple[int, int]
"""Tokens from the first number up to but not including the second."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A sentence with at least one character of the script.

    ``by_character`` says that every such character is a token of its own; else tokens are words. ``gap`` is what
    separates tokens: nothing, as the script is written, or one space. ``borders`` are the places where an entity or an
    anchor begins or ends; ``entities`` are the tokens that belong to entities.
    """

    sentence: Sentence
    by_character: bool
    gap: str
    borders: frozenset[int]
    entities: frozenset[int]

    def is_one_piece(self, start: int, stop: int) -> bool:
        """Whether tokens [start, stop) follow each other without a border or other white space than the gap between."""
        inside = range(start + 1, stop)
        return not any(i in self.borders or self.sentence.spaces[i - 1] != self.gap for i in inside)

    def is_outside(self, start: int, stop: int) -> bool:
        """Whether none of the tokens [start, stop) belongs to an entity."""
        return not any(i in self.entities for i in range(start, stop))

    def cut(self, words: Sequence[str]) -> tuple[str, ...]:
        """The words as tokens of this sentence: themselves, or their characters, each with white space beside it.

        Words in ASCII stay whole where the sentence has such tokens.
        """
        if not self.by_character:
            return tuple(words)
        if any(len(token) > 1 for token in self.sentence.tokens):
            return tuple(part for word in words for part in ([word] if word.isascii() else _VISIBLE.findall(word)))
        return tuple(_VISIBLE.findall("".join(words)))

    def replacing(self, start: int, stop: int, words: Sequence[str]) -> Edit:
        """The edit that puts the words in place of tokens [start, stop)."""
        tokens = self.cut(words)
        if len(tokens) == stop - start:
            return Edit(start, stop, tokens)
        spaces = (self.gap,) * (len(tokens) - 1) + (self.sentence.spaces[stop - 1],)
        return Edit(start, stop, tokens, spaces=spaces)

    def inserting(self, place: int, words: Sequence[str]) -> Edit:
        """The edit that puts the words before token ``place``, or at the end."""
        tokens = self.cut(words)
        return Edit(place, place, tokens, spaces=None if self.gap else ("",) * len(tokens))


def lay_out(sentence: Sentence, script: re.Pattern[str]) -> Layout | None:
    """How the sentence is cut; None where no token has a character of the ``script``."""
    if not script.search("".join(sentence.tokens)):
        return None
    by_character = all(len(token) == 1 for token in sentence.tokens if script.search(token))
    entities = entity_spans(sentence.entity_tags or ())
    return Layout(
        sentence,
        by_character,
        "" if "" in sentence.spaces[:-1] or len(sentence) == 1 else " ",
        frozenset(place for span in (*entities, *sentence.anchors) for place in (span.start, span.stop)),
        frozenset(i for span in entities for i in range(span.start, span.stop)),
    )
