"""Amounts replaced by other amounts."""

import re

from perturbations.languages.amounts import largest_for
from perturbations.languages.layout import Layout
from perturbations.languages.zh.digits import DigitNumber, digits_of
from perturbations.text import Edit

_UNITS = re.compile(
    "[万亿千百余多个名位只条张次家件种座辆枚块项套台份支所架艘匹户吨亩斤倍股岁元米篇幅封棵颗头口间批场天克]"
    "|年(?:多|来|前|后|内|间|中|时间|之|，|。|；)|小时|分钟|秒钟|公里|公斤|公顷|平方|立方|厘米|毫米|海里"
    "|美元|英镑|马克|法郎|日元|港元|人(?!民)"
)
"""Units and measure words: a number before one of them is an amount, unless it follows 第."""

_LONGEST_SPAN = 60
"""Years: a larger number of two digits before 年 may be the short form of a year."""

_RANGE_BEGINS = re.compile(r"(?:[^\d，。；]{0,3})(?:[到至—～~∶:比]|[、和或](?=\d))\d")
_RANGE_ENDS = re.compile(r"\d[^\d，。；]{0,3}[到至—～~∶:比、和或]$")
"""Text behind and before one of two numbers that belong together."""

_ROUNDED = "多余来几万亿千百"
"""Behind a number that is rounded."""

_WIDE = str.maketrans("0123456789", "０１２３４５６７８９")


def other_numbers(layout: Layout) -> list[list[Edit]]:
    """For each amount others of as many digits, one of which is new.

    Dates, times, years, ordinals, ranges, codes and numbers in names and titles stay, and so do those that occur twice,
    that count a list, and of which one is the sum of two others. A round number keeps its zeros.
    """
    digits = digits_of(layout)
    numbers = digits.numbers()
    written = [number.text for number in numbers]
    sites = []
    for number in numbers:
        if (
            written.count(number.text) > 1
            or _adds_up(number, written)
            or _counts_list(number)
            or _is_in_title(number)
            or not _is_amount(number)
            or digits.in_name(number)
        ):
            continue
        options = []
        for k, digit in _others(number):
            wide = not digits.text[number.start + k].isascii()
            new = digit.translate(_WIDE) if wide else digit
            options.append(digits.replacing(number.start + k, number.start + k + 1, new))
        if options:
            sites.append(options)
    return sites


def _is_amount(number: DigitNumber) -> bool:
    """Whether it says by itself how many there are, or how much."""
    if number.before.endswith(("第", "分之")) or _RANGE_BEGINS.match(number.after) or _RANGE_ENDS.search(number.before):
        return False
    if number.text[-1] in "%‰":
        return True
    if number.follows("年"):
        spans = len(number.text) == 1 or (len(number.text) == 2 and int(number.text) <= _LONGEST_SPAN)
        return spans and _UNITS.match(number.after) is not None
    return _UNITS.match(number.after) is not None


def _adds_up(number: DigitNumber, written: list[str]) -> bool:
    """Whether it is one of several percentages, or a sum of two others, or one of two whose sum is given."""
    if number.text[-1] in "%‰":
        return sum(other[-1] == number.text[-1] for other in written) > 1
    own = _value(number.text)
    others = {_value(other) for other in written if other[-1] not in "%‰"} - {own}
    return any(own - other in others - {other} or own + other in others for other in others)


def _counts_list(number: DigitNumber) -> bool:
    """Whether the sentence lists as many things, before a small number or behind it, as it counts."""
    if not number.text.isdigit() or int(number.text) > _LARGEST_COUNT:
        return False
    sides = (re.split("[。；！？]", number.before)[-1], re.split("[。；！？]", number.after)[0])
    return any("、" in side and _things(side) >= int(number.text) for side in sides)


_LARGEST_COUNT = 12
_JOINED = re.compile("、|以及|[和及与]")


def _things(side: str) -> int:
    return len(_JOINED.findall(side)) + 1


def _is_in_title(number: DigitNumber) -> bool:
    """Whether it stands between signs of a title."""
    return number.before.rfind("《") > number.before.rfind("》")


def _others(number: DigitNumber) -> list[tuple[int, str]]:
    """Each place of the number and each digit that could stand there instead."""
    text = number.text
    kept = len(text.rstrip("0,.%‰")) if _is_round(number) else len(text)
    return [
        (k, digit)
        for k, old in enumerate(text[:kept])
        if old.isdigit()
        for digit in "0123456789"
        if digit != old and _is_possible(number.text, text[:k] + digit + text[k + 1 :])
    ]


def _is_round(number: DigitNumber) -> bool:
    """Whether its zeros say that it is no exact number: one of three digits or more ends in two, or words say so."""
    if number.follows(_ROUNDED) or _ABOUT.search(number.before):
        return True
    return _value(number.text) % _HUNDRED == 0


_ABOUT = re.compile("(?:约|大约|约为|近|将近|接近|超过|大概|左右|至少|最多|不足|多达|高达|达|逾)$")
_HUNDRED = 100


def _is_possible(old: str, new: str) -> bool:
    """Whether the new number has no zero in front, and is not too large."""
    return new[0] != "0" and _value(new) <= largest_for(_value(old))


def _value(written: str) -> float:
    return float(written.rstrip("%‰").replace(",", ""))
