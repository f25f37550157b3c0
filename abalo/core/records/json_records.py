"""JSON objects as frozen dataclasses with declared fields, which pydantic reads."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar, get_args, get_type_hints

from annotated_types import Ge, Le, MinLen

from abalo.core.records.values import AS_WHOLE, STRICT, Pattern, adapter

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationError
    from pydantic.json_schema import JsonSchemaValue

Json = Mapping[str, Any]

Joins = Literal["first", "sum", "spent", "largest", "recount"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonRecord:
    """A JSON object: declared fields, and others under ``more``.

    ``names`` are the fields read, in order; the same ones are written.
    """

    __pydantic_config__: ClassVar[Mapping[str, object]] = STRICT

    more: Mapping[str, Any] = field(default_factory=dict)
    names: tuple[str, ...] = field(default=(), compare=False, repr=False)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: GetCoreSchemaHandler) -> Any:
        from pydantic import BeforeValidator

        found: Any = BeforeValidator(cls._divided).__get_pydantic_core_schema__(source, handler)
        own = found["schema"]
        own["strict"] = False  # so that it may be a mapping
        return found | {"ref": own.pop("ref")}

    @classmethod
    def _divided(cls, value: object) -> object:
        """A mapping with undeclared fields under ``more``."""
        if not isinstance(value, dict | Mapping):
            return value
        known = _declared(cls)
        own = {name: each for name, each in value.items() if name in known}
        rest = {name: each for name, each in value.items() if name not in known}
        return {**own, "more": rest, "names": (*value,)}

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        found = handler(core)
        whole = handler.resolve_ref_schema(found)
        properties = whole["properties"]
        if "more" not in properties:  # pydantic asks for the record, and for the validator around it
            return found
        shown = {each.name: each for each in declared_fields(cls) if each.metadata.get("kept", True)}
        others = get_args(get_type_hints(cls, include_extras=True)["more"])[1]
        whole["additionalProperties"] = others is not Any and properties["more"]["additionalProperties"]
        whole["properties"] = {name: _described(properties[name], each) for name, each in shown.items()}
        whole["required"] = [name for name, each in shown.items() if is_required(each)]
        return found


def _described(schema: JsonSchemaValue, declared: Field[Any]) -> JsonSchemaValue:
    schema.pop("default", None)
    schema.pop("title", None)
    text = declared.metadata.get("text")
    return {**schema, "description": text} if text else schema


R = TypeVar("R", bound=JsonRecord)


Anything = Annotated[Any, "from others"]
"""Values of ``more`` in records that others may add fields to."""

Count = Annotated[int, Ge(0), AS_WHOLE]
Positive = Annotated[int, Ge(1), AS_WHOLE]
Size = Annotated[float, Ge(0)]
Share = Annotated[float, Ge(0), Le(1)]
Name = Annotated[str, MinLen(1)]
Sha256 = Annotated[str, Pattern("^[0-9a-f]{64}$")]
Commit = Annotated[str, Pattern("^([0-9a-f]{40}|[0-9a-f]{64})$")]
Moment = Annotated[str, Pattern(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")]
"""Date and time in UTC."""


def declared(
    text: str = "",
    *,
    joins: Joins = "first",
    default: Any = MISSING,
    factory: Any = MISSING,
    required: bool | None = None,
    kept: bool = True,
) -> Any:
    """A field of a record.

    Args:
        text: Meaning for readers of the file.
        joins: How parts' values become the whole's.
        default: Value if absent.
        factory: Makes the default.
        required: Whether files always have it.
        kept: False if it exists only in memory.
    """
    told: dict[str, object] = {"text": text, "joins": joins, "required": required, "kept": kept}
    given = {"default": default} if factory is MISSING else {"default_factory": factory}
    return field(metadata=told, **given)


def joins(kinds: Iterable[type[JsonRecord]], *how: Joins) -> list[str]:
    """The fields that are joined in these ways."""
    known = (each for kind in kinds for each in declared_fields(kind))
    return [each.name for each in known if each.metadata.get("joins", "first") in how]


def read(kind: type[R], value: object) -> R:
    """The record in a JSON value; raises TypeError that names every misfit."""
    if isinstance(value, kind):
        return value
    from pydantic import ValidationError

    try:
        found: R = adapter(kind).validate_python(value)
    except ValidationError as error:
        if any(each["type"] == "string_unicode" for each in error.errors()):
            return read(kind, _encodable(value))
        raise TypeError(misfits(error, value, kind.__name__)) from None
    return found


def check_fields(value: Json, kinds: Mapping[str, Any], required: Iterable[str], place: str) -> None:
    """Raises TypeError that names misfits of an object at a place, whose fields have these annotations."""
    from pydantic import ValidationError

    lacks = [f"{place}.{name} is missing" for name in required if name not in value]
    for name in value.keys() & kinds.keys():
        try:
            adapter(dict[str, kinds[name]]).validate_python({name: value[name]})  # type: ignore[valid-type]
        except ValidationError as error:
            lacks.append(f"{place}.{misfits(error, value, name)}")
    if lacks:
        raise TypeError("; ".join(lacks))


def _encodable(value: Any) -> Any:
    """The value with lone surrogates as escapes, which UTF-8 has."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, Mapping):
        return {_encodable(name): _encodable(each) for name, each in value.items()}
    return [*map(_encodable, value)] if isinstance(value, list | tuple) else value


