"""Settings from thresholds.toml, checked by type and range."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, ClassVar, Generic, TypeVar, get_type_hints

from abalo.core.records.values import schema_of
from abalo.core.records.words import identifier_in_words, sentence_case
from abalo.errors import AbaloError
from perturbations.parameters import check_value
from perturbations.suggestions import did_you_mean

Ranges = Mapping[str, tuple[float, float]]

Lists = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranged:
    """Settings with inclusive ``ranges``; raises ValueError for numbers outside."""

    ranges: ClassVar[Ranges] = {}

    def __post_init__(self) -> None:
        for name, (low, high) in self.ranges.items():
            if not low <= getattr(self, name) <= high:
                raise ValueError(f"{name} is {getattr(self, name)}; expected a number from {low} to {high}")


S = TypeVar("S", bound=Ranged)


def configure(owner: str, settings: type[S], params: Mapping[str, object]) -> S:
    """The settings; raises TypeError or ValueError for a wrong value."""
    hints = {name: hint for name, hint in _hints_of(settings).items() if name != "ranges"}
    given = {}
    for name, value in params.items():
        if name not in hints:
            raise TypeError(f"{owner} has no parameter {name!r}{did_you_mean(name, hints)}")
        try:
            given[name] = check_value(value, hints[name])
        except TypeError as error:
            raise TypeError(f"{name} is {error}") from None
    return settings(**given)


_HINTS: dict[type[Ranged], Mapping[str, Any]] = {}


def _hints_of(settings: type[Ranged]) -> Mapping[str, Any]:
    if settings not in _HINTS:
        _HINTS[settings] = get_type_hints(settings)
    return _HINTS[settings]


def describe_settings(settings: type[Ranged], meanings: Mapping[str, str]) -> dict[str, dict[str, object]]:
    """A JSON Schema of each setting by name."""
    hints, found = _hints_of(settings), {}
    for each in fields(settings):
        ends = zip(("minimum", "maximum"), settings.ranges.get(each.name, ()), strict=False)
        meaning = {"description": meanings[each.name]} if each.name in meanings else {}
        default = {} if each.default is MISSING else {"default": each.default}
        found[each.name] = {**schema_of(hints[each.name]), **dict(ends), **meaning, **default}
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Settable(Generic[S]):
    """Something with a ``name`` and ``settings``."""

    name: str
    settings: type[S]
    title: str = field(default="", kw_only=True)

    @property
    def heading(self) -> str:
        """The title, else the name in words."""
        return self.title or sentence_case(identifier_in_words(self.name))

    def parameters(self) -> list[str]:
        """The names of the settings."""
        return [each.name for each in fields(self.settings)]

    def configured(self, **params: object) -> S:
        """The settings; raises TypeError or ValueError for a wrong value."""
        return configure(self.name, self.settings, params)


def seeds_of(option: str, text: str) -> tuple[int, ...]:
    """Parses an option such as ``1,2,4``; else raises `AbaloError`."""
    parts = [part.strip() for part in text.split(",")]
    numbers = all(part.isascii() and part.isdigit() and len(part) <= 18 for part in parts)
    if not numbers or len(set(map(int, parts))) < len(parts):
        raise AbaloError(f"{option} {text!r}: expected distinct whole numbers with commas between, such as 1,2,4")
    return tuple(map(int, parts))
