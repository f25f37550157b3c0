"""Numbers in French words."""

from __future__ import annotations

import re

from perturbations.languages.fr.nouns import gender_by_ending, gender_by_spacy
from perturbations.languages.language import words_in
from perturbations.languages.parts import Gender
from perturbations.text import Edit, Sentence

LARGEST = 999_999
"""The largest number that `numeral` writes."""

_SMALL = (
    *("zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze"),
    *("treize", "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf"),
)
_TENS = {20: "vingt", 30: "trente", 40: "quarante", 50: "cinquante", 60: "soixante", 80: "quatre-vingt"}
_MONTHS = words_in("janvier février mars avril mai juin juillet août septembre octobre novembre décembre")
_ORDINAL_AFTER = words_in(
    "article articles art. page pages p. chapitre chapitres chap. numéro numéros n° nº an tome tomes alinéa"
)
"""Behind these a number tells a place in a row: *page quatre-vingt*, without the sign of the plural, and *un*."""

_YEARS = range(1100, 2100)
_NUMBER = re.compile(r"0|[1-9]\d{0,5}")
_TOUCHING = frozenset(["-", "–", "/", ":", "+", "×", "x", "=", "€", "$", "£", "%", "°", "n°-"])
"""Signs that make a code, a time, a sum or an amount of a number."""


def written_out(sentence: Sentence, agreement: str = "endings") -> list[list[Edit]]:
    """For each whole number in digits the edit that writes it in words: *deux cent trois*, *premier mai*.

    A number that ends in one agrees with the noun behind it; where the gender of that is not told, and in codes, times,
    decimals and amounts with a sign, the number stays.
    """
    sites = []
    for place, token in enumerate(sentence.tokens):
        words = _words(sentence, place, agreement) if _NUMBER.fullmatch(token) else None
        if words is not None:
            tokens = tuple((words.upper() if sentence.text.isupper() else words).split())
            spaces = (*(" ",) * (len(tokens) - 1), sentence.spaces[place])
            sites.append([Edit(place, place + 1, tokens, spaces=spaces)])
    return sites


def _words(sentence: Sentence, place: int, agreement: str) -> str | None:
    """The number as it is read where it stands; None where that cannot be told."""
    value = int(sentence.tokens[place])
    before = sentence.tokens[place - 1].lower() if place else ""
    following = sentence.tokens[place + 1].lower() if place + 1 < len(sentence) else ""
    if _TOUCHING & {before, following} or _is_glued(sentence, place):
        return None
    if before[-1:].isdigit() or following[:1].isdigit():
        return None
    if following in _MONTHS:
        return ("premier" if value == 1 else numeral(value)) if value <= 31 else None
    in_a_row = before in _ORDINAL_AFTER or before in _MONTHS or (value in _YEARS and len(str(value)) == 4)
    if in_a_row:
        return numeral(value, plural=False)
    if value % 10 != 1 or value % 100 in (11, 71, 91):
        return numeral(value)
    gender = gender_by_ending(following)
    if gender is None and agreement == "spacy":
        gender = gender_by_spacy(sentence, place + 1)
    return None if gender is None else numeral(value, gender=gender)


def _is_glued(sentence: Sentence, place: int) -> bool:
    """Whether it touches a word or a number by a mark, as decimals and thousands do where they are cut."""
    tokens, spaces = sentence.tokens, sentence.spaces
    before = place > 1 and spaces[place - 1] == "" and tokens[place - 1] in (",", ".", "'") and spaces[place - 2] == ""
    behind = spaces[place] == "" and place + 1 < len(sentence) and tokens[place + 1][:1].isalnum()
    inside = place > 0 and spaces[place - 1] == "" and tokens[place - 1][-1:].isalnum()
    comma = place + 2 < len(sentence) and tokens[place + 1] in (",", ".") and tokens[place + 2][:1].isdigit()
    return before or behind or inside or comma


def numeral(value: int, *, plural: bool = True, gender: Gender = "man") -> str:
    """A whole number from 0 to `LARGEST` in words, with hyphens below a hundred.

    *Vingt* and *cent* that are multiplied and end the number have an s, but not with ``plural=False``, as in dates and
    behind *page*. For a feminine noun *un* at the end is *une*.
    """
    if not 0 <= value <= LARGEST:
        raise ValueError(f"{value} has no numeral here; expected a number from 0 to {LARGEST}")
    thousands, rest = divmod(value, 1000)
    parts = []
    if thousands:
        parts.append("mille" if thousands == 1 else f"{_below_thousand(thousands, plural=False)} mille")
    if rest or not thousands:
        parts.append(_below_thousand(rest, plural=plural))
    words = " ".join(parts)
    return words + "e" if gender == "woman" and words.endswith("un") else words


def _below_thousand(value: int, *, plural: bool) -> str:
    hundreds, rest = divmod(value, 100)
    parts = []
    if hundreds:
        cent = "cents" if hundreds > 1 and not rest and plural else "cent"
        parts.append(cent if hundreds == 1 else f"{_SMALL[hundreds]} {cent}")
    if rest or not hundreds:
        parts.append(_below_hundred(rest, plural=plural))
    return " ".join(parts)


def _below_hundred(value: int, *, plural: bool) -> str:
    if value < 20:
        return _SMALL[value]
    ten = max(each for each in _TENS if each <= value)
    unit = value - ten
    if not unit:
        return _TENS[ten] + ("s" if ten == 80 and plural else "")
    if unit in (1, 11) and ten != 80:
        return f"{_TENS[ten]} et {_SMALL[unit]}"
    return f"{_TENS[ten]}-{_SMALL[unit]}"
