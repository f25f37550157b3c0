"""Withholds messages of a model that may quote the corpus."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from abalo.errors import AbaloError, ends_the_run

REASON = "its message could quote the corpus, so it is withheld"


@contextmanager
def withhold_text(told: set[tuple[str, str, int]]) -> Iterator[None]:
    """Replaces warnings and exceptions within by ones that name only their kind.

    ``told`` holds earlier warnings.
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
    """The kind and line of the first error."""
    first = error
    while (cause := first.__cause__ or _context(first)) is not None:
        first = cause
    frames = traceback.extract_tb(first.__traceback__)
    return type(first).__name__ + (f" in {frames[-1].filename}:{frames[-1].lineno}" if frames else "")


def _context(error: BaseException) -> BaseException | None:
    told = not error.__suppress_context__ or REASON in str(error)
    return error.__context__ if told else None
