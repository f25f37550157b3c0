"""Words in gold, and edits that put other words in their place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from perturbations.text import Edit, Sentence

_SIGNS = frozenset("BMESO")
_WORD = re.compile("S|BM*E")


@dataclass(frozen=True, slots=True)
class CutWord:
    """A word in gold: its text, and its tokens from ``start`` up to but not including ``stop``."""

    text: str
    start: int
    stop: int


def gold_words(sentence: Sentence) -> list[CutWord]:
    """The words of a sentence whose labels are B, M, E and S; none of any other."""
    tags = [tag or "O" for tag in sentence.tags or ()]
    if not _SIGNS.issuperset(tags):
        return []
    return [
        CutWord("".join(sentence.tokens[found.start() : found.end()]), found.start(), found.end())
        for found in _WORD.finditer("".join(tags))
    ]


def exchange(sentence: Sentence, start: int, stop: int, words: Sequence[str]) -> Edit:
    """The edit that puts words in place of tokens [start, stop), a token for each of their characters."""
    tokens = tuple("".join(words))
    tags = tuple(label for word in words for label in _labels(len(word)))
    return Edit(start, stop, tokens, tags, spaces=(*[""] * (len(tokens) - 1), sentence.spaces[stop - 1]))


def _labels(length: int) -> str:
    return "B" + "M" * (length - 2) + "E" if length > 1 else "S"


def texts_around(words: Sequence[CutWord], place: int) -> tuple[str, str]:
    """The words before and behind one, as far as these touch it; empty where there is none."""
    before = words[place - 1] if place and words[place - 1].stop == words[place].start else None
    after = words[place + 1] if place + 1 < len(words) and words[place + 1].start == words[place].stop else None
    return before.text if before else "", after.text if after else ""
