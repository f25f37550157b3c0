"""The key beside the right one."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from perturbations.catalogue import word_level
from perturbations.graphemes import exchanges
from perturbations.languages import ANY, codes, enumerate_names, language_named
from perturbations.numbered import one_put_in
from perturbations.suggestions import did_you_mean

QWERTY = "qwerty"
"""The layout for text in a language without a keyboard of its own."""


@word_level(
    title="Keyboard slips",
    kind="morphology",
    rate=0.2,
    aliases=("Keyboard",),
    knows=("keyboard",),
    alphabetic=True,
    scripts=("LATIN",),
    example=("[Silva PESSOA] saiu", "[Sulva PESSOA] saou"),
)
def keyboard(
    word: str,
    *,
    layout: str | None = None,
    min_length: int = 4,
    digits: bool = True,
    special: bool = False,
    language: str = "pt",
) -> Sequence[str]:
    """Replaces one character of a word with a neighbour on the keyboard [TextFlint, catalogue name "Keyboard"].

    Neighbours are the keys to the left and right, and the keys of the rows above and below that overlap by a finger's
    width. The letter case stays. Words shorter than ``min_length`` characters stay. With ``digits``, digits can be
    replaced and inserted; with ``special``, signs can be inserted. Letters without their own key, such as accented
    ones, stay. Labels hold.

    ``layout`` is "abnt2", "qwerty" or "azerty"; the default is the layout of the ``language``, or "qwerty" for "any".
    Raises ValueError for other layouts.
    """
    if len(word) < min_length:
        return ()
    neighbours = _neighbours(_usual(language) if layout is None else layout, digits, special)
    return one_put_in(word, exchanges(word, lambda char: neighbours.get(char, "")))


def _usual(language: str) -> str:
    """The name of the first keyboard of the language."""
    return QWERTY if language == ANY else next(iter(language_named(language).keyboard), QWERTY)


@cache
def _neighbours(layout: str, digits: bool, special: bool) -> Mapping[str, str]:
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


def _keys(layout: str) -> Iterator[tuple[int, float, str]]:
    """The row of each key, where in it the key stands, and what it gives."""
    known = {name: rows for code in codes() for name, rows in language_named(code).keyboard.items()}
    if layout not in known:
        raise ValueError(
            f"layout is {layout!r}; expected {enumerate_names(map(repr, known))}{did_you_mean(layout, known)}"
        )
    for row, (start, keys) in enumerate(known[layout]):
        for i, key in enumerate(keys):
            if key != " ":
                yield row, start + i, key
