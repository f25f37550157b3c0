r"""Templates: text with slots in braces, that fillers fill.

* ``{town}`` stands for a value of the filler ``town``; the same key twice for the same value twice.
* ``{town2}`` stands for another value of ``town`` than ``{town}``, where there is no filler ``town2``.
* ``{first.she}`` stands for what belongs to the value of ``{first}`` under the name ``she``.
* ``{a:town}`` stands for the word before the colon in the form that fits the value of ``town``; not for the value.

A backslash makes the next character literal: ``\{`` is a brace.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from abalo.capabilities.fillers import Row
from abalo.core.filling import Filled, Slot

_PART = re.compile(r"\\.|\{([^{}]*)\}|[{}]", re.DOTALL)
_SLOT = re.compile(r"(?:(?P<word>[^\s:.]+):)?(?P<key>[^\W\d]\w*)(?:\.(?P<of>[^\W\d]\w*))?")
_NUMBERED = re.compile(r"(?P<base>.*?[^\d])(?P<number>\d+)")

Fitting = Callable[[str, Row], str]
"""``fitting(word, row)``: the word in the form that fits the value; raises ValueError where none is known."""


@dataclass(frozen=True, slots=True)
class Reference:
    """The content of braces: the value of ``key``, what belongs to it as ``of``, or a ``word`` that fits it."""

    key: str
    of: str = ""
    word: str = ""

    @property
    def name(self) -> str:
        """As it is written between braces."""
        return f"{self.word}:{self.key}" if self.word else f"{self.key}.{self.of}" if self.of else self.key


def base_of(key: str, fillers: Mapping[str, Any]) -> str:
    """The filler that a key takes its values from: its own, or for ``town2`` that of ``town``."""
    found = _NUMBERED.fullmatch(key)
    return found["base"] if found and key not in fillers and found["base"] in fillers else key


@dataclass(frozen=True)
class Text:
    """A text with slots; raises ValueError where braces do not fit."""

    written: str

    @cached_property
    def _parts(self) -> tuple[str | Reference, ...]:
        return tuple(_parsed(self.written))

    @property
    def references(self) -> tuple[Reference, ...]:
        """The contents of braces, from left to right."""
        return tuple(part for part in self._parts if isinstance(part, Reference))

    def filled(self, rows: Mapping[str, Row], fitting: Fitting) -> Filled:
        """The text with the values of ``rows``, by key; raises ValueError where a form is not known."""
        found, length, slots = [], 0, []
        for part in self._parts:
            value = part if isinstance(part, str) else _value(part, rows, fitting)
            if isinstance(part, Reference):
                slots.append(Slot(part.name, length, value))
            found.append(value)
            length += len(value)
        return Filled("".join(found), tuple(slots))


def _parsed(written: str) -> Iterator[str | Reference]:
    position = 0
    for found in _PART.finditer(written):
        yield written[position : found.start()]
        position = found.end()
        if found[0].startswith("\\"):
            yield found[0][1:] if found[0][1:] in "{}" else found[0]
        elif found[1] is None:
            raise ValueError(f"{written!r}: {found[0]!r} has no counterpart; write \\{found[0]} for a literal brace")
        else:
            slot = _SLOT.fullmatch(found[1])
            if slot is None or (slot["word"] and slot["of"]):
                raise ValueError(
                    f"{written!r}: cannot read {found[0]}; expected {{key}}, {{key.name}} or {{word:key}}, where a key "
                    "is of letters, digits and underscores"
                )
            yield Reference(slot["key"], slot["of"] or "", slot["word"] or "")
    yield written[position:]


def _value(reference: Reference, rows: Mapping[str, Row], fitting: Fitting) -> str:
    row = rows[reference.key]
    if reference.word:
        return fitting(reference.word, row)
    if not reference.of:
        return row.value
    if reference.of not in row.more:
        raise ValueError(
            f"{{{reference.name}}}: {row.value!r} has nothing called {reference.of!r}; "
            f"{'it has ' + ', '.join(row.more) if row.more else 'write its value as a table'}"
        )
    return row.more[reference.of]


Fields = Mapping[str, "str | Sequence[str]"]
"""The texts of a template by field: one text, or several, such as the options of a question."""


@dataclass(frozen=True)
class Template:
    """A template: the texts of its fields."""

    fields: Mapping[str, Text | tuple[Text, ...]]

    @classmethod
    def of(cls, fields: Fields) -> Template:
        """The template with these texts; raises ValueError where braces do not fit."""
        made = cls({name: _texts(value) for name, value in fields.items()})
        _ = made.references
        return made

    @property
    def texts(self) -> tuple[Text, ...]:
        """All texts."""
        return tuple(text for each in self.fields.values() for text in (each if isinstance(each, tuple) else (each,)))

    @property
    def references(self) -> tuple[Reference, ...]:
        """The contents of braces in any field."""
        return tuple(dict.fromkeys(found for text in self.texts for found in text.references))

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys, in the order in which they come first."""
        return tuple(dict.fromkeys(each.key for each in self.references))

    @property
    def written(self) -> str:
        """As a reader sees it: the text of an only field, else all with their names."""
        if len(self.fields) == 1:
            return self.texts[0].written
        return "; ".join(f"{name}: {_shown(value)}" for name, value in self.fields.items())

    def filled(self, rows: Mapping[str, Row], fitting: Fitting) -> dict[str, Filled | tuple[Filled, ...]]:
        """Every text filled, by field; raises ValueError where a form is not known."""
        return {
            name: tuple(text.filled(rows, fitting) for text in value)
            if isinstance(value, tuple)
            else value.filled(rows, fitting)
            for name, value in self.fields.items()
        }


def _texts(value: str | Sequence[str]) -> Text | tuple[Text, ...]:
    return Text(value) if isinstance(value, str) else tuple(map(Text, value))


def _shown(value: Text | tuple[Text, ...]) -> str:
    return value.written if isinstance(value, Text) else " / ".join(text.written for text in value)
