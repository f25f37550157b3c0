"""Contradictions in a stored report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from abalo.core.numbers import STORED


@dataclass(frozen=True, slots=True)
class Fault:
    """A field ``place`` with a value ``said`` that should be ``follows`` according to ``source``."""

    place: str
    said: Any
    follows: object
    source: str

    def __str__(self) -> str:
        return f"{self.place} is {_show(self.said)}, {self.source} say {_show(self.follows)}"


def unlikely(place: str, said: object, possible: Iterable[object], source: str) -> Iterator[Fault]:
    """Yields a fault if the value is not possible."""
    found = list(possible)
    if said not in found:
        yield Fault(place, said, found[0] if len(found) == 1 else found, source)


def near(said: object, follows: object, slack: float = STORED) -> bool:
    """Returns True if stored values are equal, numbers within ``slack``."""
    if isinstance(said, bool) or isinstance(follows, bool):
        return said is follows
    if isinstance(said, int | float) and isinstance(follows, int | float):
        return abs(said - follows) <= slack
    return bool(said == follows)


def differing(place: str, said: object, follows: object, source: str) -> Iterator[Fault]:
    """Yields a fault for each differing part of a stored value."""
    if isinstance(said, Mapping) and isinstance(follows, Mapping):
        for name in dict.fromkeys((*said, *follows)):
            yield from differing(f"{place}.{name}", said.get(name), follows.get(name), source)
    elif isinstance(said, list | tuple) and isinstance(follows, list | tuple) and len(said) == len(follows):
        for number, (one, other) in enumerate(zip(said, follows, strict=True)):
            yield from differing(f"{place}[{_part_name(other, number)}]", one, other, source)
    elif not near(said, follows):
        yield Fault(place, said, follows, source)


def _part_name(value: object, number: int) -> object:
    return value["id"] if isinstance(value, Mapping) and isinstance(value.get("id"), str) else number


def _show(value: object) -> str:
    if isinstance(value, list) and value and all(isinstance(each, str | None) for each in value):
        return " or ".join(map(repr, value))
    text = repr(value)
    return text if len(text) <= _LENGTH else f"{text[:_LENGTH]}…"


_LENGTH = 100
