"""JSON Schemas of annotations."""

from __future__ import annotations

from collections.abc import Mapping
from types import UnionType
from typing import Literal, Union, get_args, get_origin

_PLAIN = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}


def schema_of_values(annotation: object, low: float | None = None, high: float | None = None) -> dict[str, object]:
    """The draft 7 schema of what ``perturbations.parameters.check_value`` accepts."""
    origin, arguments = get_origin(annotation) or annotation, get_args(annotation)
    if origin in (Union, UnionType):
        return {"anyOf": [schema_of_values(each, low, high) for each in arguments]}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is tuple:
        return {"type": "array", **({"items": schema_of_values(arguments[0])} if arguments else {})}
    if origin in _PLAIN:
        return {"type": _PLAIN[origin], **_limits(origin, low, high)}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object"}
    return {"type": "string"} if getattr(annotation, "_is_protocol", False) else {}


def _limits(kind: object, low: float | None, high: float | None) -> dict[str, float]:
    known = {"minimum": low, "maximum": high} if kind in (int, float) else {}
    return {name: value for name, value in known.items() if value is not None}
