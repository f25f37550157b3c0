"""The date and commit of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from abalo.checkout import commit_of
from abalo.core.documents.document import Document
from abalo.core.records import words
from abalo.core.records.example import JsonObject

DATE, COMMIT, DIRTY = FIELDS = ("date", "commit", "dirty")
"""Time in UTC to the second, commit, and whether files differed from it."""

_SHOWN = 12


def origin_now() -> JsonObject:
    """Returns the fields of a run that begins now."""
    commit = commit_of(Path.cwd())
    return {
        DATE: f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        **({} if commit is None else {COMMIT: commit.name, DIRTY: commit.dirty}),
    }


def origin_in(document: Document) -> JsonObject:
    """Returns the fields of a document, if any."""
    return {name: getattr(document, name) for name in FIELDS if name in document.names}


def run_in(document: Document) -> JsonObject:
    """Returns the id of a document's run, if any."""
    return {} if document.run is None else {"run": document.run}


def first_made(parts: Iterable[Mapping[str, object]]) -> JsonObject:
    """Returns the earliest part's fields; no commit if parts differ."""
    known = [found for part in parts if DATE in (found := {name: part[name] for name in FIELDS if name in part})]
    first = min(known, key=lambda each: str(each[DATE]), default={})
    return first if len({each.get(COMMIT) for each in known}) < 2 else {DATE: first[DATE]}


def commit_in_words(made: Mapping[str, object]) -> str | None:
    """Formats the commit, such as ``0123456789ab, with changes``; None if unknown."""
    name = made.get(COMMIT)
    if name is None:
        return None
    return words.name(str(name))[:_SHOWN] + (", with changes that are not committed" if made.get(DIRTY) else "")
