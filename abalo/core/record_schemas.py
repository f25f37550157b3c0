"""JSON Schemas of records, from their declared fields."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from abalo.core.records import JsonRecord, declared_fields, is_required

Schema = dict[str, Any]

_PLAIN: Mapping[object, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    Any: {},
}


def named(kind: type[JsonRecord]) -> str:
    """The name of a record's schema, such as ``compared_task``."""
    return re.sub("(?<!^)(?=[A-Z])", "_", kind.__name__.removesuffix("Facts")).lower()


_HINTS: dict[type[JsonRecord], Mapping[str, Any]] = {}


def _hints(kind: type[JsonRecord]) -> Mapping[str, Any]:
    if kind not in _HINTS:
        _HINTS[kind] = get_type_hints(kind, include_extras=True)
    return _HINTS[kind]


def object_schema(kind: type[JsonRecord], others: dict[str, Schema]) -> Schema:
    """The schema of a record; its parts' go to ``others``."""
    hints = _hints(kind)
    required: list[str] = []
    properties: dict[str, Schema] = {}
    for each in declared_fields(kind):
        told = each.metadata
        if told.get("kept", True):
            hint = hints[each.name]
            found = reference(told["schema"], others) if told.get("schema") else _schema(hint, others)
            if each.default is None and not told.get("null"):
                found = _without_null(found)
            elif told.get("schema") and NoneType in get_args(hint):
                found = _or_null(found)
            properties[each.name] = found | ({"description": told["text"]} if told.get("text") else {})
            required += [each.name] if is_required(each) else []
    rest = get_args(hints["more"])[1]
    return {
        "type": "object",
        **({"required": required} if required else {}),
        "properties": properties,
        "additionalProperties": False if rest is Any else _schema(rest, others),
    }


def _schema(hint: Any, others: dict[str, Schema]) -> Schema:
    origin, parts = get_origin(hint), get_args(hint)
    if hint in _PLAIN:
        return {**_PLAIN[hint]}
    if origin is Annotated:
        told = {name: [*each] if isinstance(each, tuple) else each for name, each in parts[1].keywords}
        return _schema(parts[0], others) | told
    if origin is Literal:
        return {"enum": [*parts]}
    if origin in (Union, UnionType):
        some = [_schema(each, others) for each in parts if each is not NoneType]
        found = some[0] if len(some) == 1 else {"anyOf": some}
        return _or_null(found) if NoneType in parts else found
    if origin in (Mapping, dict):
        values = _schema(parts[1], others)
        return {"type": "object"} | ({"additionalProperties": values} if values else {})
    if origin is Sequence:
        return {"type": "array", "items": _schema(parts[0], others)}
    return reference(hint, others)


def reference(kind: type[JsonRecord], others: dict[str, Schema]) -> Schema:
    """A reference to a record's schema, added to ``others``."""
    name = named(kind)
    if name not in others:
        others[name] = {}  # known before its parts are, which may refer to it
        others[name] = object_schema(kind, others)
    return {"$ref": f"#/$defs/{name}"}


def _or_null(schema: Schema) -> Schema:
    if "enum" in schema:
        return schema | {"enum": [*schema["enum"], None]}
    if isinstance(schema.get("type"), str):
        return schema | {"type": [schema["type"], "null"]}
    return {"anyOf": [*schema.get("anyOf", [schema]), {"type": "null"}]}


def _without_null(schema: Schema) -> Schema:
    if "enum" in schema:
        return schema | {"enum": [each for each in schema["enum"] if each is not None]}
    if isinstance(schema.get("type"), list):
        (kind,) = (each for each in schema["type"] if each != "null")
        return schema | {"type": kind}
    some = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    return some[0] if len(some) == 1 else schema
