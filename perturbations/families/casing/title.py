"""Words with a capital first, as in titles."""

import re
from collections.abc import Mapping, Set
from typing import Literal


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


Titles = Literal["pt", "en", "any"]
"""The language whose small words stay small in titles; "any" for none."""

SMALL_WORDS: Mapping[Titles, Set[str]] = {
    "pt": _words(
        "a à ao aos as às o os e ou de do da dos das d' em no na nos nas num numa por pelo pela pelos pelas"
        " para com sem sob sobre que"
    ),
    "en": _words("a an the and or nor but of in on at to by for from with as"),
    "any": frozenset(),
}
"""Articles, prepositions and conjunctions; with an apostrophe, what stands before one."""

PRONOUNS = _words("me te se lhe lhes nos vos o a os as lo la los las no na nas lhos lhas")
"""Pronouns after the hyphen of Portuguese verbs."""

_ENDINGS = _words("s t m d ll re ve")
"""Endings of English words after an apostrophe."""

_HYPHENS = re.compile("([-\u2010\u2011])")
_APOSTROPHES = re.compile("(['\u2019])")


def titled(word: str, *, language: Titles, first: bool) -> str:
    """The word with a capital first, also behind hyphens, and behind an apostrophe if one letter stands before it.

    What ``language`` keeps small in titles is small, unless it is the ``first`` word. English endings, as in don't,
    are small, also as words of their own.
    """
    small = SMALL_WORDS[language]
    parts = _HYPHENS.split(word.lower())
    return "".join(
        _part(part, small | PRONOUNS if i and language == "pt" else small, small_too=i > 0 or not first)
        for i, part in enumerate(parts)
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
