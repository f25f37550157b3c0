"""Slips of the finger in the names of entities."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import accumulate
from typing import Any, Literal

from perturbations.catalogue import entity_level
from perturbations.graphemes import clusters, takes_marks
from perturbations.languages import ANY, has
from perturbations.levels import OneWordOff
from perturbations.resources import Entity
from perturbations.scripts import letters_like
from perturbations.text import Sentence, Span

Operation = Literal["any", "swap", "replace", "insert", "delete"]


@entity_level(
    title="Typos in entities",
    kind="morphology",
    aliases=("EntTypos",),
    knows=("borders",),
    example=("[Ana Sá PESSOA] saiu de [Lima LOCAL]", "[Aan Sá PESSOA] saiu de [Limma LOCAL]"),
)
def ent_typos(
    sentence: Sentence,
    span: Span,
    *,
    operation: Operation = "any",
    skip_first: bool = True,
    skip_last: bool = False,
    language: str = ANY,
) -> OneWordOff | list[Entity]:
    """Makes one slip in one word of the entity [TextFlint, catalogue name "EntTypos"].

    A slip swaps two neighbours, or replaces, inserts or deletes one character. A new character is a digit or letter of
    the script and case of the character that it replaces or follows; Chinese characters have none. Characters keep
    their combining marks. ``skip_first`` and ``skip_last`` protect the first and the last character of a word. Words
    with fewer than two letters or digits stay. Chooses uniformly among the possible pairs of word and operation.

    In Chinese, two neighbouring characters of the entity change places, also across tokens. There ``skip_first`` and
    ``skip_last`` protect the ends of entities of more than two characters.
    """
    entity = sentence.tokens[span.start : span.stop]
    if language != ANY and has(language, "borders"):
        return _swap_across(entity, skip_first, skip_last) if operation in ("any", "swap") else []
    return _one_word_off(entity, operation, skip_first, skip_last)


@lru_cache(2**12)
def _one_word_off(entity: Entity, operation: Operation, skip_first: bool, skip_last: bool) -> OneWordOff:
    words = enumerate(entity)
    return OneWordOff(
        entity, [(place, slips) for place, word in words for slips in _slips(word, operation, skip_first, skip_last)]
    )


def _swap_across(entity: Entity, skip_first: bool, skip_last: bool) -> list[Entity]:
    """The entity with two neighbouring characters exchanged, cut into tokens as long as those it has."""
    text = "".join(entity)
    first, stop = (int(skip_first), len(text) - skip_last) if len(text) > 2 else (0, len(text))
    ends = list(accumulate(map(len, entity)))
    return [
        tuple(swapped[end - len(token) : end] for token, end in zip(entity, ends, strict=True))
        for a in range(first, stop - 1)
        if (swapped := text[:a] + text[a + 1] + text[a] + text[a + 2 :]) != text and text[a : a + 2].isalnum()
    ]


_Exchange = tuple[int, int, Sequence[str]]
"""Replacements of the characters from the one place up to but not including the other."""


@lru_cache(2**16)
def _slips(word: str, operation: Operation, skip_first: bool, skip_last: bool) -> list[Callable[[], _Exchanged]]:
    """For each operation that can make something of the word, what gives that; never the word, and nothing twice.

    Nothing of a word with fewer than two letters or digits.
    """
    if sum(map(str.isalnum, word)) < 2:
        return []
    chars = clusters(word)
    first, stop = int(skip_first), len(chars) - skip_last
    named = _OPERATIONS if operation == "any" else {operation: _OPERATIONS[operation]}
    return [partial(_exchange, each, chars, first, stop) for each in named.values() if any(each(chars, first, stop))]


@lru_cache(2**12)
def _exchange(operation: _Exchanges, word: Sequence[str], first: int, stop: int) -> _Exchanged:
    return _Exchanged(word, list(operation(word, first, stop)))


@dataclass(frozen=True, slots=True)
class _Exchanged(Sequence[str]):
    """The words that the exchanges make of one, which are counted first and made when drawn."""

    word: Sequence[str]
    exchanges: Sequence[_Exchange]

    def __len__(self) -> int:
        return sum([len(strings) for _, _, strings in self.exchanges])

    def __getitem__(self, number: Any) -> Any:
        """The word of that number, counted from 0."""
        for start, stop, strings in self.exchanges:
            if number < len(strings):
                return "".join((*self.word[:start], strings[number], *self.word[stop:]))
            number -= len(strings)
        raise IndexError(number)


def _swaps(word: Sequence[str], first: int, stop: int) -> Iterator[_Exchange]:
    for a in range(first, stop - 1):
        one, other = word[a], word[a + 1]
        if one != other and one[0].isalnum() and other[0].isalnum():
            yield a, a + 2, (other + one,)


def _replacements(word: Sequence[str], first: int, stop: int) -> Iterator[_Exchange]:
    for a in range(first, stop):
        letter, marks = word[a][0], word[a][1:]
        others = letters_like(letter).replace(letter, "")
        if others and takes_marks(others, word[a]):
            yield a, a + 1, [other + marks for other in others] if marks else others


def _insertions(word: Sequence[str], first: int, stop: int) -> Iterator[_Exchange]:
    before = ""
    for a in range(first, stop + 1):
        like = word[a - 1] if a else word[a]
        here = letters_like(like[0])
        # A character like the one before it gives the same word as in front of that, if it can come there.
        new = here.replace(word[a - 1], "") if a > first and word[a - 1] in before else here
        if new:
            yield a, a, new
        before = here


def _deletions(word: Sequence[str], first: int, stop: int) -> Iterator[_Exchange]:
    for a in range(first, stop):
        if word[a][0].isalnum() and (a == first or word[a] != word[a - 1]):
            yield a, a + 1, ("",)


_Exchanges = Callable[[Sequence[str], int, int], Iterator[_Exchange]]

_OPERATIONS: Mapping[str, _Exchanges] = {
    "swap": _swaps,
    "replace": _replacements,
    "insert": _insertions,
    "delete": _deletions,
}
