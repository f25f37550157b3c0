"""Verbs that are the only ones of their sentence, so that what changes in them contradicts no other."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from perturbations.stops import abbreviates

_ENDS = frozenset([".", "?", "!", "...", "…", ":", ";"])

LONGEST = 30
"""Words of a sentence in which a lone verb is believed to be alone."""

_YEAR = re.compile(r"(?:.*\D)?(?:1[89]|20)\d\d(?:s|-\d\d)?|\d+/\d+/\d+")


def is_alone(
    lowered: Sequence[str], place: int, disturbs: Callable[[int], bool], *, in_all_the_text: bool = False
) -> bool:
    """Whether the sentence of this verb, or all the text, is short, and none of its other words, by place, disturbs."""
    around = range(len(lowered)) if in_all_the_text else sentence_around(lowered, place)
    return len(around) <= LONGEST and not any(disturbs(i) for i in around if i != place)


def sentence_around(lowered: Sequence[str], place: int) -> range:
    """The places of the sentence that the word is in, between marks; a full stop of an abbreviation is none."""
    start, stop = place, place + 1
    while start and not (lowered[start - 1] in _ENDS and not abbreviates(lowered, start - 1)):
        start -= 1
    while stop < len(lowered) and not (lowered[stop] in _ENDS and not abbreviates(lowered, stop)):
        stop += 1
    return range(start, stop)


def tells_year(word: str) -> bool:
    """Whether the word is a year or a date in digits, or ends in a year as the number of a law does."""
    return _YEAR.fullmatch(word) is not None
