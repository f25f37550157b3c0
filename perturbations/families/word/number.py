"""Numbers that are other numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from perturbations.catalogue import word_level
from perturbations.languages import ANY, language_named, optional_rules, rules, with_parts
from perturbations.languages.parts import Borders, Numbers, Sites
from perturbations.sites import in_case_of
from perturbations.text import Sentence

_NUMBER = re.compile(r"(\d+(?:[.,]\d+)*)([%ºª°]?)", re.ASCII)
_STEPS = range(1, 9)
_STRIDES = (1, 3, 7, 9)
"""Steps are multiplied by these, digit by digit, so that digits change unlike each other: step 5 by 3 is 15, so 5 on.

None shares a factor with 10, so that every digit changes.
"""

_YEARS = (1900, 2099)
_NEAR = 30
"""Years are replaced by years at most so far away."""


def _across_tokens(sentence: Sentence, *, language: str) -> Sites | None:
    """The sites where words are no tokens; None where they are."""
    numbers = optional_rules(language, "numbers", Numbers)
    if numbers is None:
        return None
    layout = rules(language, "borders", Borders).layout(sentence)
    return [] if layout is None else numbers.other_numbers(layout)


@word_level(
    kind="lexis",
    rate=0.1,
    aliases=("SwapNum",),
    knows=("number_words", "numbers"),
    across=_across_tokens,
    example=("o art. 81 , de 2010 , três vezes", "o art. 94 , de 1998 , oito vezes"),
)
def number(word: str, *, language: str = ANY) -> tuple[str, ...]:
    """Another number of as many digits, at the same decimal and thousands marks [TextFlint, catalogue name "SwapNum"].

    All digits change, except zeros in front, which stay. Numbers from 1900 to 2099 are taken for years and become years
    at most 30 away. A percent or ordinal sign stays. Number words from three to ten become others of the ``language``;
    with "any", of the first one that has the word. Dates, times, and numbers with a hyphen or slash in them stay: they
    would cease to be any. In Chinese one digit changes, and dates and times stay possible.
    """
    for counted in _counted(language):
        if word.lower() in counted:
            return tuple(in_case_of(word, other) for other in counted)
    found = _NUMBER.fullmatch(word)
    if found is None:
        return ()
    written, sign = found.groups()
    if len(written) == 4 and written.isdigit() and _YEARS[0] <= int(written) <= _YEARS[1]:
        years = range(max(_YEARS[0], int(written) - _NEAR), min(_YEARS[1], int(written) + _NEAR) + 1)
        return tuple(f"{year}{sign}" for year in years if year != int(written))
    if written == "0":
        return tuple(f"{digit}{sign}" for digit in range(1, 10))
    return tuple(dict.fromkeys(_shifted(written, step) + sign for step in _STEPS))


@cache
def _counted(language: str) -> Sequence[tuple[str, ...]]:
    """The number words of the language, or of each that has some."""
    spoken = with_parts("number_words") if language == ANY else [language]
    return [language_named(code).number_words for code in spoken]


def _shifted(written: str, step: int) -> str:
    """The number with every digit moved on, but for zeros in front; the first stays from 1 to 9."""
    shifted, place = "", 0
    for char in written:
        if not char.isdigit() or (place == 0 and char == "0"):
            shifted += char
        elif place == 0:
            shifted += str((int(char) - 1 + step) % 9 + 1)
            place = 1
        else:
            shifted += str((int(char) + step * _STRIDES[place % len(_STRIDES)]) % 10)
            place += 1
    return shifted
