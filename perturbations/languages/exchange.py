"""One thing of a sentence put for another, and the names that Abalo has invented."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

from perturbations.lexicons import pairs

Pick = Callable[[Sequence[Any]], Any]
"""Draws one of some things."""

Tokens = tuple[str, ...]

_LONGEST = 2
"""Words of an invented name."""


class Exchange(NamedTuple):
    """Tokens ``start`` up to but not including ``stop`` of a sentence, and what takes their place."""

    start: int
    stop: int
    new: Tokens


@cache
def invented_names(kind: str, language: str) -> Tokens:
    """Invented names of a kind alone; a name of anything can be that of a person, a place and an organisation."""
    wanted = {"person", "place", "organisation"} if kind == "name" else {kind}
    known = pairs(f"invented_{language}").items()
    return tuple(name for name, sorts in known if wanted == {*sorts.split("|")} and len(name.split()) <= _LONGEST)


def invented_person(given: str, language: str, pick: Pick) -> Tokens | None:
    """An invented person whose given name is one of a woman or of a man, as ``given`` says; None if there is none."""
    genders = pairs(f"invented_given_names_{language}")
    persons = [each for each in invented_names("person", language) if genders.get(each.split()[0].lower()) == given]
    return tuple(pick(persons).split()) if persons else None
