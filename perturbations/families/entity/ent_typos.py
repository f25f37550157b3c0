"""Slips of the finger in the names of entities."""

import string
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from perturbations.catalogue import entity_level
from perturbations.levels import OneWordOff
from perturbations.text import Sentence, Span

Operation = Literal["any", "swap", "replace", "insert", "delete"]

_OPERATIONS = ("swap", "replace", "insert", "delete")


@entity_level(
    kind="morphology",
    aliases=("EntTypos",),
    example=("[Ana Sá PESSOA] saiu de [Lima LOCAL]", "[Aan Sá PESSOA] saiu de [Limma LOCAL]"),
)
def ent_typos(
    sentence: Sentence,
    span: Span,
    *,
    operation: Operation = "any",
    skip_first: bool = True,
    skip_last: bool = False,
) -> list[OneWordOff]:
    """One slip of the finger in one word of the entity [TextFlint, catalogue name "EntTypos"].

    Two neighbours swapped, or one character replaced, put in or left out; what is put in is a digit or a letter of the
    same case as the character it replaces or follows, and nothing for letters without case, such as Chinese ones. The
    first character of a word stays with ``skip_first``, the last with ``skip_last``, and a word with fewer than two
    letters or digits as it is. Of the words and operations that are possible each pair is equally likely.
    """
    entity = sentence.tokens[span.start : span.stop]
    return [
        OneWordOff(entity, place, _slips(word, each, skip_first, skip_last))
        for place, word in enumerate(entity)
        for each in (_OPERATIONS if operation == "any" else (operation,))
    ]


@lru_cache(2**16)
def _slips(word: str, operation: str, skip_first: bool, skip_last: bool) -> tuple[str, ...]:
    """What the operation can make of the word; nothing of one with fewer than two letters or digits."""
    if sum(map(str.isalnum, word)) < 2:
        return ()
    return tuple(dict.fromkeys(_made(word, operation, skip_first, skip_last)))


def _made(word: str, operation: str, skip_first: bool, skip_last: bool) -> Iterator[str]:
    """What the operation can make of the word, some of it perhaps twice; never the word itself."""
    first, stop = int(skip_first), len(word) - skip_last
    places = [a for a in range(first, stop) if word[a].isalnum()]
    if operation == "swap":
        for a in places:
            if a + 1 < stop and word[a + 1].isalnum() and word[a] != word[a + 1]:
                yield word[:a] + word[a + 1] + word[a] + word[a + 2 :]
    elif operation == "replace":
        for a in places:
            yield from (word[:a] + char + word[a + 1 :] for char in _alike(word[a]) if char != word[a])
    elif operation == "insert":
        for a in range(first, stop + 1):
            like = word[a - 1] if a else word[a]
            if like.isalnum():
                yield from (word[:a] + char + word[a:] for char in _alike(like))
    else:
        yield from (word[:a] + word[a + 1 :] for a in places)


def _alike(char: str) -> str:
    """The ASCII digits, or the ASCII letters of the same case; none where there is no case."""
    if char.isdigit():
        return string.digits
    if char.isupper():
        return string.ascii_uppercase
    return string.ascii_lowercase if char.islower() else ""
