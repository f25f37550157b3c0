"""Where sentences end within a text: one splitter for all perturbations."""

from __future__ import annotations

import re
from collections.abc import Sequence

from perturbations.lexicons import words
from perturbations.text import Sentence, entity_starts

STOPS = frozenset([".", "!", "?", "。", "！", "？"])
"""Marks that can end a sentence anywhere in a text."""

_DOTS = re.compile(r"\.{2,}|…+")
"""Ellipses end a sentence only at the end of a text."""

_CLOSES = {
    ")": "(",
    "]": "[",
    "）": "（",
    "】": "【",
    "”": "“",
    "»": "«",
    "」": "「",
    "』": "『",
    "’’": "‘‘",
    "''": "``",
}
_OPENS = frozenset(_CLOSES.values())
_BOTH = frozenset(['"'])
_CLOSING = frozenset([*_CLOSES, *_BOTH, "'", "’"])
_OPENING = frozenset([*_OPENS, *_BOTH, "'", "‘", "¿", "¡", "-", "–", "—"])

_VOWELS = frozenset("aeiouyáàâãäéèêëíîïóôõöúùûü")
_LONGEST_WITHOUT_VOWEL = 4
_INNER_STOP = re.compile(r"[^\W\d](\.[^\W\d]+)+\.?")
"""Letters with full stops between, such as ``U.S`` and ``p.m``."""
_NUMBER = re.compile(r"[^\W_]*\d[\d.,/:ºª°-]*")


def is_abbreviation(word: str) -> bool:
    """Whether a full stop behind the word marks an abbreviation or an initial rather than the end of a sentence.

    A single letter of an alphabet, letters with full stops between, up to four letters without a vowel that are not all
    capitals, and the words of the list of abbreviations.
    """
    word = word.rpartition("-")[2] or word
    lower = word.lower()
    if len(word) == 1:
        return lower != word.upper()
    if lower in words("abbreviations") or _INNER_STOP.fullmatch(word):
        return True
    return (
        len(word) <= _LONGEST_WITHOUT_VOWEL
        and word.isalpha()
        and lower != word.upper()
        and not word.isupper()
        and _VOWELS.isdisjoint(lower)
    )


def abbreviates(tokens: Sequence[str], place: int) -> bool:
    """Whether the token is a full stop that belongs to the word before it: *Mr .*, *U.S .*, *fls .*, *J .*."""
    return tokens[place] == "." and place > 0 and is_abbreviation(tokens[place - 1])


def belongs_to_word(tokens: Sequence[str], place: int, start: int) -> bool:
    """Whether the token is a full stop that ends no sentence, in one that begins at ``start``.

    It belongs to an abbreviation or an initial, or to a number that begins the sentence or follows an abbreviation.
    """
    return abbreviates(tokens, place) or _counts(tokens, place, start)


def _counts(tokens: Sequence[str], place: int, start: int) -> bool:
    if tokens[place] != "." or place <= start or not _NUMBER.fullmatch(tokens[place - 1]):
        return False
    first = place - 1
    while first > start and _NUMBER.fullmatch(tokens[first - 1]):
        first -= 1
    return first == start or is_abbreviation(tokens[first - 1]) or abbreviates(tokens, first - 1)


def sentences_in(text: Sentence) -> list[tuple[int, int]]:
    """The sentences of a text as stretches of tokens, from left to right; together they are all of it.

    A sentence ends with a stop outside of entities, quotation marks and brackets, and what closes behind it. The next
    one has to begin with a capital if the text has any, behind white space if its script has some, and both need a
    word. No full stop of an abbreviation, an
    initial or a number that is counted or cited ends one, and no ellipsis. The last stretch may lack its end: see
    `ends_text`.
    """
    tokens, taken = text.tokens, _taken_places(text)
    has_case = any(token[0].isupper() for token in tokens)
    found: list[tuple[int, int]] = []
    open_marks: list[str] = []
    start = place = 0
    has_word = False
    while place < len(tokens):
        token = tokens[place]
        _mark(open_marks, token)
        place += 1
        has_word = has_word or _is_word(token)
        if token not in STOPS or taken[place - 1] or open_marks or not has_word:
            continue
        if belongs_to_word(tokens, place - 1, start) or tokens[place : place + 1] == (".",):
            continue
        if tokens[place - 2] == tokens[place - 1] == ".":
            continue  # dots that are a token each
        while place < len(tokens) and (tokens[place] in STOPS or tokens[place] in _CLOSES) and not taken[place]:
            _mark(open_marks, tokens[place])
            place += 1
        if _begins(text, place, has_case):
            found.append((start, place))
            start, has_word = place, False
    if start < len(tokens):
        found.append((start, len(tokens)))
    return found


def ends_text(text: Sentence) -> bool:
    """Whether the text ends as a sentence does: with a stop or dots and what closes behind it."""
    tokens, taken = text.tokens, _taken_places(text)
    last = len(tokens) - 1
    while last > 0 and tokens[last] in _CLOSING and not taken[last]:
        last -= 1
    if last < 1 or taken[last]:
        return False
    return (
        bool(_DOTS.fullmatch("".join(tokens[last - 1 : last + 1])))
        or bool(_DOTS.fullmatch(tokens[last]))
        or (tokens[last] in STOPS and not is_cut(text))
    )


def is_cut(text: Sentence) -> bool:
    """Whether the last token is a full stop that ends no sentence: the text goes on elsewhere, as behind *( fls .*."""
    last = len(text) - 1
    if last < 0 or text.tokens[last] != ".":
        return False
    start, _ = sentences_in(text)[-1]
    return belongs_to_word(text.tokens, last, start)


def _taken_places(text: Sentence) -> Sequence[bool]:
    if text.entity_tags is None:
        return (False,) * len(text)
    return [start is not None for start in entity_starts(text.entity_tags)]


def _mark(open_marks: list[str], token: str) -> None:
    """Opens or closes a bracket or a quotation; a sign that closes nothing is none."""
    if token in _BOTH:
        if token in open_marks:
            del open_marks[open_marks.index(token) :]
        else:
            open_marks.append(token)
    elif token in _OPENS:
        open_marks.append(token)
    elif token in _CLOSES and _CLOSES[token] in open_marks:
        del open_marks[open_marks.index(_CLOSES[token]) :]


def _begins(text: Sentence, place: int, has_case: bool) -> bool:
    """Whether a sentence can begin there: with a word, behind white space and with a capital where there are such."""
    first = place
    while first < len(text) and text.tokens[first] in _OPENING:
        first += 1
    letter = text.tokens[first][0] if first < len(text) else ""
    if not letter.isalpha():
        return False
    if letter.lower() == letter.upper():
        return True
    return bool(text.spaces[place - 1]) and (letter.isupper() or not has_case)


def _is_word(token: str) -> bool:
    return any(map(str.isalnum, token))
