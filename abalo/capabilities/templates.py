r"""Templates: text with slots in braces.

* ``{town}`` takes a value of the filler ``town``; a repeated key repeats the value.
* ``{town2}`` takes another value of ``town``, unless a filler has that name.
* ``{first.she}`` takes the form ``she`` of the value of ``{first}``.
* ``{a:town}`` takes the word before the colon in the form that fits the value of ``town``.

A backslash makes the next character literal: ``\{`` is a brace.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from abalo.capabilities.fillers import FillerRow
from abalo.core.records.filling import Filled, Slot

_PART = re.compile(r"\\.|\{([^{}]*)\}|[{}]", re.DOTALL)
_SLOT = re.compile(r"(?:(?P<word>[^\s:.]+):)?(?P<key>[^\W\d]\w*)(?:\.(?P<of>[^\W\d]\w*))?")
_NUMBERED = re.compile(r"(?P<base>.*?[^\d])(?P<number>\d+)")

Fitting = Callable[[str, FillerRow], str]
"""``fitting(word, row)`` returns the fitting form, or raises ValueError."""


@dataclass(frozen=True, slots=True)
class SlotReference:
    """The content of braces: a value of ``key``, its form ``of``, or a fitting ``word``."""

    key: str
    of: str = ""
    word: str = ""

    @property
    def name(self) -> str:
        """The text between the braces."""
        return f"{self.word}:{self.key}" if self.word else f"{self.key}.{self.of}" if self.of else self.key


def base_of(key: str, fillers: Mapping[str, object]) -> str:
    """Returns the filler of a key, such as ``town`` for ``town2``."""
    found = _NUMBERED.fullmatch(key)
    return found["base"] if found and key not in fillers and found["base"] in fillers else key


@dataclass(frozen=True)
class TemplateText:
    """A text with slots; raises ValueError if the braces are wrong."""

    written: str

    @cached_property
    def _parts(self) -> tuple[str | SlotReference, ...]:
        return tuple(_parse(self.written))

    @property
    def references(self) -> tuple[SlotReference, ...]:
        """The slots, from left to right."""
        return tuple(part for part in self._parts if isinstance(part, SlotReference))

    def filled(self, rows: Mapping[str, FillerRow], fitting: Fitting) -> Filled:
        """Fills the slots; raises ValueError if a form is unknown."""
        found, length, slots = [], 0, []
        for part in self._parts:
            value = part if isinstance(part, str) else _value(part, rows, fitting)
            if isinstance(part, SlotReference):
                slots.append(Slot(part.name, length, value))
            found.append(value)
            length += len(value)
        return Filled("".join(found), tuple(slots))


def _parse(written: str) -> Iterator[str | SlotReference]:
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
            yield SlotReference(slot["key"], slot["of"] or "", slot["word"] or "")
    yield written[position:]


def _value(reference: SlotReference, rows: Mapping[str, FillerRow], fitting: Fitting) -> str:
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


FieldTexts = Mapping[str, "str | Sequence[str]"]
"""Texts by field; several for the options of a question."""


@dataclass(frozen=True)
class Template:
    """A template: the texts of its fields."""

    fields: Mapping[str, TemplateText | tuple[TemplateText, ...]]

    @classmethod
    def of(cls, fields: FieldTexts) -> Template:
        """Parses the texts; raises ValueError if the braces are wrong."""
        made = cls({name: _texts(value) for name, value in fields.items()})
        _ = made.references
        return made

    @property
    def texts(self) -> tuple[TemplateText, ...]:
        """All texts."""
        return tuple(text for each in self.fields.values() for text in (each if isinstance(each, tuple) else (each,)))

    @property
    def references(self) -> tuple[SlotReference, ...]:
        """All slots."""
        return tuple(dict.fromkeys(found for text in self.texts for found in text.references))

    @property
    def keys(self) -> tuple[str, ...]:
        """The distinct keys in order of appearance."""
        return tuple(dict.fromkeys(each.key for each in self.references))

    @property
    def written(self) -> str:
        """The template for readers; field names precede several texts."""
        if len(self.fields) == 1:
            return self.texts[0].written
        return "; ".join(f"{name}: {_show(value)}" for name, value in self.fields.items())

    def filled(self, rows: Mapping[str, FillerRow], fitting: Fitting) -> dict[str, Filled | tuple[Filled, ...]]:
        """Fills all texts; raises ValueError if a form is unknown."""
        return {
            name: tuple(text.filled(rows, fitting) for text in value)
            if isinstance(value, tuple)
            else value.filled(rows, fitting)
            for name, value in self.fields.items()
        }


def _texts(value: str | Sequence[str]) -> TemplateText | tuple[TemplateText, ...]:
    return TemplateText(value) if isinstance(value, str) else tuple(map(TemplateText, value))


def _show(value: TemplateText | tuple[TemplateText, ...]) -> str:
    return value.written if isinstance(value, TemplateText) else " / ".join(text.written for text in value)
