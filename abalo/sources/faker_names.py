"""Names that Faker knows: entities that it makes up in every locale that it has, and given names."""

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
"""The prefix of the names of such pools; a locale follows, such as ``pt_BR``."""

_EACH = 500
"""How many names are made up of each sort; some may be the same."""


class FakerNames(Names):
    """Names of persons, places and organisations by Faker in a locale; a `Pool`, the same each time it is made.

    Types that are none of the three have no entities. Raises `AbaloError` where Faker or the locale is missing.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name, _made_up(name))

    @property
    def edition(self) -> str:
        """Faker with its version, since another one knows other names."""
        return _edition()

    def entities(self, kind: str) -> Sequence[Entity]:
        """The names of the entities of the type ``kind``, in alphabetical order."""
        return super().entities(sort_of(kind) or "")

    def shared(self, kind: str) -> Sequence[Entity]:
        """Those of them that are names of something else, too."""
        return super().shared(sort_of(kind) or "")


class FakerGivenNames:
    """The given names that Faker has for women or for men in a locale, and not for both; a `GivenNames`.

    Raises `AbaloError` where Faker or the locale is missing, or has no names by gender.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.genders = _by_gender(name)
        self.edition = _edition()


def problem(name: str) -> str | None:
    """Why there is no such pool, as far as can be told without making it."""
    if find_spec("faker") is None:
        return f"{name!r} needs Faker: pip install 'abalo[faker]'"
    return None if name.removeprefix(PREFIX) else f"{name!r}; expected a locale behind it, such as {PREFIX}pt_BR"


def _made_up(name: str) -> Mapping[Entity, Collection[str]]:
    """The names, each with its sorts."""
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
    """The names of one word in lower case that are of one gender alone, in alphabetical order."""
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
    """Faker in the locale that the name ends in."""
    found = problem(name)
    if found is not None:
        raise AbaloError(found)
    return _maker(name, name.removeprefix(PREFIX))


def values(method: str, locale: str, most: int) -> list[str]:
    """The texts that Faker makes by one of its methods, such as ``city``: ``most`` texts, some perhaps the same.

    Raises `AbaloError` where Faker, the locale or the method is missing, or it makes no text.
    """
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


def _maker(name: str, locale: str) -> Any:
    """A Faker of the locale that makes the same each time; raises `AbaloError`, naming ``name``, without one."""
    from faker import Faker

    try:
        maker = Faker(locale)
    except AttributeError as error:
        raise AbaloError(f"{name!r}: Faker has no such locale; expected one such as {PREFIX}pt_BR") from error
    maker.seed_instance(1)
    return maker
