"""The syllables of common Chinese characters, and the characters that a reader or a keyboard takes for one another.

Characters with several common readings are neither replaced nor inserted: their sound depends on the meaning of the
sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType

from perturbations.lexicons import pairs, words

TONES = "12345"


@cache
def syllable_of() -> Mapping[str, str]:
    """The syllable, tone last, of every character of our list that has one reading."""
    readings = Counter(character for characters in pairs("pinyin_zh").values() for character in characters)
    return MappingProxyType(
        {
            character: syllable
            for syllable, characters in pairs("pinyin_zh").items()
            for character in characters
            if readings[character] == 1
        }
    )


def content_syllable(character: str) -> str | None:
    """The syllable of a character that carries meaning; None for a stop word and where the reading is not certain."""
    return None if character in words("stop_words_zh") else syllable_of().get(character)


def sounding(syllables: Iterable[str]) -> list[str]:
    """The characters that have one of these readings and no other, in the order of the syllables."""
    table, certain = pairs("pinyin_zh"), syllable_of()
    return [character for syllable in syllables for character in table.get(syllable, "") if character in certain]


def in_all_tones(syllable: str) -> list[str]:
    """The syllable, given without tone, in every tone."""
    return [syllable + tone for tone in TONES]


def with_other_nasal(syllable: str) -> str | None:
    """The syllable with ng for a final n after a, e or i, or n for ng; None where it has neither."""
    found = re.fullmatch(r"(.*[aei]n)(g?)(\d)", syllable)
    return None if found is None else found[1] + ("" if found[2] else "g") + found[3]


def with_one_slip(letters: str) -> list[str]:
    """The syllables that one typing error makes of one without tone.

    An h left out or added after z, c, s; a for ao, in for ing, a for e, and the other way round.
    """
    slips = []
    if letters[0] in "zcs":
        slips.append(letters[0] + letters[2:] if letters[1:2] == "h" else letters[0] + "h" + letters[1:])
    for short, long in (("a", "ao"), ("in", "ing")):
        if letters.endswith(long):
            slips.append(letters.removesuffix(long) + short)
        elif letters.endswith(short):
            slips.append(letters.removesuffix(short) + long)
    other = {"a": "e", "e": "a"}
    slips += [letters[:k] + other[letter] + letters[k + 1 :] for k, letter in enumerate(letters) if letter in other]
    return slips


def homophones(char: str, *, same_tone: bool) -> list[str]:
    """The common characters with the reading of the character, in any tone unless it is the ``same_tone``."""
    syllable = content_syllable(char)
    if syllable is None:
        return []
    return [other for other in sounding([syllable] if same_tone else in_all_tones(syllable[:-1])) if other != char]


def other_nasals(char: str) -> list[str]:
    """Common characters with an, en, in for ang, eng, ing or the reverse, in the same tone."""
    syllable = content_syllable(char)
    other = None if syllable is None else with_other_nasal(syllable)
    return [] if other is None else sounding([other])


def slips(char: str) -> list[str]:
    """Common characters one letter of pinyin away, in any tone."""
    syllable = content_syllable(char)
    if syllable is None:
        return []
    slipped = [toned for letters in with_one_slip(syllable[:-1]) for toned in in_all_tones(letters)]
    return list(dict.fromkeys(other for other in sounding(slipped) if other != char))
