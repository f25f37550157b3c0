"""The key beside the right one."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Literal

from perturbations.catalogue import word_level
from perturbations.numbered import one_put_in

Layout = Literal["abnt2", "qwerty"]

_ROWS: Mapping[Layout, tuple[tuple[float, str], ...]] = {
    "abnt2": ((0, "'1234567890-="), (1.5, "qwertyuiop ["), (1.75, "asdfghjklç ]"), (1.25, "\\zxcvbnm,.;/")),
    "qwerty": ((0, "`1234567890-="), (1.5, "qwertyuiop[]\\"), (1.75, "asdfghjkl;'"), (2.25, "zxcvbnm,./")),
}
"""For each row where its first key stands, in widths of a key, and what its keys give without Shift.

A space stands for a dead key, which gives nothing by itself. [ABNT NBR 10346, variant 2; ANSI X3.154, US layout]
"""


@word_level(kind="morphology", rate=0.2, aliases=("Keyboard",), example=("[Silva PESSOA] saiu", "[Sulva PESSOA] saou"))
def keyboard(
    word: str, *, layout: Layout = "abnt2", min_length: int = 4, digits: bool = True, special: bool = False
) -> Sequence[str]:
    """One character of a word hit on a neighbouring key, in its own letter case [TextFlint, catalogue name "Keyboard"].

    Neighbours are the keys left and right, and those of the rows above and below that a finger's width overlaps. Words
    shorter than ``min_length`` characters stay. With ``digits``, digits are hit too, and may come in; with ``special``,
    signs may come in. Letters without a key of their own stay, such as those with an accent. Labels hold.
    """
    if len(word) < min_length:
        return ()
    neighbours = _neighbours(layout, digits, special)
    return one_put_in(word, [neighbours.get(char, "") for char in word])


@cache
def _neighbours(layout: Layout, digits: bool, special: bool) -> Mapping[str, str]:
    """For every character that can be hit, those that can come instead, from left to right and top to bottom."""
    found: dict[str, str] = {}
    for row, x, key in _keys(layout):
        if key.isalpha() or (digits and key.isdecimal()):
            near = "".join(
                other
                for other_row, other_x, other in _keys(layout)
                if other != key
                and (abs(other_x - x) <= 1 if other_row == row else abs(other_row - row) == 1 and abs(other_x - x) < 1)
                and (other.isalpha() or (digits if other.isdecimal() else special))
            )
            found |= {key.upper(): near.upper(), key: near}  # in this order: capitals of digits are digits
    return found


def _keys(layout: Layout) -> Iterator[tuple[int, float, str]]:
    """The row of each key, where in it the key stands, and what it gives."""
    for row, (start, keys) in enumerate(_ROWS[layout]):
        for i, key in enumerate(keys):
            if key != " ":
                yield row, start + i, key
