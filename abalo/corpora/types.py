"""The entity types judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from abalo.errors import AbaloError
from perturbations.suggestions import did_you_mean

OPTION = "--abalo-types"


def parse_types(text: str) -> tuple[str, ...]:
    """Parses ``person,location``."""
    types = tuple(part.strip() for part in text.split(","))
    if not all(types):
        raise AbaloError(f"{OPTION} {text!r}: expected names of entity types with commas between, such as PER,LOC")
    twice = next((name for name, count in Counter(types).items() if count > 1), None)
    if twice is not None:
        raise AbaloError(f"{OPTION} {text!r}: {twice!r} is there twice; keep one of them")
    return types


def check_types(types: Iterable[str], known: Iterable[str], corpus_name: str) -> None:
    """Raises `AbaloError` for types not ``known``."""
    there = sorted(known)
    for name in types:
        if name not in there:
            raise AbaloError(
                f"{OPTION} {name}: {corpus_name} has no entity type {name!r}{did_you_mean(name, there)}; there are "
                f"{', '.join(there) or 'none'}"
            )
