"""Tests of a table: one test that tries every row and tells each that fails, in place of an id for each row."""

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from typing import Any

import pytest


def every(names: str | Iterable[str], values: Iterable[Any], ids: Any = None) -> Callable[[Any], Any]:
    """As ``pytest.mark.parametrize``, but in one test: all rows are tried, and all that fail are told.

    Rows share the fixtures of the test. For rows that say the same of many things: where a row is a case of its own,
    or needs a folder of its own, it stays a parameter.
    """
    keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    rows = [_row(keys, value, ids, number) for number, value in enumerate(values)]

    def of(test: Any) -> Any:
        @wraps(test, updated=())
        def tried(*arguments: Any, **fixtures: Any) -> None:
            __tracebackhide__ = True
            assert rows, "a table without rows"
            failed: dict[str, BaseException] = {}
            for label, given in rows:
                try:
                    test(*arguments, **fixtures, **given)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - told below, all of them
                    error.add_note(f"in the row {label}")
                    failed[label] = error
            if failed:
                told = "\n".join(f"{label}: {str(error).partition(chr(10))[0]}" for label, error in failed.items())
                raise BaseExceptionGroup(f"{len(failed)} of {len(rows)} rows:\n{told}\n", [*failed.values()])

        del tried.__wrapped__
        tried.pytestmark = [*getattr(test, "pytestmark", [])]
        asked = signature(test)
        left = [each for name, each in asked.parameters.items() if name not in keys]
        tried.__signature__ = asked.replace(parameters=left)
        return tried

    return of


def _row(keys: list[str], value: Any, ids: Any, number: int) -> tuple[str, dict[str, Any]]:
    label = ids(value) if callable(ids) else list(ids)[number] if ids is not None else None
    if hasattr(value, "marks"):  # pytest.param
        assert not value.marks, "a row has no mark of its own: make it a test"
        label, value = value.id or label, value.values
    elif len(keys) == 1:
        value = (value,)
    given = dict(zip(keys, value, strict=True))
    return (str(label) if label is not None else f"{number}: " + ", ".join(map(repr, given.values())))[:200], given
