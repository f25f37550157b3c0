"""Values from outside, held against annotations by pydantic."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, TypeAdapter
    from pydantic.json_schema import JsonSchemaValue

STRICT: Mapping[str, object] = {
    "strict": True,
    "allow_inf_nan": False,
    "regex_engine": "python-re",
    "arbitrary_types_allowed": True,
}
"""Numbers are finite numbers, not texts; instances of a class are taken as they are."""

_ADAPTERS: dict[object, Any] = {}


@dataclass(frozen=True, slots=True)
class Pattern:
    """Annotates strings with a regular expression, as JSON Schema has them: ``$`` is the end."""

    regex: str

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> Any:
        found: Any = {**handler(source), "pattern": re.sub(r"\$$", r"\\Z", self.regex)}
        return found

    def __get_pydantic_json_schema__(self, core: Any, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return handler(core) | {"pattern": self.regex}


@dataclass(frozen=True, slots=True)
class Unique:
    """Annotates lists of distinct items."""

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> Any:
        from pydantic import AfterValidator

        return AfterValidator(self._unique).__get_pydantic_core_schema__(source, handler)

    def __get_pydantic_json_schema__(self, core: Any, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return handler(core) | {"uniqueItems": True}

    @staticmethod
    def _unique(value: list[Any]) -> list[Any]:
        if len(value) > len(set(value)):
            raise ValueError("an item is there twice")
        return value


@dataclass(frozen=True, slots=True)
class ReadFrom:
    """Annotates values that are read from how JSON writes them."""

    read: Callable[[object], object]

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> Any:
        from pydantic import BeforeValidator

        return BeforeValidator(self.read).__get_pydantic_core_schema__(source, handler)


def _whole(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _day(value: object) -> object:
    if isinstance(value, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        return date.fromisoformat(value)
    return value


AS_WHOLE = ReadFrom(_whole)
"""Annotates whole numbers, which may be written as 1.0."""

Whole = Annotated[int, AS_WHOLE]

Day = Annotated[date, ReadFrom(_day)]


def adapter(annotation: Any) -> TypeAdapter[Any]:
    """The reader of an annotation."""
    from pydantic import TypeAdapter

    if annotation not in _ADAPTERS:
        is_record = hasattr(annotation, "__pydantic_config__")
        _ADAPTERS[annotation] = TypeAdapter(annotation, config=None if is_record else STRICT)  # type: ignore[arg-type]
    found: TypeAdapter[Any] = _ADAPTERS[annotation]
    return found


def valid(value: object, annotation: Any) -> Any:
    """The value with the annotated type; raises ValueError for others."""
    return adapter(annotation).validate_python(value)


def fits(value: object, annotation: Any) -> bool:
    """Whether the annotation allows the value."""
    try:
        valid(value, annotation)
    except ValueError:
        return False
    return True


def schema_of(annotation: Any) -> dict[str, Any]:
    """The JSON Schema; files name instances of a class by a string."""
    return deepcopy(_schema(annotation))


@cache
def _schema(annotation: Any) -> dict[str, Any]:
    from pydantic.json_schema import GenerateJsonSchema

    class Named(GenerateJsonSchema):
        def is_instance_schema(self, _: object) -> JsonSchemaValue:
            return {"type": "string"}

    return adapter(annotation).json_schema(schema_generator=Named)
