"""Numbers in Chinese characters."""

DIGITS = "零一二三四五六七八九"

LARGEST = 10**16 - 1
"""The largest number that `numeral` reads."""

_UNITS = ("千", "百", "十", "")
_GROUPS = ("万亿", "亿", "万", "")


def numeral(value: int) -> str:
    """A whole number from 0 to `LARGEST` as it is read: 零 for one gap or more, 十 and not 一十 in the beginning.

    Where it begins with 2, that is 两 before 千, 万 and 亿: 两千, 两万二千. A 2 alone is 二.
    """
    if not 0 <= value <= LARGEST:
        raise ValueError(f"{value} has no numeral here; expected a number from 0 to {LARGEST}")
    if value < 10:
        return DIGITS[value]
    groups = [int(f"{value:016d}"[k : k + 4]) for k in range(0, 16, 4)]
    text, gap = "", False
    for group, name in zip(groups, _GROUPS, strict=True):
        if group:
            text += ("零" if text and (gap or group < 1000) else "") + _group(group) + name
        gap = not group
    if text.startswith("一十"):
        return text[1:]
    return "两" + text[1:] if text[0] == "二" and text[1] in "千万亿" else text


def spell_digits(digits: str) -> str:
    """Digits one by one, as behind a decimal point."""
    return "".join(DIGITS[int(digit)] for digit in digits)


def _group(value: int) -> str:
    """1 to 9999, ten as 一十."""
    text = ""
    for digit, unit in zip(f"{value:04d}", _UNITS, strict=True):
        if digit != "0":
            text += DIGITS[int(digit)] + unit
        elif text and not text.endswith("零"):
            text += "零"
    return text.removesuffix("零")
