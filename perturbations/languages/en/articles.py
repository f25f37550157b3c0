"""The English articles *a* and *an*."""

import re

_LIKE_VOWELS = ("heir", "honest", "honour", "honor", "hour")
_LIKE_CONSONANTS = ("eu", "one", "once", "uni", "usa", "use", "usu", "ut")
_BUT_VOWELS = ("unim", "unin", "unid", "utt", "utm")
"""Beginnings of words that sound unlike their first letter; the last are exceptions of those before."""
_DIGITS_LIKE_VOWELS = re.compile(r"8|1[18](?:,\d{3})*(?![,\d])", re.ASCII)
"""Eight, eighty and so on, eleven, eighteen, and as many thousands."""


def article_for(article: str, word: str) -> str | None:
    """*a* or *an* before the word; None for any other word than these."""
    if article not in ("a", "an"):
        return None
    return "an" if begins_like_vowel(word) else "a"


def begins_like_vowel(word: str) -> bool:
    """Whether a word in lower case, or a number, takes *an*, as far as its letters or digits tell."""
    if word[0].isdigit():
        return _DIGITS_LIKE_VOWELS.match(word) is not None
    if word.startswith(_BUT_VOWELS):
        return True
    return word.startswith(_LIKE_VOWELS) or (word[0] in "aeiou" and not word.startswith(_LIKE_CONSONANTS))
