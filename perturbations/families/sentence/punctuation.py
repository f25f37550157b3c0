"""Another mark at the end, and brackets or quotation marks around it all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from perturbations.catalogue import sentence_level
from perturbations.families.sentence.unspaced import punctuated
from perturbations.families.word.insertion import single_words
from perturbations.languages import ANY, Language, language_named, optional_rules
from perturbations.languages.parts import Borders
from perturbations.sites import in_entities, is_running_text
from perturbations.text import Edit, Origins, Sentence

MARKS = (".", "...", ",", ";")
"""Final marks where a language has no others [TextFlint, catalogue name "Punctuation"]."""

PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ('"', '"'), ("“", "”"), ("«", "»"))
"""Brackets and quotation marks where a language has no others."""

_FINAL = re.compile(r"[.…!?,;:]+")
_GLUED = re.compile(r"([^\W\d]{2,})([.…!?,;:]+)")
"""A word with its mark in one token, such as "saiu."; "S.A." and "2." are none."""


class _Ending(NamedTuple):
    """Where the final marks begin, what of the last token is left without them, and the marks themselves."""

    start: int
    word: str | None
    marks: str


@sentence_level(
    kind="pragmatics",
    aliases=("Punctuation",),
    knows=("final_marks",),
    example=("[Ana Sá PESSOA] saiu .", "« [Ana Sá PESSOA] saiu ; »"),
)
def punctuation(
    sentence: Sentence, *, bracket: bool = True, marks: tuple[str, ...] = MARKS, language: str = ANY
) -> list[list[Edit]]:
    """Another final mark and brackets or quotation marks around it all [TextFlint, catalogue name "Punctuation"].

    All marks that end the sentence give way to one; where there are none, one is added. Marks that are part of an
    entity stay. Each mark and each pair around it is equally likely; without ``bracket`` there is no pair. In Chinese
    the marks are 。 ， ； …… and the pairs “ ” （ ） 【 】 「 」, of a kind that the text has not; a closing bracket at
    the end gets no mark behind it.
    """
    if not sentence.tokens:
        return []
    known = Language(name=ANY) if language == ANY else language_named(language)
    others = known.final_marks if known.final_marks and marks == MARKS else single_words(marks, "marks")
    borders = optional_rules(language, "borders", Borders)
    if borders is not None:
        layout = borders.layout(sentence)
        return [] if layout is None else punctuated(layout, others, known.brackets, bracket=bracket)
    ending = _ending(sentence)
    new = [mark for mark in others if mark != ending.marks]
    pairs = known.brackets or PAIRS
    return [_wrapped(sentence, ending, new, pairs) if bracket else _ended(sentence, ending, new)]


def _ending(sentence: Sentence) -> _Ending:
    tokens, taken = sentence.tokens, in_entities(sentence)
    start = len(tokens)
    while start and not taken[start - 1] and _FINAL.fullmatch(tokens[start - 1]):
        start -= 1
    glued = _GLUED.fullmatch(tokens[-1])
    if start == len(tokens) and glued and not taken[-1]:
        return _Ending(start, *glued.groups())
    return _Ending(start, None, "".join(tokens[start:]))


def _ended(sentence: Sentence, ending: _Ending, marks: Sequence[str]) -> list[Edit]:
    body, spaces, origins = _without_marks(sentence, ending)
    same = max(ending.start - 1, 0)
    last, spaces, origins = body[same:], spaces[same:], origins[same:]
    return [Edit(same, len(sentence), (*last, mark), spaces=spaces, origins=origins) for mark in marks]


def _wrapped(sentence: Sentence, ending: _Ending, marks: Sequence[str], pairs: Sequence[tuple[str, str]]) -> list[Edit]:
    body, spaces, origins = _without_marks(sentence, ending)
    inner = "" if is_running_text(sentence) else " "
    spaces, origins = (inner, *spaces[:-1], inner, spaces[-1]), ((), *origins, ())
    count = len(sentence)
    return [
        Edit(0, count, (opening, *body, mark, closing), spaces=spaces, origins=origins)
        for opening, closing in pairs
        for mark in marks
    ]


def _without_marks(sentence: Sentence, ending: _Ending) -> tuple[tuple[str, ...], tuple[str, ...], Origins]:
    """The tokens without their final marks; what follows each and the mark to come; and their origins."""
    start, word, _ = ending
    body = sentence.tokens[:start] if word is None else (*sentence.tokens[:-1], word)
    origins = tuple((i,) for i in range(start))
    if start < len(sentence):
        return body, (*sentence.spaces[:start], sentence.spaces[-1]), (*origins, (start,))
    gap = "" if word is not None or is_running_text(sentence) else " "
    return body, (*sentence.spaces[:-1], gap, sentence.spaces[-1]), (*origins, ())
