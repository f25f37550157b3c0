"""A short look at a file, to tell what kind of corpus it is before it is read."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

_LINES = 2000
"""Lines that are looked at."""


def last_columns(spec: str) -> frozenset[str]:
    """The words in the last column of the first lines of a file of columns; none of any other file, or of none."""
    lines = _lines(spec)
    if Path(spec).suffix.lower() in (".jsonl", ".ndjson"):
        return frozenset()
    return frozenset(cells[-1] for line in lines if len(cells := line.split()) > 1 and not line.startswith("# "))


def first_record(spec: str) -> frozenset[str]:
    """The keys of the first object of a file of JSON lines; none of any other file, or of none."""
    for line in _lines(spec):
        if line.strip():
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                return frozenset()
            return frozenset(record) if isinstance(record, dict) else frozenset()
    return frozenset()


def _lines(spec: str) -> list[str]:
    try:
        with Path(spec).open(encoding="utf-8-sig", errors="replace") as file:
            return list(islice(file, _LINES))
    except (OSError, ValueError):
        return []
