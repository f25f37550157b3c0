"""Characters that take no room, as web pages, editors and right-to-left text leave them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Literal

from perturbations.catalogue import word_level
from perturbations.graphemes import borders, clusters
from perturbations.numbered import Numbered

InvisibleKind = Literal["any", "zero_width", "soft_hyphen", "selector", "bidi"]

INVISIBLE: Mapping[str, str] = {
    "zero_width": "\u200b\u2060\ufeff",
    "soft_hyphen": "\u00ad",
    "selector": "\ufe0e",
    "bidi": "\u200e\u200f\u061c",
}
"""Zero-width space, word joiner and byte order mark; soft hyphen; variation selector of text; marks of direction."""

JOINERS = "\u200c\u200d"
"""Zero-width non-joiner and joiner, which other scripts than those with letter case show."""


@word_level(
    title="Invisible characters",
    kind="morphology",
    rate=0.1,
    at_least=1,
    example=("[Ana PESSOA]", "[An\u200ba PESSOA]"),
)
def invisible(word: str, *, sort: InvisibleKind = "any") -> Numbered:
    """Puts an invisible character behind a letter or digit of a word.

    * zero_width: a zero-width space, a word joiner or a byte order mark; a joiner or non-joiner between cased letters;
    * soft_hyphen: the place where a word may be broken at the end of a line;
    * selector: the variation selector of text, behind a letter;
    * bidi: a mark of the direction of writing;
    * any: chooses uniformly among all.

    Emoji, flags and letters with their marks stay whole. Labels hold.
    """
    found = list(places(word, sort))
    return Numbered((sum(len(chars) for _, chars in found),), _put_in, word, found)


def _put_in(word: str, found: Sequence[tuple[int, str]], _group: int, number: int) -> str:
    for place, chars in found:
        if number < len(chars):
            return word[:place] + chars[number] + word[place:]
        number -= len(chars)
    raise IndexError(number)


def places(word: str, sort: InvisibleKind = "any") -> Iterator[tuple[int, str]]:
    """Where an invisible character can stand in a word, each with those that can; never before its first letter."""
    for cluster, place in zip(clusters(word), borders(word)[1:], strict=True):
        if not cluster[0].isalnum() or "\u200d" in cluster or any("\ufe00" <= char <= "\ufe0f" for char in cluster):
            continue
        yield place, _those(sort, cluster.isalpha(), _has_case(cluster) and _has_case(word[place : place + 1]))


@cache
def _those(sort: InvisibleKind, behind_letter: bool, between_cased: bool) -> str:
    names = [name for name in INVISIBLE if sort in ("any", name) and (name != "selector" or behind_letter)]
    joiners = JOINERS if "zero_width" in names and between_cased else ""
    return "".join([INVISIBLE[name] for name in names]) + joiners


def _has_case(char: str) -> bool:
    return char.lower() != char.upper()
