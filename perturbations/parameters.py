"""Values of parameters, checked against the annotations that perturbations give them."""

from __future__ import annotations

from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

_PLAIN = {bool: "true or false", int: "a whole number", float: "a number", str: "a string", type(None): "nothing"}

_MISFIT = object()


def check_value(value: Any, annotation: Any) -> Any:
    """``value`` as the type that ``annotation`` names; raises TypeError saying what was expected.

    bool, int, float, str, None, ``Literal``, ``tuple[T, ...]``, protocols that can be checked at run time and unions of
    these are checked; a list becomes a tuple, 1 becomes 1.0, and 1.0 becomes 1 where those are wanted. Lists, sets and
    dictionaries, which could change behind one's back, are refused as annotations; any other lets every value through.
    """
    fitted = _fit(value, annotation)
    if fitted is _MISFIT:
        raise TypeError(f"{value!r}; expected {_in_words(annotation)}")
    return fitted


def is_protocol(kind: Any) -> bool:
    """Whether the annotation is a protocol."""
    return bool(getattr(kind, "_is_protocol", False))  # typing.is_protocol, from Python 3.13


def _fit(value: Any, kind: Any) -> Any:
    """The value as that kind, or `_MISFIT`."""
    origin, arguments = get_origin(kind) or kind, get_args(kind)
    if origin in (Union, UnionType):
        fits = (_fit(value, alternative) for alternative in arguments)
        return next((fitted for fitted in fits if fitted is not _MISFIT), _MISFIT)
    if origin is Literal:
        return _one_of(value, arguments)
    if origin is tuple:
        return _fit_items(value, arguments[0] if arguments else Any)
    if origin in (list, set, dict):
        raise TypeError(f"{value!r}; its annotation {kind} allows values that can change: make it tuple[str, ...]")
    if kind is float and type(value) is int:
        return float(value)
    if kind is int and isinstance(value, float) and value.is_integer():
        return int(value)
    if kind in _PLAIN and not (isinstance(value, kind) and (kind is bool or type(value) is not bool)):
        return _MISFIT
    if is_protocol(kind) and getattr(kind, "_is_runtime_protocol", False) and not isinstance(value, kind):
        return _MISFIT
    return value


def _one_of(value: Any, known: tuple[Any, ...]) -> Any:
    """The value that is there; a string in another letter case as the one that is there, if just one is."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if any(value == each and type(value) is type(each) for each in known):
        return value
    alike = [each for each in known if isinstance(value, str) and isinstance(each, str)]
    found = [each for each in alike if each.casefold() == value.casefold()]
    return found[0] if len(found) == 1 else _MISFIT


def _fit_items(value: Any, kind: Any) -> Any:
    if not isinstance(value, list | tuple):
        return _MISFIT
    items = tuple(_fit(item, kind) for item in value)
    return _MISFIT if any(item is _MISFIT for item in items) else items


def _in_words(kind: Any) -> str:
    origin, arguments = get_origin(kind) or kind, get_args(kind)
    if origin in (Union, UnionType):
        return " or ".join(map(_in_words, arguments))
    if origin is Literal:
        return f"one of {', '.join(map(repr, arguments))}"
    if origin is tuple:
        return f"a list, each item {_in_words(arguments[0])}" if arguments else "a list"
    return _PLAIN.get(kind, getattr(kind, "__name__", str(kind)))
