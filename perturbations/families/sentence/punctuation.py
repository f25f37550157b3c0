"""Another mark at the end, and brackets or quotation marks around it all."""

from __future__ import annotations

import re
from typing import NamedTuple

from perturbations.catalogue import sentence_level
from perturbations.families.grammar.sites import in_entities, is_running_text
from perturbations.families.word.insertion import single_words
from perturbations.text import Edit, Sentence

MARKS = (".", "...", ",", ";")
"""[TextFlint, catalogue name "Punctuation"]"""

PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ('"', '"'), ("“", "”"), ("«", "»"))

_FINAL = re.compile(r"[.…!?,;:]+")
_GLUED = re.compile(r"([^\W\d]{2,})([.…!?,;:]+)")
"""A word with its mark in one token, such as "saiu."; "S.A." and "2." are none."""


class _Ending(NamedTuple):
    """Where the final marks begin, what of the last token is left without them, and the marks themselves."""

    start: int
    word: str | None
    marks: str


@sentence_level(aliases=("Punctuation",), example=("[Ana Sá PESSOA] saiu .", "« [Ana Sá PESSOA] saiu ; »"))
def punctuation(sentence: Sentence, *, bracket: bool = True, marks: tuple[str, ...] = MARKS) -> list[list[Edit]]:
    """Another final mark and brackets or quotation marks around it all [TextFlint, catalogue name "Punctuation"].

    All marks that end the sentence give way to one; where there are none, one is added. Marks that are part of an
    entity stay. Each mark and each pair around it is equally likely; without ``bracket`` there is no pair.
    """
    if not sentence.tokens:
        return []
    ending = _ending(sentence)
    others = [mark for mark in single_words(marks, "marks") if mark != ending.marks]
    pairs = PAIRS if bracket else ((),)
    return [[_edit(sentence, ending, mark, pair) for pair in pairs for mark in others]]


def _ending(sentence: Sentence) -> _Ending:
    tokens, taken = sentence.tokens, in_entities(sentence)
    start = len(tokens)
    while start and not taken[start - 1] and _FINAL.fullmatch(tokens[start - 1]):
        start -= 1
    glued = _GLUED.fullmatch(tokens[-1])
    if start == len(tokens) and glued and not taken[-1]:
        return _Ending(start, *glued.groups())
    return _Ending(start, None, "".join(tokens[start:]))


def _edit(sentence: Sentence, ending: _Ending, mark: str, pair: tuple[str, ...]) -> Edit:
    start, word, _ = ending
    count = len(sentence)
    is_text = is_running_text(sentence)
    gap = "" if is_text or word is not None else " "
    body = sentence.tokens[:start] if word is None else (*sentence.tokens[:-1], word)
    tokens = (*body, mark)
    spaces = (*sentence.spaces[:start], sentence.spaces[-1])
    if start == count:
        spaces = (*sentence.spaces[:-1], gap, sentence.spaces[-1])
    origins = (*((i,) for i in range(start)), (start,) if start < count else ())
    if pair:
        opening, closing = pair
        inner = "" if is_text else " "
        tokens, spaces = (opening, *tokens, closing), (inner, *spaces[:-1], inner, spaces[-1])
        return Edit(0, count, tokens, spaces=spaces, origins=((), *origins, ()))
    same = max(start - 1, 0)
    return Edit(same, count, tokens[same:], spaces=spaces[same:], origins=origins[same:])
