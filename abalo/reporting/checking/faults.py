"""Places where a stored report contradicts itself, and numbers that are equal as far as a report keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from abalo.core.numbers import STORED


@dataclass(frozen=True, slots=True)
class Fault:
    """A field of a report that does not follow from other fields.

    ``place`` names the field, ``said`` is its value, ``follows`` the value that ``source`` gives, such as "its
    numbers".
    """

    place: str
    said: Any
    follows: Any
    source: str

    def __str__(self) -> str:
        """The fault for a message, such as ``its verdict is 'pass', its results say 'fail'``."""
        return f"{self.place} is {_shown(self.said)}, {self.source} say {_shown(self.follows)}"


def unlikely(place: str, said: Any, possible: Iterable[Any], source: str) -> Iterator[Fault]:
    """A fault if a field has none of the values that are possible."""
    found = list(possible)
    if said not in found:
        yield Fault(place, said, found[0] if len(found) == 1 else found, source)


def near(said: Any, follows: Any, slack: float = STORED) -> bool:
    """Whether two stored values are the same; numbers may differ in the last digit that a report keeps."""
    if isinstance(said, bool) or isinstance(follows, bool):
        return said is follows
    if isinstance(said, int | float) and isinstance(follows, int | float):
        return abs(said - follows) <= slack
    return bool(said == follows)


def differing(place: str, said: Any, follows: Any, source: str) -> Iterator[Fault]:
    """A fault for each part of a stored value that is not the one that follows."""
    if isinstance(said, Mapping) and isinstance(follows, Mapping):
        for name in dict.fromkeys((*said, *follows)):
            yield from differing(f"{place}.{name}", said.get(name), follows.get(name), source)
    elif isinstance(said, list | tuple) and isinstance(follows, list | tuple) and len(said) == len(follows):
        for number, (one, other) in enumerate(zip(said, follows, strict=True)):
            yield from differing(f"{place}[{_named(other, number)}]", one, other, source)
    elif not near(said, follows):
        yield Fault(place, said, follows, source)


def _named(value: Any, number: int) -> Any:
    """The name of a part of a list: its id if it has one, else its number."""
    return value["id"] if isinstance(value, Mapping) and isinstance(value.get("id"), str) else number


def _shown(value: Any) -> str:
    if isinstance(value, list) and value and all(isinstance(each, str | None) for each in value):
        return " or ".join(map(repr, value))
    text = repr(value)
    return text if len(text) <= _LENGTH else f"{text[:_LENGTH]}…"


_LENGTH = 100
"""How many characters of a value a message quotes."""