def read_whole(kind: type[R], value: object) -> R:
    """The record in a file; also raises TypeError for a field that every file has."""
    found = read(kind, value)
    if lacks := [*_absent(found)]:
        raise TypeError("; ".join(f"{place} is missing" for place in lacks))
    return found


def _absent(value: object, place: str = "") -> Iterator[str]:
    if isinstance(value, JsonRecord):
        own = _declared(type(value))
        yield from (f"{place}{name}" for name, each in own.items() if is_required(each) and name not in value.names)
        parts: Iterable[tuple[object, object]] = ((name, getattr(value, name)) for name in own if name in value.names)
        parts = chain(parts, value.more.items())
    elif isinstance(value, Mapping):
        parts = value.items()
    else:
        parts = enumerate(value) if isinstance(value, list | tuple) else ()
    for name, each in parts:
        if not isinstance(each, str | int | float | None):
            yield from _absent(each, f"{place}{name}.")


def misfits(error: ValidationError, value: object, name: str) -> str:
    """Place, value and expectation of every misfit."""
    found: dict[str, str] = {}
    for each in error.errors(include_url=False, include_context=False):
        is_missing = each["type"] == "missing"
        place = _place(each["loc"], value, is_missing=is_missing) or name
        expected = _EXPECTED.get(each["type"]) or each["msg"].removeprefix("Input should be ")
        expected = expected.replace("String should match pattern", "a text that matches")
        said = f"{place} is missing" if is_missing else f"{place} is {each['input']!r:.40}; expected {expected}"
        more = "" if expected in found.get(place, "") else f", or {expected}"
        found[place] = f"{found[place]}{more}" if place in found else said
    return "; ".join(found.values())


_EXPECTED = {
    "string_type": "a text",
    "string_too_short": "a text that is not empty",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "none_required": "null",
    **dict.fromkeys(("sequence_str", "is_instance_of", "list_type"), "a list"),
    **dict.fromkeys(("dataclass_type", "dict_type", "mapping_type"), "an object"),
}
"""Words for the misfits that pydantic tells in Python's."""


def _place(loc: Sequence[int | str], value: Any, *, is_missing: bool) -> str:
    """The place, as in the file."""
    found = []
    for part in loc[:-1] if is_missing else loc:
        inside = isinstance(value, Mapping) if isinstance(part, str) else isinstance(value, list | tuple)
        if inside and (not isinstance(part, str) or part in value):  # else a member of a union, or ``more``
            value = value[part]
            found.append(str(part))
    return ".".join([*found, *map(str, loc[-1:])] if is_missing else found)


def json_schema(kind: Any) -> dict[str, Any]:
    """The JSON Schema of a record or union; its parts are in ``$defs``, such as ``compared_task``."""
    found: dict[str, Any] = json.loads(_schema_text(kind))
    return found


@cache
def _schema_text(kind: Any) -> str:
    text = json.dumps(adapter(kind).json_schema())
    names = {each: _named(each) for each in re.findall(r'"#/\$defs/(\w+)"', text)}
    found = json.loads(re.sub(r'(?<="#/\$defs/)\w+(?=")', lambda part: names[part[0]], text))
    return json.dumps(found | {"$defs": {names[each]: schema for each, schema in found.get("$defs", {}).items()}})


def _named(record: str) -> str:
    return re.sub("(?<!^)(?=[A-Z])", "_", record.removeprefix("Stored").removesuffix("Facts")).lower()


def as_json(value: object) -> Any:
    """The value with records as dicts."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, JsonRecord):
        own = _declared(type(value))
        order = dict.fromkeys((*value.names, *own, *value.more))
        return {name: as_json(each) for name in order if (each := _value(value, name, own.get(name))) is not MISSING}
    if isinstance(value, (dict, Mapping)):
        return {name: as_json(each) for name, each in value.items()}
    return [*map(as_json, value)] if isinstance(value, list | tuple) else value


def _value(record: JsonRecord, name: str, declared: Field[Any] | None) -> object:
    if declared is None:
        return record.more.get(name, MISSING)
    value = getattr(record, name)
    if name in record.names or declared.default is declared.default_factory is MISSING:
        return value
    if declared.default_factory is not MISSING:
        return MISSING if value == declared.default_factory() else value
    return MISSING if value == declared.default else value


def declared_fields(kind: type[JsonRecord]) -> list[Field[Any]]:
    """The declared fields in order."""
    return [*_declared(kind).values()]


_DECLARED: dict[type[JsonRecord], Mapping[str, Field[Any]]] = {}


def _declared(kind: type[JsonRecord]) -> Mapping[str, Field[Any]]:
    if kind not in _DECLARED:
        _DECLARED[kind] = {each.name: each for each in fields(kind) if each.name not in ("more", "names")}
    return _DECLARED[kind]


def is_required(declared: Field[Any]) -> bool:
    """Whether a field must be present."""
    required: bool | None = declared.metadata.get("required")
    return declared.default is declared.default_factory is MISSING if required is None else required
