"""Numbers in digits written in Chinese characters."""

import re

from perturbations.languages.zh.borders import layout
from perturbations.languages.zh.digits import DigitNumber, digits_of
from perturbations.languages.zh.reading import LARGEST, numeral, spell_digits
from perturbations.text import Edit, Sentence

_COUNTED = "个人名位只条张本次年天家件种座辆间枚块项套台部场份支所架艘头匹周岁户元吨米亩斤倍股小分"
"""Behind 2 these ask for 两; behind a long number they tell an amount from a code. 小 begins hours: 小时."""

_BEFORE_IT, _BEHIND_IT = re.compile(r"\d\D{1,2}\Z"), re.compile(r"\D{1,2}\d")
"""Another number with one or two characters between, as in 5月23日 and 30到40: both are written in one way."""

_SPANS = ("年代", "年来", "年间", "年前", "年后", "年内", "年以", "年之")
"""Words after a number of years, and never after the short form of a year."""


def written_out(sentence: Sentence, agreement: str = "endings") -> list[list[Edit]]:
    """For each number in digits the edit that writes it as it is read: 一百零五 for 105, 二〇二三年 for 2023年.

    Decimals and percentages are read too. What cannot be told stays: codes, times and dates with strokes, 98年 (a year
    or a span), 2000年, rooms and lines such as 301号, numbers beside others such as 5月23日, numbers
    from 10,000 on without commas or a measure word.
    """
    if agreement != "endings":
        raise ValueError(f"agreement is {agreement!r}; Chinese numerals agree with nothing: leave it out")
    found = layout(sentence)
    if found is None:
        return []
    digits = digits_of(found)
    readings = [(number, _reading(number)) for number in digits.numbers()]
    return [
        [digits.replacing(number.start, number.start + len(number.text), reading)]
        for number, reading in readings
        if reading is not None
    ]


def _reading(number: DigitNumber) -> str | None:
    """The number as it is read where it stands; None where that cannot be told."""
    whole, decimals, sign = number.parts
    if int(whole) > LARGEST or _BEFORE_IT.search(number.before) or _BEHIND_IT.match(number.after):
        return None
    amount = numeral(int(whole)) + ("点" + spell_digits(decimals) if decimals else "")
    if sign:
        return ("百分之" if sign == "%" else "千分之") + amount
    if decimals or "," in number.text:
        return amount
    if number.follows("年") and not number.after.startswith("年级"):
        return _years(number, amount)
    return _two(number, amount) if _is_an_amount(number) else None


def _years(number: DigitNumber, amount: str) -> str | None:
    """A year digit by digit, a number of years as one number; None where it may be either."""
    length = len(number.text)
    if length == 4 and not number.text.endswith("00"):
        return spell_digits(number.text).replace("零", "〇")
    is_a_span = length == 1 or (length == 2 and number.after.startswith(_SPANS))
    return _two(number, amount) if is_a_span else None


def _two(number: DigitNumber, amount: str) -> str:
    """两 for 2 things; else the amount as it is, so that 2 is 二 in dates and behind 第."""
    counts = number.follows(_COUNTED + "千万亿") and not number.after.startswith(("年级", "分之"))
    return "两" if number.text == "2" and counts and not number.before.endswith("第") else amount


def _is_an_amount(number: DigitNumber) -> bool:
    """Whether it is read as one number, not digit by digit."""
    length = len(number.text)
    if number.follows(_COUNTED + "多余"):
        return True
    if length >= 3 and number.follows("号路室房法"):
        return False
    if length == 4 and number.text[:2] in ("19", "20"):
        return number.follows("万亿")
    return length < 5
