"""The sentences of a passage, those with answers among them, and edits of whole sentences."""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import pairwise

from perturbations.languages import has, optional_rules
from perturbations.languages.language import words_in
from perturbations.languages.parts import OmittedSubjects
from perturbations.lexicons import words
from perturbations.stops import sentences_in
from perturbations.text import Edit, Sentence, Span

PassagePart = tuple[int, int]
"""Tokens ``start`` up to but not including ``stop`` that are a sentence of a passage."""


def holds(part: PassagePart, spans: Sequence[Span]) -> bool:
    """Whether a sentence has a token of one of the spans."""
    return any(span.start < part[1] and part[0] < span.stop for span in spans)


def parts_of(passage: Sentence, answers: Sequence[Span]) -> list[PassagePart]:
    """The sentences of a passage; those that one answer reaches across are one."""
    found: list[PassagePart] = []
    for start, stop in sentences_in(passage):
        if found and any(span.start < start < span.stop for span in answers):
            found[-1] = (found[-1][0], stop)
        else:
            found.append((start, stop))
    return found


def looks_back(passage: Sentence, part: PassagePart, language: str) -> bool:
    """Whether a sentence needs the one before it: it begins with *he*, *this* or *however*, or with a finite verb."""
    if not has(language, "anaphors"):
        return False
    listed = words(f"anaphors_{language}")
    tokens = [token.lower() for token in passage.tokens[part[0] : part[1]]]
    phrases = (each.split() for each in listed if " " in each)
    omitted = optional_rules(language, "omitted_subjects", OmittedSubjects)
    return (
        (omitted is not None and omitted.lacks_subject(tokens))
        or tokens[0] in listed
        or not (listed - _ONLY_FIRST).isdisjoint(tokens[1:_OPENING])
        or any(tokens[: len(phrase)] == phrase for phrase in phrases)
    )


def points_back(passage: Sentence, part: PassagePart, language: str, reach: int | None = None) -> bool:
    """Whether a word of a sentence, one of its first ``reach``, points to something told before: *it*, *such*."""
    if not has(language, "pointing_words"):
        return False
    tokens = [token.lower() for token in passage.tokens[slice(*part)]][:reach]
    phrases = [tuple(each.split()) for each in words(f"pointing_words_{language}")]
    longest = max(map(len, phrases))
    runs = {tuple(tokens[k : k + n]) for n in range(1, longest + 1) for k in range(len(tokens))}
    return not runs.isdisjoint(phrases)


def tells_first(passage: Sentence, part: PassagePart, before: Sequence[PassagePart]) -> tuple[set[str], set[str]]:
    """The short names, and the first letters of the words, that a sentence has and none before it.

    A short name is the last word of a longer one, or a word between brackets: *Jacquard*, *(WSE)*.
    """
    tokens = passage.tokens[slice(*part)]
    known = {token for start, stop in before for token in passage.tokens[start:stop]}
    names = {
        token
        for led, token in pairwise(tokens)
        if token[0].isupper() and token not in known and (led in _NAMING or led[0].isupper())
    }
    return names, stems_in(passage, [part]) - stems_in(passage, before)


_NAMING = frozenset(["(", ",", "named", "called", "chamado", "chamada"])
"""What stands before a name that is told for the first time."""


def speaks_of(passage: Sentence, part: PassagePart, names: Set[str], stems: Set[str]) -> bool:
    """Whether a sentence has one of the short names alone, or one of the words with a definite article before it."""
    tokens = passage.tokens[slice(*part)]
    if any(token in names and not led[:1].isupper() for led, token in pairwise(("", *tokens))):
        return True
    return any(
        _stem(token) in stems
        for k in range(1, len(tokens))
        if tokens[k - 1].lower() in DEFINITE
        for token in tokens[k : k + 2]
        if token[0].islower()
    )


def stems_in(passage: Sentence, parts: Sequence[PassagePart]) -> set[str]:
    """The first letters of the words of sentences, in lower case."""
    return {_stem(token) for part in parts for token in passage.tokens[slice(*part)] if len(token) >= _SHORTEST}


def _stem(word: str) -> str:
    return word.lower()[:_STEM]


_STEM, _SHORTEST = 5, 4
"""Letters by which words are compared, and those of the shortest of them."""

DEFINITE = frozenset(["the", "o", "a", "os", "as"])
"""Definite articles."""

_OPENING = 5
"""Words at the beginning of a sentence in which a word looks back."""

_ONLY_FIRST = words_in(
    "and or first second third one ones still yet either which who whose then there soon previously "
    "e ou primeiro segundo onde apenas só caso embora enquanto cuja cujo logo lá primeiramente"
)
"""Words that look back only as the first of a sentence."""


def reorder(passage: Sentence, parts: Sequence[PassagePart]) -> Edit:
    """The edit that puts the sentences in this order; the white space between two stays what it was."""
    first = min(start for start, _ in parts)
    last = max(stop for _, stop in parts)
    places = [place for start, stop in parts for place in range(start, stop)]
    spaces = [passage.spaces[place] for place in places]
    end = 0
    gaps = [passage.spaces[stop - 1] for _, stop in sorted(parts)]
    for (start, stop), gap in zip(parts, gaps, strict=True):
        end += stop - start
        spaces[end - 1] = gap
    tokens = tuple(passage.tokens[place] for place in places)
    return Edit(first, last, tokens, spaces=tuple(spaces), origins=tuple((place,) for place in places))
