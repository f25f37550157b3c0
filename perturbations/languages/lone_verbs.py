"""Verbs that are the only ones of their sentence, so that what changes in them contradicts no other."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_ENDS = frozenset([".", "?", "!", "...", "…", ":", ";"])

LONGEST = 30
"""Words of a sentence in which a lone verb is believed to be alone."""

_YEAR = re.compile(r"(?:.*\D)?(?:1[89]|20)\d\d(?:s|-\d\d)?|\d+/\d+/\d+")


def is_alone(
    lowered: Sequence[str], place: int, disturbs: Callable[[int], bool], *, in_all_the_text: bool = False
) -> bool:
    """Whether the sentence of this verb, or all the text, is short, and none of its other words, by place, disturbs."""
    start, stop = place, place + 1
    ends = frozenset() if in_all_the_text else _ENDS
    while start and lowered[start - 1] not in ends:
        start -= 1
    while stop < len(lowered) and lowered[stop] not in ends:
        stop += 1
    return stop - start <= LONGEST and not any(disturbs(i) for i in range(start, stop) if i != place)


def tells_year(word: str) -> bool:
    """Whether the word is a year or a date in digits, or ends in a year as the number of a law does."""
    return _YEAR.fullmatch(word) is not None
