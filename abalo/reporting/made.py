"""When a run was made, and at which commit, as its document has it and in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from abalo.checkout import commit_of
from abalo.core import words
from abalo.core.example import Json

DATE, COMMIT, DIRTY = FIELDS = ("date", "commit", "dirty")
"""The fields of a document: the moment, in UTC and to the second; the commit, and whether files differed from it."""

_SHOWN = 12
"""How many digits of a commit are shown."""


def made_now() -> Json:
    """The fields of a run that begins now in the working directory; no commit outside of a repository."""
    commit = commit_of(Path.cwd())
    return {
        DATE: f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        **({} if commit is None else {COMMIT: commit.name, DIRTY: commit.dirty}),
    }


def made_in(document: Mapping[str, Any]) -> Json:
    """The fields, as far as a document has them: earlier versions wrote none."""
    return {name: document[name] for name in FIELDS if name in document}


def first_made(parts: Iterable[Mapping[str, Any]]) -> Json:
    """The fields of the part of a run that began first; no commit where the parts are of several."""
    known = [found for part in parts if DATE in (found := made_in(part))]
    first = min(known, key=lambda each: str(each[DATE]), default={})
    return first if len({each.get(COMMIT) for each in known}) < 2 else {DATE: first[DATE]}


def commit_in_words(made: Mapping[str, Any]) -> str | None:
    """The commit, such as ``0123456789ab, with changes``; None where it is not known."""
    name = made.get(COMMIT)
    if name is None:
        return None
    return words.name(str(name))[:_SHOWN] + (", with changes that are not committed" if made.get(DIRTY) else "")
