"""Options that are too many to list: counted first, made when drawn.

A word of ten letters has hundreds of slips, of which one is drawn, or none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")


class OnDemand(Sequence[T]):
    """``count`` options of a site, each changing the sentence; ``make(k)`` makes number ``k``, from 0, when drawn."""

    __slots__ = ("_count", "_make")

    def __init__(self, count: int, make: Callable[[int], T]) -> None:
        self._count = count
        self._make = make

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[T]:
        """All options, in their order."""
        return map(self._make, range(self._count))

    def __getitem__(self, number: Any) -> Any:
        """An option, or a slice of them."""
        if isinstance(number, slice):
            return list(self)[number]
        return self._make(range(self._count)[number])


class Numbered(Sequence[str]):
    """Options in groups of these ``sizes``; ``make(*given, g, k)`` makes number ``k`` of group ``g``, both from 0.

    Each group that has an option is equally likely, and in it each option. None is what stands there already.
    """

    __slots__ = ("_given", "_groups", "_make", "_sizes")

    def __init__(self, sizes: Sequence[int], make: Callable[..., str], *given: object) -> None:
        self._sizes = sizes
        self._groups = [group for group, size in enumerate(sizes) if size] if 0 in sizes else range(len(sizes))
        self._make = make
        self._given = given

    def __len__(self) -> int:
        return sum(self._sizes)

    def __bool__(self) -> bool:
        return bool(self._groups)

    def __iter__(self) -> Iterator[str]:
        """All options, group after group."""
        return (self._make(*self._given, group, k) for group in self._groups for k in range(self._sizes[group]))

    def __getitem__(self, number: Any) -> Any:
        """An option, or a slice of them."""
        if isinstance(number, slice):
            return list(self)[number]
        number = range(len(self))[number]
        group = next(group for group, end in enumerate(accumulate(self._sizes)) if number < end)
        return self._make(*self._given, group, number - sum(self._sizes[:group]))

    def picked(self, draws: Random) -> str:
        """One of the options; two draws."""
        group = self._groups[int(draws.random() * len(self._groups))]  # as `streams.pick` does, where time counts
        return self._make(*self._given, group, int(draws.random() * self._sizes[group]))


def one_put_in(word: str, *strings: Sequence[Sequence[str]]) -> Numbered:
    """The word with one string put in, of those given for each place in it.

    The strings of the first group replace one character each, those of the second two, and so on; never themselves.
    """
    return Numbered(tuple([sum(map(len, group)) for group in strings]), _with_string, word, strings)


def _with_string(word: str, strings: Sequence[Sequence[Sequence[str]]], group: int, number: int) -> str:
    for place, here in enumerate(strings[group]):
        if number < len(here):
            return word[:place] + here[number] + word[place + group + 1 :]
        number -= len(here)
    raise IndexError(number)
