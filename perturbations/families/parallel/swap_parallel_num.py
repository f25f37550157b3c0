"""Numbers in digits that a text shares with its translations, exchanged in all of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from perturbations.catalogue import sentence_level
from perturbations.languages.amounts import largest_for
from perturbations.numbered import OnDemand
from perturbations.parallel import shared_places, sign_of, write_digits
from perturbations.text import Edit, Sentence

_NUMBER = re.compile(r"([1-9][0-9]{0,5}|[1-9][0-9]{0,2}(?:[.,][0-9]{3})+)(?:[.,][0-9]{1,2})?")
_ARTICLES = frozenset(["a", "an"])
"""Words before a number that depend on how it sounds: *an 18-hour flight*."""

_YEARS, _NEAR = range(1100, 2100), 9
"""Numbers that may be years, and by how many years at most such a number changes."""


@sentence_level(
    title="Shared numbers exchanged on both sides",
    kind="lexis",
    aliases=("SwapParallelNum",),
    scheme="parallel",
    relation="parallel",
    example=("ela leu 40 livros em 2010", "ela leu 27 livros em 2012"),
)
def swap_parallel_num(sentence: Sentence) -> list[Sequence[Edit]]:
    """Replaces a number in a text and in its translations [TextFlint, catalogue name "SwapParallelNum"].

    The number has the same digits on all sides, once on each. Marks between digits stay as each language writes them.
    The new number has as many digits. Hours, days, minutes and percentages remain possible, and a year changes by at
    most nine; several years in one text stay. Numbers below two stay, because other words agree with them. So do
    numbers behind an English *a* or *an*, and those with letters or other signs, such as *18th* or *7:30*.
    """
    several = sum(_value(token) in _YEARS for token in sentence.tokens) > 1

    def changes(token: str) -> bool:
        value = _value(token)
        return value > 1 and not (several and value in _YEARS)

    return [
        _others(place, sentence.tokens[place])
        for place, before in shared_places(sentence, changes)
        if _ARTICLES.isdisjoint(map(str.lower, before))
    ]


def _value(token: str) -> int:
    """The whole part of a number; 0 for what is none, or has another form."""
    found = _NUMBER.fullmatch(token)
    return 0 if found is None else int(re.sub("[.,]", "", found[1]))


def _others(place: int, token: str) -> Sequence[Edit]:
    """The other numbers of as many digits; what stands behind a decimal mark stays."""
    value, whole = _value(token), str(_value(token))
    first = max(2, 10 ** (len(whole) - 1))
    last = min(10 ** len(whole) - 1, int(largest_for(value)))
    if value in _YEARS and token == whole:
        first, last = value - _NEAR, value + _NEAR
    decimals = sign_of(token)[len(whole) :]

    def edit(number: int) -> Edit:
        other = first + number
        return Edit(place, place + 1, (write_digits(f"{other + (other >= value)}{decimals}", token),))

    return OnDemand(last - first, edit)
