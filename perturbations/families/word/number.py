"""Numbers that are other numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from perturbations.catalogue import word_level
from perturbations.families.word.amounts import is_amount
from perturbations.families.word.swapping import with_article
from perturbations.languages import ANY, language_named, optional_rules, rules, with_parts
from perturbations.languages.amounts import largest_for
from perturbations.languages.parts import Articles, Borders, Numbers, Sites
from perturbations.sites import in_case_of
from perturbations.text import Edit, Sentence

_NUMBER = re.compile(r"([1-9]\d{0,2}(?:\.\d{3})*|[1-9]\d{0,2}(?:,\d{3})+)([.,]\d{1,2})?([%‰]?)", re.ASCII)
_STEPS = range(1, 9)
_STRIDES = (1, 3, 7, 9)
"""Steps are multiplied by these, digit by digit, so that digits change unlike each other: step 5 by 3 is 15, so 5 on.

None shares a factor with 10, so that every digit changes.
"""


def _in_context(sentence: Sentence, *, language: str) -> Sites:
    """The amounts of the sentence, each with the edits that make it another one."""
    numbers = optional_rules(language, "numbers", Numbers)
    if numbers is not None:
        layout = rules(language, "borders", Borders).layout(sentence)
        return [] if layout is None else numbers.other_numbers(layout)
    articles = optional_rules(language, "articles", Articles) if language != ANY else None
    found = [(place, _others(token, language)) for place, token in enumerate(sentence.tokens)]
    return [
        [with_article(sentence, Edit(place, place + 1, (other,)), articles) for other in others]
        for place, others in found
        if others and is_amount(sentence, place, language)
    ]


@word_level(
    title="Other numbers",
    kind="lexis",
    aliases=("SwapNum",),
    knows=("number_words", "numbers", "beside_numbers"),
    across=_in_context,
    relation="loses",
    example=("o art. 81 , de 2010 , três vezes em 40 dias", "o art. 81 , de 2010 , oito vezes em 20 dias"),
)
def number(word: str, *, language: str = ANY) -> tuple[str, ...]:
    """Replaces an amount with another of the same number of digits [TextFlint, catalogue name "SwapNum"].

    An amount stands directly before the thing counted or measured, in small letters, before % or after a currency, such
    as "15 dias" and "R$ 300,00". An age between commas after a name counts too. All digits change except trailing
    zeros, so round numbers stay round; decimal and thousands marks stay. Number words from three to ten become other
    number words of the ``language``; with "any", of the first language that has the word.

    These stay: dates, years, times, ordinals, numbers of several words, ranges, scores, citations, set phrases and
    other names; more than three digits in a row; numbers below two, because other words agree with them; numbers that
    occur twice in the sentence; and several percentages or sums of money.

    Hours, days and minutes remain possible: a number up to 9, 24, 31, 59 or 100 does not exceed that limit, and a
    larger number at most triples. In Chinese one digit changes.
    """
    return _others(word, language)


@lru_cache(2**14)
def _others(word: str, language: str) -> tuple[str, ...]:
    for counted in _number_words(language):
        if word.lower() in counted:
            return tuple(in_case_of(word, other) for other in counted if other != word.lower())
    found = _NUMBER.fullmatch(word)
    if found is None or _value(word) < 2:
        return ()
    return tuple(other for other in _alike(word) if 2 <= _value(other) <= largest_for(_value(word)))


def _alike(written: str) -> Iterable[str]:
    """Numbers of the same shape of which every digit is another, except zeros at the end; of long ones not all."""
    if written.isdigit() and len(written) == 2 and written[1] != "0":
        return (str(value) for value in range(10, 100) if all(a != b for a, b in zip(str(value), written, strict=True)))
    return dict.fromkeys(_shift_digits(written, step) for step in _STEPS)


@cache
def _number_words(language: str) -> Sequence[tuple[str, ...]]:
    """The number words of the language, or of each that has some."""
    spoken = with_parts("number_words") if language == ANY else [language]
    return [language_named(code).number_words for code in spoken]


def _value(written: str) -> int:
    """The number without what stands behind a decimal mark, and without its sign."""
    found = _NUMBER.fullmatch(written)
    assert found is not None
    return int(re.sub("[.,]", "", found[1]))


def _shift_digits(written: str, step: int) -> str:
    """The number with every digit moved on, but for zeros at the end; the first stays from 1 to 9."""
    changing = written.rstrip("0.,%‰")
    shifted, place = "", 0
    for char in changing:
        if not char.isdigit():
            shifted += char
        elif place == 0:
            shifted += str((int(char) - 1 + step) % 9 + 1)
            place = 1
        else:
            shifted += str((int(char) + step * _STRIDES[place % len(_STRIDES)]) % 10)
            place += 1
    return shifted + written[len(changing) :]
