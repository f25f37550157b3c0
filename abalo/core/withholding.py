"""A model in a run without text: what it raises or warns of may quote what it has read, so the message is withheld."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from abalo.errors import AbaloError, ends_the_run

REASON = "its message could quote the corpus, so it is withheld"
"""The text in the place of a message that is withheld."""


@contextmanager
def withheld(told: set[tuple[str, str, int]]) -> Iterator[None]:
    """Within, a warning becomes one that names its kind alone, and an exception an `AbaloError` that does.

    ``told`` are the warnings that were raised before, by kind, file and line; each is raised once. What
    `ends_the_run` stays as it is. The exception that was raised is the context of the new one, which suppresses it, so
    that no traceback shows it.
    """
    try:
        with warnings.catch_warnings(record=True) as raised:
            yield
    except BaseException as error:
        if ends_the_run(error):
            raise
        raise AbaloError(f"{kind_and_place(error)}; {REASON}: to see it, run it with text") from None
    for each in raised:
        place = each.category.__name__, each.filename, each.lineno
        if place not in told:
            told.add(place)
            warnings.warn_explicit(f"{place[0]} of the model: {REASON}", UserWarning, *place[1:])


def kind_and_place(error: BaseException) -> str:
    """The kind of the first error that led to this one, and the line where it was raised, without its message."""
    first = error
    while (cause := first.__cause__ or _context(first)) is not None:
        first = cause
    frames = traceback.extract_tb(first.__traceback__)
    return type(first).__name__ + (f" in {frames[-1].filename}:{frames[-1].lineno}" if frames else "")


def _context(error: BaseException) -> BaseException | None:
    """The error that was being handled; also if `withheld` suppresses it."""
    told = not error.__suppress_context__ or REASON in str(error)
    return error.__context__ if told else None
