"""Words with a capital first, as in titles."""

import re
from collections.abc import Set

from perturbations.languages import ANY, language_named

_ENDINGS = frozenset(["s", "t", "m", "d", "ll", "re", "ve"])
"""Endings of English words after an apostrophe."""

_HYPHENS = re.compile("([-\u2010\u2011])")
_APOSTROPHES = re.compile("(['\u2019])")


def title_case(word: str, *, language: str, first: bool) -> str:
    """The word with a capital first, also behind hyphens, and behind an apostrophe if one letter stands before it.

    What ``language`` keeps small in titles is small, unless it is the ``first`` word. English endings, as in don't,
    are small, also as words of their own.
    """
    small: Set[str] = frozenset() if language == ANY else language_named(language).small_words
    behind: Set[str] = frozenset() if language == ANY else language_named(language).behind_hyphens
    parts = _HYPHENS.split(word.lower())
    return "".join(
        _part(part, small | behind if i else small, small_too=i > 0 or not first) for i, part in enumerate(parts)
    )


def _part(part: str, small: Set[str], *, small_too: bool) -> str:
    """One part of a word between hyphens; it is small already."""
    if (small_too and part in small) or part in ("n't", "n\u2019t"):
        return part
    before, *rest = _APOSTROPHES.split(part, maxsplit=1)
    if not rest:
        return _capital(part)
    mark, after = rest
    head = before if small_too and f"{before}'" in small else _capital(before)
    of_its_own = len(before) <= 1 and after not in _ENDINGS
    return head + mark + (_capital(after) if of_its_own else after)


def _capital(part: str) -> str:
    """The part with its first letter in capitals, unless a digit comes first."""
    for i, char in enumerate(part):
        if char.isdecimal():
            break
        if char.isalpha():
            return part[:i] + char.title() + part[i + 1 :]
    return part
