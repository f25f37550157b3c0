"""Texts on which a pattern may take long, made of what the pattern itself is made of."""

import re
import warnings
from collections.abc import Iterator
from itertools import product
from typing import Any

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from re import _constants as codes  # type: ignore[attr-defined]
    from re import _parser as parser  # type: ignore[attr-defined]

_OF_CATEGORIES = {
    codes.CATEGORY_DIGIT: "1",
    codes.CATEGORY_SPACE: " ",
    codes.CATEGORY_WORD: "a",
    codes.CATEGORY_NOT_DIGIT: "x",
    codes.CATEGORY_NOT_SPACE: "x",
    codes.CATEGORY_NOT_WORD: ";",
}
_UNLIKELY = "\x01"


def _characters(tree: Any) -> Iterator[str]:
    for code, value in tree:
        if code is codes.LITERAL:
            yield chr(value)
        elif code is codes.NOT_LITERAL or code is codes.ANY:
            yield "x"
        elif code is codes.IN:
            negated = value[0][0] is codes.NEGATE
            given = [*_in_class(value[negated:])]
            yield from (each for each in "x1 ;(" if each not in given) if negated else given[:4]
        elif code is codes.BRANCH:
            for each in value[1]:
                yield from _characters(each)
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            yield from _characters(value[2])
        elif code is codes.SUBPATTERN:
            yield from _characters(value[-1])
        elif code is codes.ATOMIC_GROUP:
            yield from _characters(value)
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            yield from _characters(value[1])


def _in_class(members: Any) -> Iterator[str]:
    for code, value in members:
        if code is codes.LITERAL:
            yield chr(value)
        elif code is codes.RANGE:
            yield chr(value[0])
            yield chr(value[1])
        elif code is codes.CATEGORY:
            yield _OF_CATEGORIES[value]


def _strings(tree: Any) -> Iterator[str]:
    """What parts of the pattern match, shortest first: pumps of more than one character, and prefixes."""
    text = ""
    for code, value in tree:
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            inner = [*_strings(value[2])]
            yield from inner
            text += inner[-1] if inner else ""
        elif code in (codes.SUBPATTERN, codes.ATOMIC_GROUP):
            inner = [*_strings(value[-1] if code is codes.SUBPATTERN else value)]
            yield from inner
            text += inner[-1] if inner else ""
        elif code is codes.BRANCH:
            inner = [*(text for each in value[1] for text in _strings(each))]
            yield from inner
            text += inner[0] if inner else ""
        elif code in (codes.LITERAL, codes.IN, codes.NOT_LITERAL, codes.ANY):
            text += next(_characters([(code, value)]), "x")
        yield text


def worst_texts(pattern: re.Pattern[str] | re.Pattern[bytes], most: int = 8) -> Iterator[tuple[str, str, str]]:
    """Beginnings, parts to repeat, and ends: characters of the pattern, their pairs, and parts that it matches."""
    written = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = parser.parse(written, pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags)
    characters = [*dict.fromkeys(_characters(tree))][:most]
    parts = [*dict.fromkeys(each for each in _strings(tree) if 0 < len(each) < 60)]
    some = parts[:: max(1, len(parts) // 6)]
    pumps = [*characters, *map("".join, product(characters[:4], repeat=2)), *some]
    return product(dict.fromkeys(["", *some[:3]]), dict.fromkeys(pumps), (_UNLIKELY, "", *characters[:1]))
