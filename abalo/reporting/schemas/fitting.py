"""Whether a value fits a JSON Schema: as much of draft 2020-12 as the schemas here need, without a further library."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from abalo.errors import visible

Place = tuple[str | int, ...]
"""Names of fields and numbers of parts that lead to a value."""

Misfit = tuple[Place, str]
"""A place within a value, and what is wrong with the value there, in words."""

_Check = Callable[[Any], Misfit | None]
"""Gives the first thing that is wrong with a value; None where it fits."""


def _is_number(value: Any) -> bool:
    """Whether it is a number, and not one without end, as a reader of JSON makes of 1e999."""
    return (isinstance(value, int) and not isinstance(value, bool)) or (
        isinstance(value, float) and math.isfinite(value)
    )


_TYPES: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "null": ("null", lambda value: value is None),
    "boolean": ("true or false", lambda value: isinstance(value, bool)),
    "integer": ("a whole number", lambda value: _is_number(value) and value == int(value)),
    "number": ("a number", _is_number),
    "string": ("a string", lambda value: isinstance(value, str)),
    "array": ("a list", lambda value: isinstance(value, list)),
    "object": ("an object", lambda value: isinstance(value, dict)),
}
"""The types of JSON, each in words, with what tells that a value is of it."""

_LENGTH = 60
"""How many characters of a value a message quotes."""


class Schema:
    """A schema that is read once, for any number of values."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._whole = schema
        self._named: dict[str, list[_Check]] = {}
        self._checks = self._of(schema)

    def misfit(self, value: Any) -> str | None:
        """The first place at which a value does not fit, with what is wrong there; None where all of it fits."""
        found = _all(self._checks, value)
        return None if found is None else f"{_written(found[0])}{found[1]}"

    def _of(self, schema: Any) -> list[_Check]:
        """The checks that a part of the schema asks for."""
        if isinstance(schema, bool):
            return [] if schema else [_nothing]
        checks: list[_Check] = [partial(_KEYWORDS[name], asked) for name, asked in schema.items() if name in _KEYWORDS]
        if "$ref" in schema:
            checks.append(self._reference(schema["$ref"]))
        if not schema.keys().isdisjoint({"properties", "additionalProperties", "propertyNames"}):
            checks.append(self._fields(schema))
        if "items" in schema or "prefixItems" in schema:
            checks.append(self._parts(schema))
        checks += [check for each in schema.get("allOf", ()) for check in self._of(each)]
        if "anyOf" in schema:
            checks.append(partial(_any, [self._of(each) for each in schema["anyOf"]]))
        if "not" in schema:
            checks.append(partial(_not, self._of(schema["not"])))
        if "if" in schema:
            branches = (self._of(schema.get(name, True)) for name in ("then", "else"))
            checks.append(partial(_branch, self._of(schema["if"]), *branches))
        return checks

    def _reference(self, name: str) -> _Check:
        """A part of the schema that stands elsewhere in it, and may hold itself."""
        if name not in self._named:
            self._named[name] = []
            part: Any = self._whole
            for each in name.removeprefix("#/").split("/"):
                part = part[each]
            self._named[name] += self._of(part)
        return partial(_all, self._named[name])

    def _fields(self, schema: Mapping[str, Any]) -> _Check:
        known = {name: self._of(each) for name, each in schema.get("properties", {}).items()}
        names = self._of(schema.get("propertyNames", True))
        return partial(_fields, known, self._of(schema.get("additionalProperties", True)), names)

    def _parts(self, schema: Mapping[str, Any]) -> _Check:
        first = [self._of(each) for each in schema.get("prefixItems", ())]
        return partial(_items, first, self._of(schema.get("items", True)))


def _written(place: Place) -> str:
    """A place as a message has it, such as ``tasks.ner.seeds[0]``, with a space behind it; "it " for the whole."""
    parts = (f"[{each}]" if isinstance(each, int) else f".{visible(each)}" for each in place)
    return f"{''.join(parts).lstrip('.') or 'it'} "


def _shown(value: Any) -> str:
    text = visible(repr(value))
    return text if len(text) <= _LENGTH else f"{text[:_LENGTH]}…"


def _is(value: Any, expected: str) -> Misfit:
    return (), f"is {_shown(value)}; expected {expected}"


# Checks ---------------------------------------------------------------------------------------------------------------


def _all(checks: Sequence[_Check], value: Any) -> Misfit | None:
    for check in checks:
        if (found := check(value)) is not None:
            return found
    return None


