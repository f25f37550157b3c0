"""Slips of the finger: a character swapped, replaced, put in or left out."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress
from operator import ne
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Literal

from perturbations.catalogue import word_level
from perturbations.numbered import Numbered

_MODES = ("swap", "replace", "insert", "delete")
_SWAP, _REPLACE, _INSERT, _DELETE = range(4)


@word_level(
    kind="morphology",
    rate=0.3,
    aliases=("Typos",),
    alphabetic=True,
    example=("[Ana PESSOA] saiu", "[Aa PESSOA] siau"),
)
def typos(
    word: str,
    *,
    mode: Literal["random", "swap", "replace", "insert", "delete"] = "random",
    keep_first: bool = True,
    keep_last: bool = True,
) -> Sequence[str]:
    """One slip in a word of two characters or more [TextFlint, catalogue name "Typos"].

    * swap: two neighbours that differ change places;
    * replace: another character of the same class, a digit, a capital or a small letter from a to z;
    * insert: one of the class of the character behind it, or of the one before where that has none;
    * delete: a character is left out, of a run of equal ones the last;
    * random: any of these; each that has an option is equally likely.

    ``keep_first`` and ``keep_last`` leave the first or last character where it is. Words without a letter or digit
    stay. Labels hold: who or what is meant can still be read.
    """
    # Two visible characters, so that what is left of the word is never blank.
    if len(word.strip()) < 2 or not (word.isalnum() or any(map(str.isalnum, word))):
        return ()
    start, stop = int(keep_first), len(word) - keep_last
    # Where neighbours differ: there they can be swapped, and there and at the end a run of equal characters ends.
    borders = tuple(compress(range(start, stop), map(ne, word[start:], word[start + 1 : stop])))
    replacing = tuple(map(_others, word[start:stop]))
    inserted = (*replacing, _others(word[stop : stop + 1]))
    if "" in inserted:
        inserted = tuple([_letters_before(word, i) for i in range(start, stop + 1)])
    sizes: tuple[int, ...] = (
        len(borders),
        sum(map(len, replacing)),
        sum(map(len, inserted)),
        len(borders) + (start < stop),
    )
    if mode != "random":
        sizes = tuple([size if mode == of_these else 0 for of_these, size in zip(_MODES, sizes, strict=True)])
    return Numbered(sizes, _slip, word, start, stop, borders, replacing, inserted)


def _slip(
    word: str,
    start: int,
    stop: int,
    borders: Sequence[int],
    replacing: Sequence[str],
    inserted: Sequence[str],
    kind: int,
    number: int,
) -> str:
    """The slip of that number among those of its kind, with the letters for each place."""
    if kind == _SWAP:
        i = borders[number]
        return word[:i] + word[i + 1] + word[i] + word[i + 2 :]
    if kind == _DELETE:
        i = borders[number] if number < len(borders) else stop - 1
        return word[:i] + word[i + 1 :]
    for i, here in enumerate(replacing if kind == _REPLACE else inserted, start):
        if number < len(here):
            return word[:i] + here[number] + word[i + (kind == _REPLACE) :]
        number -= len(here)
    raise IndexError(number)


def _letters_before(word: str, place: int) -> str:
    """The letters that can be inserted before that place, or at the end of the word.

    A letter like the one behind it cannot: put in behind that, it gives the same word.
    """
    return _others(word[place : place + 1]) or _class_of(word[max(place - 1, 0) : place])


@lru_cache(2**10)
def _others(char: str) -> str:
    """The other characters of its class; none for no character."""
    return _class_of(char).replace(char, "")


def _class_of(char: str) -> str:
    """The characters that can stand for such a one: digits, capitals or small letters; none for any other."""
    if char.isdecimal():
        return digits
    if char.isupper():
        return ascii_uppercase
    return ascii_lowercase if char.islower() else ""
