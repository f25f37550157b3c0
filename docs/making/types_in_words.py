"""The values that a JSON Schema allows, in words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_COUNTED = ("whole number", "number", "string", "list", "object")
_WORDS = {"integer": "whole number", "array": "list", "boolean": "true or false", "null": "null"}


def in_words(schema: Mapping[str, Any] | bool) -> str:
    """The values in words, such as ``whole number from 1`` or ``"pass", "fail"``."""
    if isinstance(schema, bool) or not schema:
        return "any"
    if "anyOf" in schema:
        chosen = [value for each in schema["anyOf"] for value in each.get("enum", ())]
        others = [in_words(each) for each in schema["anyOf"] if "enum" not in each]
        named = [in_words({"enum": list(dict.fromkeys(chosen))})] if chosen else []
        return " or ".join(dict.fromkeys([*others, *named]))
    if "const" in schema:
        return f"`{json.dumps(schema['const'], ensure_ascii=False)}`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(each, ensure_ascii=False)}`" for each in schema["enum"])
    kinds = schema.get("type", "any")
    names = [kinds] if isinstance(kinds, str) else list(kinds)
    return " or ".join(_one(each, schema) for each in names)


def _one(kind: str, schema: Mapping[str, Any]) -> str:
    name = _WORDS.get(kind, kind)
    if kind in ("integer", "number"):
        return name + _range(schema)
    if kind == "array" and isinstance(schema.get("items"), Mapping) and schema["items"]:
        items = in_words(schema["items"]).partition(" from")[0]
        return f"list of {items}s" if items in _COUNTED else f"list of {items}"
    return name


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def _range(schema: Mapping[str, Any]) -> str:
    low, high, below = (schema.get(key) for key in ("minimum", "maximum", "exclusiveMaximum"))
    if low is None and high is None and below is None:
        return ""
    end = f" to below {below:g}" if below is not None else ""
    end = f" to {_number(high)}" if high is not None and high < 10**8 else end
    return f" from {_number(low)}{end}" if low is not None else f" up to {_number(high)}"