def _within(name: str | int, found: Misfit | None) -> Misfit | None:
    """The faults of a part, as of the whole."""
    return None if found is None else ((name, *found[0]), found[1])


def _nothing(value: Any) -> Misfit:
    return _is(value, "no such field")


def _type(asked: str | Sequence[str], value: Any) -> Misfit | None:
    names = [asked] if isinstance(asked, str) else asked
    for name in names:
        if _TYPES[name][1](value):
            return None
    return _is(value, " or ".join(_TYPES[name][0] for name in names))


def _const(asked: Any, value: Any) -> Misfit | None:
    return None if _same(value, asked) else _is(value, repr(asked))


def _enum(asked: Sequence[Any], value: Any) -> Misfit | None:
    return None if any(_same(value, each) for each in asked) else _is(value, " or ".join(map(repr, asked)))


def _same(value: Any, other: Any) -> bool:
    """Whether two values are the same in JSON, in which true is not 1."""
    return isinstance(value, bool) is isinstance(other, bool) and bool(value == other)


def _required(asked: Sequence[str], value: Any) -> Misfit | None:
    lacking = [name for name in asked if name not in value] if isinstance(value, dict) else []
    return ((), f"has no {', '.join(lacking)}") if lacking else None


def _together(asked: Mapping[str, Sequence[str]], value: Any) -> Misfit | None:
    there = (others for name, others in asked.items() if isinstance(value, dict) and name in value)
    return next((found for others in there if (found := _required(others, value)) is not None), None)


def _bound(fits: Callable[[Any, Any], bool], words: str, asked: Any, value: Any) -> Misfit | None:
    return None if not _is_number(value) or fits(value, asked) else _is(value, f"{words} {asked}")


def _least(kind: type[Any], noun: str, asked: int, value: Any) -> Misfit | None:
    return _is(value, f"at least {asked} {noun}") if isinstance(value, kind) and len(value) < asked else None


def _most(kind: type[Any], noun: str, asked: int, value: Any) -> Misfit | None:
    return _is(value, f"at most {asked} {noun}") if isinstance(value, kind) and len(value) > asked else None


def _pattern(asked: str, value: Any) -> Misfit | None:
    return _is(value, f"a string like {asked}") if isinstance(value, str) and not re.search(asked, value) else None


def _unique(asked: bool, value: Any) -> Misfit | None:
    if not asked or not isinstance(value, list):
        return None
    return _is(value, "no part twice") if len({*map(repr, value)}) < len(value) else None


def _any(branches: Sequence[Sequence[_Check]], value: Any) -> Misfit | None:
    """Of what is wrong in each branch, what lies deepest: the branch that was meant fits down to there."""
    found: list[Misfit] = []
    for checks in branches:
        if (first := _all(checks, value)) is None:
            return None
        found.append(first)
    return max(found, key=lambda each: len(each[0]))


def _not(checks: Sequence[_Check], value: Any) -> Misfit | None:
    return _is(value, "another value") if _all(checks, value) is None else None


def _branch(
    condition: Sequence[_Check], then: Sequence[_Check], otherwise: Sequence[_Check], value: Any
) -> Misfit | None:
    return _all(then if _all(condition, value) is None else otherwise, value)


def _fields(
    known: Mapping[str, Sequence[_Check]], others: Sequence[_Check], names: Sequence[_Check], value: Any
) -> Misfit | None:
    for name, each in value.items() if isinstance(value, dict) else ():
        found = _all(names, name) or _all(known.get(name, others), each)
        if found is not None:
            return _within(name, found)
    return None


def _items(first: Sequence[Sequence[_Check]], others: Sequence[_Check], value: Any) -> Misfit | None:
    for place, each in enumerate(value) if isinstance(value, list) else ():
        found = _all(first[place] if place < len(first) else others, each)
        if found is not None:
            return _within(place, found)
    return None


_KEYWORDS: Mapping[str, Callable[..., Misfit | None]] = {
    "type": _type,
    "const": _const,
    "enum": _enum,
    "required": _required,
    "dependentRequired": _together,
    "minimum": partial(_bound, operator.ge, "at least"),
    "maximum": partial(_bound, operator.le, "at most"),
    "exclusiveMinimum": partial(_bound, operator.gt, "more than"),
    "exclusiveMaximum": partial(_bound, operator.lt, "less than"),
    "minLength": partial(_least, str, "characters"),
    "minItems": partial(_least, list, "parts"),
    "maxItems": partial(_most, list, "parts"),
    "minProperties": partial(_least, dict, "fields"),
    "pattern": _pattern,
    "uniqueItems": _unique,
}
"""The check of each keyword that needs no other."""
