"""What a reader took from a corpus and what it lost, as one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from abalo.core.records import words

_Key: TypeAlias = tuple[str, str, str]
"""Fate, noun and kind."""

_READ, _LEFT_OUT, _REDUCED = "read", "left out", "reduced"


@dataclass(slots=True)
class Tally:
    """Numbers of things read, left out and reduced, by noun and kind: a ``mention`` that is ``with gaps``."""

    numbers: Counter[_Key] = field(default_factory=Counter)
    firsts: dict[_Key, str] = field(default_factory=dict)

    def read(self, noun: str, number: int) -> None:
        """Counts what is read as gold."""
        self._add((_READ, noun, ""), number, "")

    def left_out(self, noun: str, kind: str, number: int = 1, *, first: str = "") -> None:
        """Counts what is not read as gold; ``first`` describes the first of the kind and its place."""
        self._add((_LEFT_OUT, noun, kind), number, first)

    def reduced(self, noun: str, kind: str, number: int = 1, *, first: str = "") -> None:
        """Counts what has lost a part or is not read as written."""
        self._add((_REDUCED, noun, kind), number, first)

    def lines(self) -> tuple[str, ...]:
        """One line if anything is lost, else none."""
        read, out, reduced = (self._told(fate) for fate in (_READ, _LEFT_OUT, _REDUCED))
        told = [f"left out {out}"] * bool(out) + [reduced] * bool(reduced)
        return (f"Read {'; '.join([read, *told])}.",) if told else ()

    def to_json(self) -> list[list[Any]]:
        """The numbers as JSON values, for `add`."""
        return [[*key, number, self.firsts.get(key, "")] for key, number in self.numbers.items()]

    def _told(self, fate: str) -> str:
        return ", ".join(
            f"{words.count(number, key[1], _plural(key[1]))}{' ' * bool(key[2])}{key[2]}{self._first(key)}"
            for key, number in self.numbers.items()
            if key[0] == fate and (number or fate == _READ)
        )

    def _first(self, key: _Key) -> str:
        return f" (the first {self.firsts[key]})" if key in self.firsts else ""

    def _add(self, key: _Key, number: int, first: str) -> None:
        self.numbers[key] += number
        if first:
            self.firsts.setdefault(key, first)


def add(parts: Iterable[Sequence[Sequence[Any]]]) -> Tally:
    """The sum of tallies, each as `Tally.to_json` gives it."""
    whole = Tally()
    for rows in parts:
        for fate, noun, kind, number, first in rows:
            whole._add((fate, noun, kind), number, first)
    return whole


def _plural(noun: str) -> str:
    return f"{noun[:-1]}ies" if noun.endswith("ty") else f"{noun}s"
