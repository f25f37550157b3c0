"""Words as character labels: B, M, E for first, middle, last; S for single.

A run of Latin letters or digits counts as one character. If a model cuts inside it, ``|`` joins the labels of its
parts, such as ``E|S``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from perturbations import Sentence, Span

LABELS = ("B", "M", "E", "S")

WORD, CUT = "word", "cut"
"""Span types: whole characters, or a border inside a run."""

PARTS = "|"

_PIECE = re.compile(r"[0-9A-Za-z０-９Ａ-Ｚａ-ｚ\u00c0-\u024f]+|\S")


def pieces_of(word: str) -> list[str]:
    """A word's characters; Latin and digit runs stay whole."""
    return _PIECE.findall(word)


def labels_of(length: int) -> tuple[str, ...]:
    """The labels of a word of ``length`` characters."""
    return ("B", *["M"] * (length - 2), "E") if length > 1 else ("S",)


def sentence_of(words: Sequence[str], spaces: Sequence[str] | None = None) -> Sentence:
    """The sentence of these words; ``spaces`` follow each.

    By default only runs that would merge get a space. White space splits words.
    """
    tokens: list[str] = []
    labels: list[str] = []
    gaps: list[str] = []
    for number, word in enumerate(words):
        parts = word.split()
        for place, part in enumerate(parts):
            if spaces is None and tokens and len(pieces_of(tokens[-1] + part[0])) == 1:
                gaps[-1] = " "
            made = pieces_of(part)
            tokens += made
            labels += labels_of(len(made))
            gaps += [""] * (len(made) - 1) + [" " if spaces is None and place < len(parts) - 1 else ""]
        if spaces is not None and gaps:
            gaps[-1] = spaces[number]
    return Sentence(tuple(tokens), tuple(labels), (*gaps[:-1], "") if gaps else (), policy="bmes")


@lru_cache(maxsize=2**16)
def words_in(labels: tuple[str, ...]) -> tuple[Span, ...]:
    """The words marked by any labels.

    A word ends after E and S, before B and S, and at a missing label.
    """
    found: list[Span] = []
    start: tuple[int, int] | None = None
    signs = [(place, part, parts) for place, parts in enumerate(_split(labels)) for part in range(len(parts))]
    for number, (place, part, parts) in enumerate(signs):
        sign = parts[part]
        if not sign:
            start = None
            continue
        start = (place, part) if start is None else start
        after = signs[number + 1] if number + 1 < len(signs) else None
        if sign in "ES" or after is None or after[2][after[1]] in ("B", "S", ""):
            whole = start[1] == 0 and part == len(parts) - 1
            found.append(Span(start[0], place + 1, WORD if whole else CUT))
            start = None
    return tuple(found)


def _split(labels: Sequence[str]) -> Iterator[list[str]]:
    return (label.split(PARTS) for label in labels)
