"""JSON objects as frozen dataclasses with declared fields."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import partial
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

Json = Mapping[str, Any]

Joins = Literal["first", "sum", "spent", "largest", "recount"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonRecord:
    """A JSON object: declared fields, and others under ``more``.

    ``names`` are the fields read, in order; the same ones are written.
    """

    more: Mapping[str, Any] = field(default_factory=dict)
    names: tuple[str, ...] = field(default=(), compare=False, repr=False)


R = TypeVar("R", bound=JsonRecord)


@dataclass(frozen=True, slots=True)
class Rules:
    """JSON Schema keywords for a value."""

    keywords: tuple[tuple[str, object], ...]


def rules(**keywords: float | str | tuple[str, ...]) -> Rules:
    """JSON Schema keywords for an annotation, such as ``minimum=0``."""
    return Rules((*keywords.items(),))


Anything = Annotated[Any, rules()]
"""Values of ``more`` in records that others may add fields to."""

Count = Annotated[int, rules(minimum=0)]
Positive = Annotated[int, rules(minimum=1)]
Size = Annotated[float, rules(minimum=0)]
Share = Annotated[float, rules(minimum=0, maximum=1)]
Name = Annotated[str, rules(minLength=1)]
Sha256 = Annotated[str, rules(pattern="^[0-9a-f]{64}$")]
Commit = Annotated[str, rules(pattern="^([0-9a-f]{40}|[0-9a-f]{64})$")]
Moment = Annotated[str, rules(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
"""Date and time in UTC."""


def declared(
    text: str = "",
    *,
    joins: Joins = "first",
    default: Any = MISSING,
    factory: Any = MISSING,
    required: bool | None = None,
    null: bool = False,
    schema: type[JsonRecord] | None = None,
    kept: bool = True,
    elsewhere: object = None,
) -> Any:
    """A field of a record.

    Args:
        text: Meaning for readers of the file.
        joins: How parts' values become the whole's.
        default: Value if absent.
        factory: Makes the default.
        required: Whether it must be present.
        null: Whether null may be present.
        schema: Its form in the file, if another.
        kept: False if it exists only in memory.
        elsewhere: Value in other kinds of object.
    """
    told: dict[str, object] = {"text": text, "joins": joins, "required": required, "null": null}
    told |= {"schema": schema, "kept": kept, "elsewhere": elsewhere}
    given = {"default": default} if factory is MISSING else {"default_factory": factory}
    return field(metadata=told, **given)


def joins(kind: type[JsonRecord], *how: Joins) -> list[str]:
    """The fields that are joined in these ways."""
    return [each.name for each in declared_fields(kind) if each.metadata.get("joins", "first") in how]


def elsewhere(kind: type[JsonRecord], *names: str) -> dict[str, object]:
    """The fields' values in other kinds of object."""
    known = {each.name: each.metadata.get("elsewhere") for each in declared_fields(kind)}
    return {name: known[name] for name in names}


def read(kind: type[R], value: object) -> R:
    """The record in a JSON value; raises TypeError if it is misshapen."""
    if isinstance(value, kind):
        return value
    if not isinstance(value, (dict, Mapping)):
        raise TypeError(f"{value!r:.40} is no {kind.__name__}")
    known, needed, rest = _readers(kind)
    own = {name: known[name](each) for name, each in value.items() if name in known}
    if lacks := [name for name in needed if name not in own]:
        raise TypeError(f"no {' and no '.join(lacks)}")
    return kind(**own, more={name: rest(each) for name, each in value.items() if name not in known}, names=(*value,))


def read_stored(kind: type[R], value: object) -> R:
    """The record in a file's JSON; raises TypeError for other types and NaN."""
    _check_hint(value, kind, kind.__name__)
    return read(kind, value)


def _check_hint(value: object, hint: object, place: str) -> None:
    origin, parts = get_origin(hint), get_args(hint)
    is_record = isinstance(hint, type) and issubclass(hint, JsonRecord)
    if hint in _PLAIN:
        fits = isinstance(value, _PLAIN[hint]) and (hint is bool or not isinstance(value, bool))
    elif origin in (Union, UnionType):
        fits = any(_fits(value, part) for part in parts)
    elif origin is Literal:
        fits = value in parts
    elif origin is Sequence:
        fits = isinstance(value, list)
    else:
        fits = isinstance(value, dict) or not (is_record or origin in (Mapping, dict))
    if not fits or (isinstance(value, float) and not math.isfinite(value)):
        raise TypeError(f"{place} is {value!r:.40}")
    if isinstance(value, list):
        for each in value:
            _check_hint(each, parts[0] if origin is Sequence else Any, place)
    elif isinstance(value, dict):
        known = _hints(hint) if is_record else {}
        others = parts[1] if origin in (Mapping, dict) else Any
        for name, each in value.items():
            _check_hint(each, known.get(name, others), name)


_PLAIN: Mapping[object, tuple[type, ...]] = {
    str: (str,),
    int: (int,),
    float: (int, float),
    bool: (bool,),
    NoneType: (NoneType,),
}


_HINTS: dict[object, dict[str, object]] = {}


def _hints(kind: Any) -> dict[str, object]:
    if kind not in _HINTS:
        _HINTS[kind] = get_type_hints(kind)
    return _HINTS[kind]


def _fits(value: object, hint: object) -> bool:
    try:
        _check_hint(value, hint, "")
    except TypeError:
        return False
    return True


def as_json(value: object) -> Any:
    """The value with records as dicts."""
    if type(value) in _PLAIN:
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


ReadValue = Callable[[Any], Any]


_READERS: dict[type[JsonRecord], tuple[Mapping[str, ReadValue], Sequence[str], ReadValue]] = {}


def _readers(kind: type[JsonRecord]) -> tuple[Mapping[str, ReadValue], Sequence[str], ReadValue]:
    if kind not in _READERS:
        hints = get_type_hints(kind)
        others = get_args(hints["more"])[1]
        known = declared_fields(kind)
        needed = [each.name for each in known if each.default is each.default_factory is MISSING]
        _READERS[kind] = {each.name: _reader(hints[each.name]) for each in known}, needed, _reader(others)
    return _READERS[kind]


def _reader(hint: object) -> ReadValue:
    origin, parts = get_origin(hint), get_args(hint)
    if isinstance(hint, type) and issubclass(hint, JsonRecord):
        return partial(read, hint)
    if origin is Mapping and (inner := _reader(parts[1])) is not _as_it_is:
        return partial(_mapping, inner)
    if origin is Sequence and (inner := _reader(parts[0])) is not _as_it_is:
        return partial(_list, inner)
    some = [each for each in parts if each is not NoneType]
    if (origin is Union or type(hint).__name__ == "UnionType") and len(some) == 1:
        return _as_it_is if (inner := _reader(some[0])) is _as_it_is else partial(_unless_none, inner)
    return _as_it_is


def _as_it_is(value: object) -> object:
    return value


def _unless_none(reader: ReadValue, value: object) -> object:
    return None if value is None else reader(value)


def _mapping(reader: ReadValue, value: object) -> dict[str, object]:
    if not isinstance(value, Mapping):
        raise TypeError(f"{value!r:.40} is no mapping")
    return {name: reader(each) for name, each in value.items()}


def _list(reader: ReadValue, value: object) -> list[object]:
    if not isinstance(value, list | tuple):
        raise TypeError(f"{value!r:.40} is no list")
    return [*map(reader, value)]
