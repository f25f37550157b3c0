"""Letters by script: which could stand for one, and which marks belong to it."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from string import ascii_lowercase, ascii_uppercase

_ALPHABETS = {
    "GREEK": (0x3B1, 0x3C9),
    "CYRILLIC": (0x430, 0x44F),
    "ARMENIAN": (0x561, 0x586),
    "HEBREW": (0x5D0, 0x5EA),
    "ARABIC": (0x621, 0x64A),
    "DEVANAGARI": (0x915, 0x939),
    "BENGALI": (0x995, 0x9B9),
    "GURMUKHI": (0xA15, 0xA39),
    "GUJARATI": (0xA95, 0xAB9),
    "ORIYA": (0xB15, 0xB39),
    "TAMIL": (0xB95, 0xBB9),
    "TELUGU": (0xC15, 0xC39),
    "KANNADA": (0xC95, 0xCB9),
    "MALAYALAM": (0xD15, 0xD39),
    "SINHALA": (0xD9A, 0xDC6),
    "THAI": (0xE01, 0xE2E),
    "LAO": (0xE81, 0xEAE),
    "MYANMAR": (0x1000, 0x1020),
    "GEORGIAN": (0x10D0, 0x10F0),
    "ETHIOPIC": (0x1200, 0x1357),
    "KHMER": (0x1780, 0x17A2),
}
"""By script, the first and the last code point of the letters in common use, small ones where letters have case.

Of Indic scripts they are the consonants: a vowel letter behind a vowel sign or a virama is no syllable. Scripts without
entry have no alphabet in which a finger slips, such as Chinese, or are not known here.
"""

CASED = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN")
"""The scripts whose letters are small or capital in running text."""

_WRITTEN_IN = {
    "ARABIC": "ar fa ur ps ug sd",
    "ARMENIAN": "hy",
    "BENGALI": "bn as",
    "CJK": "zh ja",
    "CYRILLIC": "ru uk be bg mk sr kk ky mn tg",
    "DEVANAGARI": "hi mr ne sa",
    "ETHIOPIC": "am ti",
    "GEORGIAN": "ka",
    "GREEK": "el",
    "GUJARATI": "gu",
    "GURMUKHI": "pa",
    "HANGUL": "ko",
    "HEBREW": "he yi",
    "KANNADA": "kn",
    "KHMER": "km",
    "LAO": "lo",
    "LATIN": "af ca cs cy da de en es et eu fi fr ga gl hr hu id is it lb lt lv ms mt nb nl nn no pl pt ro sk sl sq"
    " sv sw tl tr vi",
    "MALAYALAM": "ml",
    "MYANMAR": "my",
    "ORIYA": "or",
    "SINHALA": "si",
    "TAMIL": "ta",
    "TELUGU": "te",
    "THAI": "th",
    "TIBETAN": "bo dz",
}
"""By script the languages that are written in it, as ISO 639-1 codes, as far as it is known here."""

_UNUSUAL = frozenset("ςـػؼؽؾؿऩऱऴळഩఱಱ")
"""Among these, the final form of a letter, a line that only stretches words, and letters of single languages."""


def script(char: str) -> str:
    """The script of a letter in capitals, such as ``LATIN``, by its name in Unicode; empty where it has no name."""
    return unicodedata.name(char, "").partition(" ")[0]


def script_of(texts: Iterable[str]) -> str:
    """The script of most letters; empty without letters."""
    found = Counter(script(char) for text in texts for char in text if char.isalpha())
    return min(found, key=lambda name: (-found[name], name)) if found else ""


def script_of_language(code: str) -> str:
    """The usual script of a language; empty where it is not known."""
    return next((name for name, codes in _WRITTEN_IN.items() if code in codes.split()), "")


def has_letters(name: str) -> bool:
    """Whether the letters of a script are known that a finger can slip to."""
    return name == "LATIN" or name in _ALPHABETS


def script_in(letters: str) -> str:
    """The script of an alphabet; that of Chinese for none, as the languages that have a folder go."""
    return script(letters[0]) if letters else "CJK"


@lru_cache(2**12)
def letters_like(char: str) -> str:
    """The letters of the script and the case of a letter, a to z of a Latin one; none for any other character.

    Of a digit the ten of its kind.
    """
    if char.isdecimal():
        zero = ord(char) - unicodedata.decimal(char)
        return "".join(map(chr, range(zero, zero + 10)))
    if not char.isalpha():
        return ""
    if script(char) not in _ALPHABETS:
        cased = ascii_uppercase if char.isupper() else ascii_lowercase if char.islower() else ""
        return cased if script(char) in ("LATIN", "FEMININE", "MASCULINE") else ""
    letters = _alphabet(script(char))
    return letters.upper() if char.isupper() else letters


@lru_cache(2**12)
def letters_of(char: str) -> str:
    """The same in either case, small ones first; a to z and A to Z for digits and signs, nothing for a mark."""
    if is_mark(char):
        return ""
    if not char.isalpha():
        return ascii_lowercase + ascii_uppercase
    small = letters_like(char.lower()[0])
    return small + "".join(letter.title() for letter in small if letter.title() != letter)


def _alphabet(name: str) -> str:
    first, last = _ALPHABETS[name]
    return "".join(char for char in map(chr, range(first, last + 1)) if char.isalpha() and char not in _UNUSUAL)


def is_mark(char: str) -> bool:
    """Whether it belongs to the letter before it: an accent, a vowel sign, a virama, a joiner."""
    return unicodedata.category(char)[0] == "M" or char in "\u200c\u200d"
