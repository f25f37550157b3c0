"""Numbers replaced by other numbers."""

from perturbations.languages.layout import Layout
from perturbations.languages.zh.digits import Number, digits_of
from perturbations.text import Edit

_LIMITS = {"月": (1, 12), "日": (1, 31), "号": (1, 31), "时": (0, 23), "点": (0, 23), "分": (0, 59), "秒": (0, 59)}
"""From where to where a whole number of one or two digits goes before these characters, taken for a date or a time."""

_WIDE = str.maketrans("0123456789", "０１２３４５６７８９")


def other_numbers(layout: Layout) -> list[list[Edit]]:
    """For each number others of as many digits, one of which is new.

    Dates and times stay possible, and a year in its century. Codes, times with a colon and the like stay.
    """
    digits = digits_of(layout)
    sites = []
    for number in digits.numbers():
        options = []
        for k, digit in _others(number):
            wide = not digits.text[number.start + k].isascii()
            new = digit.translate(_WIDE) if wide else digit
            options.append(digits.replacing(number.start + k, number.start + k + 1, new))
        if options:
            sites.append(options)
    return sites


def _others(number: Number) -> list[tuple[int, str]]:
    """Each place of the number and each digit that could stand there instead."""
    text = number.text
    return [
        (k, digit)
        for k, old in enumerate(text)
        if old.isdigit()
        for digit in "0123456789"
        if digit != old and _is_possible(number, Number(number.start, text[:k] + digit + text[k + 1 :], "", ""))
    ]


def _is_possible(number: Number, other: Number) -> bool:
    """Whether the other number could stand in the place of this one."""
    if other.text[0] == "0":
        return False
    if number.text.isdigit() and len(number.text) == 4 and number.follows("年"):
        return other.text[:2] == number.text[:2]
    if number.text.isdigit() and len(number.text) < 3 and number.follows("".join(_LIMITS)):
        first, last = _LIMITS[number.after[0]]
        return first <= int(other.text) <= last
    return True
