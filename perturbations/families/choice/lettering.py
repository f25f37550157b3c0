"""Options that begin with their own letter or number, such as ``A) red`` or ``(b) blue``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import ascii_lowercase, ascii_uppercase

_LEAD = re.compile(r"(\s*[(\[]?)([A-Za-z]|\d{1,2})([)\]]\s*[.:]?\s*|\s*[.:]\s+|\s+[-–—]\s+)(?=\S)")
"""A bracket, the letter or number, and the sign behind it; white space must follow a sign that is no bracket."""

_NUMERALS = tuple(map(str, range(1, 27)))
_SERIES = (tuple(ascii_uppercase), tuple(ascii_lowercase), _NUMERALS)


def own_letters(options: Sequence[str]) -> tuple[str, ...] | None:
    """The letters or numbers that options begin with; None unless each of two or more begins with that of its place."""
    found = [_LEAD.match(option) for option in options]
    letters = tuple(match[2] for match in found if match is not None)
    if len(letters) != len(options) or len(letters) < 2:
        return None
    return letters if any(letters == series[: len(letters)] for series in _SERIES) else None


def without_letters(options: Sequence[str]) -> tuple[str, ...]:
    """The options without their own letters, if all have them; else as they are."""
    if own_letters(options) is None:
        return tuple(options)
    return tuple(_LEAD.sub("", option, count=1) for option in options)


def reorder_options(options: Sequence[str], order: Sequence[int]) -> tuple[str, ...]:
    """The options in another order, ``order`` saying which one comes where.

    Options that begin with their own letters get those of their new places: ``A) red, B) blue`` becomes
    ``A) blue, B) red``.
    """
    letters = own_letters(options)
    put = tuple(options[place] for place in order)
    if letters is None:
        return put
    return tuple(
        _LEAD.sub(rf"\g<1>{letter}\g<3>", option, count=1) for letter, option in zip(letters, put, strict=True)
    )
