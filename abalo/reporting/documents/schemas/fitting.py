"""Validates values against the part of JSON Schema (draft 2020-12) used here."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from abalo.core.records import Json
from abalo.errors import visible

Place = tuple[str | int, ...]
"""Field names and list positions."""

Misfit = tuple[Place, str]
"""Place and fault."""

_Check = Callable[[Any], Misfit | None]


def _is_number(value: object) -> bool:
    """Excludes infinities, which 1e999 becomes."""
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

_LENGTH = 60


class Schema:
    """A schema compiled once for many values."""

    def __init__(self, schema: Mapping[str, object]) -> None:
        self._whole = schema
        self._named: dict[str, list[_Check]] = {}
        self._checks = self._of(schema)

    def misfit(self, value: object) -> str | None:
        """Returns the first misfit with its place; None if the value fits."""
        found = _all(self._checks, value)
        return None if found is None else f"{_place_text(found[0])}{found[1]}"

    def _of(self, schema: Any) -> list[_Check]:
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
        if name not in self._named:
            self._named[name] = []
            part: Any = self._whole
            for each in name.removeprefix("#/").split("/"):
                part = part[each]
            self._named[name] += self._of(part)
        return partial(_all, self._named[name])

    def _fields(self, schema: Json) -> _Check:
        known = {name: self._of(each) for name, each in schema.get("properties", {}).items()}
        names = self._of(schema.get("propertyNames", True))
        return partial(_fields, known, self._of(schema.get("additionalProperties", True)), names)

    def _parts(self, schema: Json) -> _Check:
        first = [self._of(each) for each in schema.get("prefixItems", ())]
        return partial(_items, first, self._of(schema.get("items", True)))


def _place_text(place: Place) -> str:
    parts = (f"[{each}]" if isinstance(each, int) else f".{visible(each)}" for each in place)
    return f"{''.join(parts).lstrip('.') or 'it'} "


def _show(value: object) -> str:
    text = visible(repr(value))
    return text if len(text) <= _LENGTH else f"{text[:_LENGTH]}…"


def _is(value: object, expected: str) -> Misfit:
    return (), f"is {_show(value)}; expected {expected}"


# Checks ---------------------------------------------------------------------------------------------------------------


def _all(checks: Sequence[_Check], value: object) -> Misfit | None:
    for check in checks:
        if (found := check(value)) is not None:
            return found
    return None


def _within(name: str | int, found: Misfit | None) -> Misfit | None:
    return None if found is None else ((name, *found[0]), found[1])


def _nothing(value: object) -> Misfit:
    return _is(value, "no such field")


def _type(asked: str | Sequence[str], value: object) -> Misfit | None:
    names = [asked] if isinstance(asked, str) else asked
    for name in names:
        if _TYPES[name][1](value):
            return None
    return _is(value, " or ".join(_TYPES[name][0] for name in names))


def _const(asked: object, value: object) -> Misfit | None:
    return None if _same(value, asked) else _is(value, repr(asked))


def _enum(asked: Sequence[object], value: object) -> Misfit | None:
    return None if any(_same(value, each) for each in asked) else _is(value, " or ".join(map(repr, asked)))


def _same(value: object, other: object) -> bool:
    """In JSON, true is not 1."""
    return isinstance(value, bool) is isinstance(other, bool) and bool(value == other)


def _check_required(asked: Sequence[str], value: object) -> Misfit | None:
    lacking = [name for name in asked if name not in value] if isinstance(value, dict) else []
    return ((), f"has no {', '.join(lacking)}") if lacking else None


def _together(asked: Mapping[str, Sequence[str]], value: object) -> Misfit | None:
    there = (others for name, others in asked.items() if isinstance(value, dict) and name in value)
    return next((found for others in there if (found := _check_required(others, value)) is not None), None)


def _bound(fits: Callable[[Any, Any], bool], words: str, asked: object, value: object) -> Misfit | None:
    return None if not _is_number(value) or fits(value, asked) else _is(value, f"{words} {asked}")


def _least(kind: type[Any], noun: str, asked: int, value: object) -> Misfit | None:
    return _is(value, f"at least {asked} {noun}") if isinstance(value, kind) and len(value) < asked else None


def _most(kind: type[Any], noun: str, asked: int, value: object) -> Misfit | None:
    return _is(value, f"at most {asked} {noun}") if isinstance(value, kind) and len(value) > asked else None


def _pattern(asked: str, value: object) -> Misfit | None:
    return _is(value, f"a string like {asked}") if isinstance(value, str) and not re.search(asked, value) else None


def _unique(asked: bool, value: object) -> Misfit | None:
    if not asked or not isinstance(value, list):
        return None
    return _is(value, "no part twice") if len({*map(repr, value)}) < len(value) else None


def _any(branches: Sequence[Sequence[_Check]], value: object) -> Misfit | None:
    """Reports the deepest fault, since the intended branch fits down to there."""
    found: list[Misfit] = []
    for checks in branches:
        if (first := _all(checks, value)) is None:
            return None
        found.append(first)
    return max(found, key=lambda each: len(each[0]))


def _not(checks: Sequence[_Check], value: object) -> Misfit | None:
    return _is(value, "another value") if _all(checks, value) is None else None


def _branch(
    condition: Sequence[_Check], then: Sequence[_Check], otherwise: Sequence[_Check], value: object
) -> Misfit | None:
    return _all(then if _all(condition, value) is None else otherwise, value)


def _fields(
    known: Mapping[str, Sequence[_Check]], others: Sequence[_Check], names: Sequence[_Check], value: object
) -> Misfit | None:
    for name, each in value.items() if isinstance(value, dict) else ():
        found = _all(names, name) or _all(known.get(name, others), each)
        if found is not None:
            return _within(name, found)
    return None


def _items(first: Sequence[Sequence[_Check]], others: Sequence[_Check], value: object) -> Misfit | None:
    for place, each in enumerate(value) if isinstance(value, list) else ():
        found = _all(first[place] if place < len(first) else others, each)
        if found is not None:
            return _within(place, found)
    return None


_KEYWORDS: Mapping[str, Callable[..., Misfit | None]] = {
    "type": _type,
    "const": _const,
    "enum": _enum,
    "required": _check_required,
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
