"""Slips of the finger: a character swapped, replaced, put in or left out."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress
from operator import ne
from typing import Literal

from perturbations.catalogue import word_level
from perturbations.graphemes import clusters, takes_marks
from perturbations.numbered import Numbered
from perturbations.scripts import letters_like

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
    """Makes one slip in a word of two characters or more [TextFlint, catalogue name "Typos"].

    * swap: exchanges two neighbours that differ.
    * replace: replaces a character with another of its class: digit, capital or small letter of the same script.
    * insert: inserts a character of the class of the following character, or of the preceding one if that has no class.
    * delete: deletes a character; in a run of equal characters, the last.
    * random: chooses uniformly among the operations that can change the word.

    Characters keep their combining marks, such as accents and vowel signs. ``keep_first`` and ``keep_last`` protect the
    first and the last character. Words without a letter or digit stay. Labels hold, since the word can still be read.
    """
    # Two visible characters, so that what is left of the word is never blank.
    chars = clusters(word)
    if len(chars) < 2 or len(word.strip()) < 2 or not (word.isalnum() or any(map(str.isalnum, word))):
        return ()
    start, stop = int(keep_first), len(chars) - keep_last
    # Where neighbours differ: there they can be swapped, and there and at the end a run of equal characters ends.
    borders = tuple(compress(range(start, stop), map(ne, chars[start:], chars[start + 1 : stop])))
    others = tuple(map(_others, chars[start:stop]))
    replacing = others if type(chars) is str else tuple(map(_borne, others, chars[start:]))
    inserted = (*others, _others(chars[stop] if stop < len(chars) else ""))
    if "" in inserted:
        inserted = tuple([_letters_before(chars, i) for i in range(start, stop + 1)])
    sizes: tuple[int, ...] = (
        len(borders),
        sum(map(len, replacing)),
        sum(map(len, inserted)),
        len(borders) + (start < stop),
    )
    if mode != "random":
        sizes = tuple([size if mode == of_these else 0 for of_these, size in zip(_MODES, sizes, strict=True)])
    return Numbered(sizes, _slip, chars, start, stop, borders, replacing, inserted)


def _slip(
    word: Sequence[str],
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
        return "".join((*word[:i], word[i + 1], word[i], *word[i + 2 :]))
    if kind == _DELETE:
        i = borders[number] if number < len(borders) else stop - 1
        return "".join((*word[:i], *word[i + 1 :]))
    for i, here in enumerate(replacing if kind == _REPLACE else inserted, start):
        if number < len(here):
            marks = word[i][1:] if kind == _REPLACE else ""
            return "".join((*word[:i], here[number], marks, *word[i + (kind == _REPLACE) :]))
        number -= len(here)
    raise IndexError(number)


def _letters_before(word: Sequence[str], place: int) -> str:
    """The letters that can be inserted before that place, or at the end of the word.

    A letter like the one behind it cannot: put in behind that, it gives the same word.
    """
    behind = word[place] if place < len(word) else ""
    return _others(behind) or (letters_like(word[place - 1][0]) if place else "")


@lru_cache(2**10)
def _others(char: str) -> str:
    """The other characters of its class; none for no character."""
    return letters_like(char[0]).replace(char[0], "") if char else ""


def _borne(letters: str, char: str) -> str:
    """The letters, if they can bear the marks of the character; else none."""
    return letters if takes_marks(letters, char) else ""
