"""Another mark at the end, or brackets or quotation marks around it all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from perturbations.catalogue import sentence_level
from perturbations.families.word.insertion import single_words
from perturbations.languages import ANY, Language, language_named, optional_rules
from perturbations.languages.parts import Borders
from perturbations.numbered import OnDemand
from perturbations.sites import in_entity, is_running_text
from perturbations.text import Edit, Origins, Sentence

MARKS = (".", "...")
"""Final marks where a language has no others [TextFlint, catalogue name "Punctuation"]."""

PAIRS = (("(", ")"), ('"', '"'), ("“", "”"))
"""Brackets and quotation marks where a language has no others."""

_FINAL = re.compile(r"[.…!?,;:。！？，；：、]+")
_GLUED = re.compile(r"([^\W\d]{2,})([.…!?,;:]+)")
"""A word with its mark in one token, such as "saiu."; "S.A." and "2." are none."""
_STATES = re.compile(r"[.…!。！]+")
"""The marks that end a statement."""
_DOTS = re.compile(r"[.…。]{2,}|…")
_LONGEST_SHORT = 3
"""Letters of a last word that is as often short for another: "art .", "fls ."."""
_GOES_ON = frozenset(",;:，；：、-–—")
_QUOTES = frozenset('"“”„«»‘’「」『』')
_QUOTES_OF_COLUMNS = frozenset(["``", "''"])
_ENDS_STATEMENT = frozenset(".…!?。！？")
_BRACKETS = frozenset("()[]{}（）【】")


class _Ending(NamedTuple):
    """Where the final marks begin, what of the last token is left without them, and the marks themselves."""

    start: int
    word: str | None
    marks: str


@sentence_level(
    title="Punctuation around the text",
    kind="pragmatics",
    aliases=("Punctuation",),
    knows=("final_marks",),
    example=("[Ana Sá PESSOA] saiu .", "“ [Ana Sá PESSOA] saiu . ”"),
)
def punctuation(
    sentence: Sentence, *, bracket: bool = True, marks: tuple[str, ...] = MARKS, language: str = ANY
) -> list[Sequence[Edit]]:
    """Changes the final mark, or adds quotation marks or brackets [TextFlint, catalogue name "Punctuation"].

    The marks that end a statement become one of ``marks``, so a full stop becomes dots. These marks stay: marks after
    numbers, words in capitals and short words; question marks; and marks inside an entity. No mark is added to text
    without one.

    With ``bracket``, quotation marks go around text that has none and does not end with a comma, semicolon, colon or
    dash; round brackets go around one sentence without brackets. Marks and pairs are chosen uniformly. In Chinese the
    mark 。 replaces ！ and ……, and the pairs are “ ” and （ ）.
    """
    borders = optional_rules(language, "borders", Borders)
    layout = None if borders is None else borders.layout(sentence)
    if not any(map(str.isalnum, "".join(sentence.tokens))) or (borders is not None and layout is None):
        return []
    known = Language(name=ANY) if language == ANY else language_named(language)
    others = known.final_marks if known.final_marks and marks == MARKS else single_words(marks, "marks")
    gap = layout.gap if layout is not None else "" if is_running_text(sentence) else " "
    ending = _ending(sentence)
    edits: list[Callable[[], Edit]] = []
    if _states(sentence, ending):
        new = [
            (mark,) if layout is None else layout.cut((mark,)) for mark in others if not _is_same(mark, ending.marks)
        ]
        edits += [partial(_end_with, sentence, ending, mark, gap) for mark in new]
    if bracket:
        pairs = _fitting(sentence, ending, known.brackets or PAIRS)
        edits += [partial(_wrap, sentence, pair, gap) for pair in pairs]
    return [OnDemand(len(edits), lambda number: edits[number]())] if edits else []


def _ending(sentence: Sentence) -> _Ending:
    tokens = sentence.tokens
    start = len(tokens)
    while start and _FINAL.fullmatch(tokens[start - 1]) and not in_entity(sentence, start - 1):
        start -= 1
    glued = _GLUED.fullmatch(tokens[-1])
    if start == len(tokens) and glued and not in_entity(sentence, start - 1):
        return _Ending(start, *glued.groups())
    return _Ending(start, None, "".join(tokens[start:]))


def _states(sentence: Sentence, ending: _Ending) -> bool:
    """Whether it is a statement whose last word is a plain one, no number, word in capitals, short form or sign."""
    last = ending.word or "".join(sentence.tokens[ending.start - 1 : ending.start])
    is_whole = not last.isascii() or len(last) > _LONGEST_SHORT
    return bool(_STATES.fullmatch(ending.marks)) and last.isalpha() and not last.isupper() and is_whole


def _is_same(mark: str, other: str) -> bool:
    """Whether the marks are the same; dots are dots, however many and however written."""
    return mark == other or bool(_DOTS.fullmatch(mark) and _DOTS.fullmatch(other))


def _fitting(sentence: Sentence, ending: _Ending, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The pairs that can go around the text."""
    tokens, signs = sentence.tokens, set("".join(sentence.tokens))
    if tokens[-1][-1] in _GOES_ON or not any(map(str.isalpha, signs)):
        return
    has_quotes = not signs.isdisjoint(_QUOTES) or not _QUOTES_OF_COLUMNS.isdisjoint(tokens)
    last = ending.start - (ending.word is not None)
    is_one = _ENDS_STATEMENT.isdisjoint([token[-1] for token in tokens[:last]])
    for pair in pairs:
        if not has_quotes if pair[0] in _QUOTES else is_one and signs.isdisjoint(_BRACKETS):
            yield pair


def _end_with(sentence: Sentence, ending: _Ending, mark: Sequence[str], gap: str) -> Edit:
    """The edit that puts the mark, cut into tokens, in the place of those that end the text."""
    start, word, _ = ending
    last = sentence.spaces[-1]
    if word is None:
        return Edit(start, len(sentence), tuple(mark), spaces=(*[gap] * (len(mark) - 1), last))
    return Edit(start - 1, start, (word, *mark), spaces=("", last), origins=((start - 1,), (start - 1,)))


def _wrap(sentence: Sentence, pair: tuple[str, str], gap: str) -> Edit:
    """The edit of the whole sentence, since both signs belong together."""
    spaces = (gap, *sentence.spaces[:-1], gap, sentence.spaces[-1])
    origins: Origins = ((), *zip(range(len(sentence)), strict=True), ())
    return Edit(0, len(sentence), (pair[0], *sentence.tokens, pair[1]), spaces=spaces, origins=origins)
