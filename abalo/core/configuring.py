"""Settings that a table of thresholds.toml can give, checked by type and range; seeds as an option gives them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, ClassVar, Generic, TypeVar, get_type_hints

from abalo.core.value_schemas import schema_of_values
from abalo.core.words import sentence_case, spoken
from abalo.errors import AbaloError
from perturbations.parameters import checked
from perturbations.suggestions import did_you_mean

Ranges = Mapping[str, tuple[float, float]]
"""The least and the greatest value of numbers by name, both included."""

Lists = Mapping[str, Mapping[str, str]]
"""Settings that name word lists, with the lists of each language by its ISO 639-1 code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranged:
    """Settings of which those in ``ranges`` are numbers from one value to another; raises ValueError for others."""

    ranges: ClassVar[Ranges] = {}

    def __post_init__(self) -> None:
        for name, (low, high) in self.ranges.items():
            if not low <= getattr(self, name) <= high:
                raise ValueError(f"{name} is {getattr(self, name)}; expected a number from {low} to {high}")


S = TypeVar("S", bound=Ranged)


def configured(owner: str, settings: type[S], params: Mapping[str, Any]) -> S:
    """The settings of ``owner`` with these values; raises TypeError or ValueError naming the one that is wrong."""
    hints = {name: hint for name, hint in get_type_hints(settings).items() if name != "ranges"}
    given = {}
    for name, value in params.items():
        if name not in hints:
            raise TypeError(f"{owner} has no parameter {name!r}{did_you_mean(name, hints)}")
        try:
            given[name] = checked(value, hints[name])
        except TypeError as error:
            raise TypeError(f"{name} is {error}") from None
    return settings(**given)


def described(settings: type[Ranged], meanings: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """A JSON Schema of each setting, with its default and its meaning, by name."""
    hints, found = get_type_hints(settings), {}
    for each in fields(settings):
        schema = schema_of_values(hints[each.name], *settings.ranges.get(each.name, (None, None)))
        meaning = {"description": meanings[each.name]} if each.name in meanings else {}
        default = {} if each.default is MISSING else {"default": each.default}
        found[each.name] = {**schema, **meaning, **default}
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Settable(Generic[S]):
    """Something with a ``name`` and with ``settings`` that a table of thresholds.toml can give.

    ``title`` is its name in reports, by default ``name`` in words.
    """

    name: str
    settings: type[S]
    title: str = field(default="", kw_only=True)

    @property
    def heading(self) -> str:
        """The title, or the name in words."""
        return self.title or sentence_case(spoken(self.name))

    def parameters(self) -> list[str]:
        """The names of the settings."""
        return [each.name for each in fields(self.settings)]

    def configured(self, **params: Any) -> S:
        """The settings with these values; raises TypeError or ValueError naming the one that is wrong."""
        return configured(self.name, self.settings, params)


def seeds_of(option: str, text: str) -> tuple[int, ...]:
    """The seeds that an option of the command line gives, such as ``1,2,4``; raises `AbaloError` for anything else."""
    parts = [part.strip() for part in text.split(",")]
    numbers = all(part.isascii() and part.isdigit() and len(part) <= 18 for part in parts)
    if not numbers or len(set(map(int, parts))) < len(parts):
        raise AbaloError(f"{option} {text!r}: expected distinct whole numbers with commas between, such as 1,2,4")
    return tuple(map(int, parts))
