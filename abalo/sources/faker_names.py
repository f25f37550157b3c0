"""Entities and given names from Faker."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from abalo.errors import AbaloError
from perturbations.languages.parts import Gender
from perturbations.resources import Entity, Names, sort_of

PREFIX = "faker:"

_EACH = 500


class FakerNames(Names):
    """A reproducible `Pool` of persons, places and organisations."""

    def __init__(self, name: str) -> None:
        super().__init__(name, _invent_names(name))

    @property
    def edition(self) -> str:
        return _edition()

    def entities(self, kind: str) -> Sequence[Entity]:
        return super().entities(sort_of(kind) or "")

    def shared(self, kind: str) -> Sequence[Entity]:
        return super().shared(sort_of(kind) or "")


class FakerGivenNames:
    """`GivenNames` of one gender only."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.genders = _by_gender(name)
        self.edition = _edition()


def problem(name: str) -> str | None:
    """Why the pool is unavailable; does not create it."""
    if find_spec("faker") is None:
        return f"{name!r} needs Faker: pip install 'abalo[faker]'"
    return None if name.removeprefix(PREFIX) else f"{name!r}; expected a locale behind it, such as {PREFIX}pt_BR"


def _invent_names(name: str) -> Mapping[Entity, Collection[str]]:
    maker = _faker(name)
    makers = {
        "person": lambda: f"{maker.first_name()} {maker.last_name()}",
        "place": maker.city,
        "organisation": maker.company,
    }
    sorts: defaultdict[Entity, set[str]] = defaultdict(set)
    for sort, make in makers.items():
        for _ in range(_EACH):
            sorts[tuple(make().split())].add(sort)
    return {name: found for name, found in sorts.items() if name}


def _by_gender(name: str) -> Mapping[str, Gender]:
    persons = next((each for each in _faker(name).providers if hasattr(each, "first_names_female")), None)
    if persons is None:
        raise AbaloError(
            f"{name!r}: Faker has no given names by gender in this locale; expected one such as {PREFIX}pt_BR"
        )
    women, men = (
        {each.lower() for each in found if each.isalpha()}
        for found in (persons.first_names_female, persons.first_names_male)
    )
    return {each: "woman" if each in women else "man" for each in sorted(women ^ men)}


def _edition() -> str:
    return f"Faker {version('faker')}"


def _faker(name: str) -> Any:
    found = problem(name)
    if found is not None:
        raise AbaloError(found)
    return _maker(name, name.removeprefix(PREFIX))


def values(method: str, locale: str, most: int) -> list[str]:
    """``most`` texts from a Faker method such as ``city``."""
    spec = f"{PREFIX}{method}"
    if find_spec("faker") is None:
        raise AbaloError(f"{spec!r} needs Faker: pip install 'abalo[faker]'")
    make = None if method.startswith("_") else getattr(_maker(spec, locale), method, None)
    if not callable(make):
        raise AbaloError(f"{spec}: Faker has no {method!r} in {locale}; expected a method such as {PREFIX}city")
    try:
        made = [make() for _ in range(most)]
    except TypeError as error:
        raise AbaloError(f"{spec}: needs more than its name; choose another method of Faker") from error
    if not all(isinstance(each, str) for each in made):
        raise AbaloError(f"{spec}: gives {made[0]!r}, which is no text; choose another method of Faker")
    return made


def _maker(name: str, locale: str) -> object:
    from faker import Faker

    try:
        maker = Faker(locale)
    except AttributeError as error:
        raise AbaloError(f"{name!r}: Faker has no such locale; expected one such as {PREFIX}pt_BR") from error
    maker.seed_instance(1)
    return maker
