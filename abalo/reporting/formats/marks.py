"""The mark of the last run in a folder of reports, which tells whether the report there is of that run."""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from abalo.core.documents.document import Document
from abalo.errors import AbaloError, visible
from abalo.files import is_file, read_text
from abalo.locking import is_held

MARK_NAME = "last-run.json"
"""Not hidden, so that artifacts of CI keep it; replaced by each run, never removed."""


@dataclass(frozen=True, slots=True)
class RunMark:
    """The ``run`` that was begun last, by its id, and when, such as 2026-11-22T09:30:15Z."""

    run: str
    begun: str

    @property
    def file(self) -> dict[str, bytes]:
        """Its content by file name."""
        return {MARK_NAME: f"{json.dumps({'run': self.run, 'begun': self.begun})}\n".encode()}


def new_mark(run: str | None = None) -> RunMark:
    """Returns the mark of a run that begins now, with a random id if it has none."""
    return RunMark(run or secrets.token_hex(8), f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}")


def read_mark(folder: Path) -> RunMark | None:
    """Reads the mark in a folder; None if there is none. Raises `AbaloError` if it is damaged."""
    path = folder / MARK_NAME
    if not is_file(path) and not os.path.lexists(path):
        return None
    try:
        found = json.loads(read_text(path))
        run, begun = found["run"], found["begun"]
        if isinstance(run, str) and isinstance(begun, str):
            return RunMark(run, begun)
    except (AbaloError, OSError, ValueError, LookupError, TypeError, RecursionError):
        pass
    remedy = "run the gate again" if is_file(path) else "remove it, and run the gate again"
    raise AbaloError(f"{path}: is damaged: expected the file with the id of the last run; {remedy}")


def marked(document: Document, source: Path | None = None) -> tuple[Document, RunMark]:
    """Returns a document with its id, and the mark to write beside it.

    A report that was made from the one in ``source`` takes its mark along: what is stale there stays stale.
    """
    mark = None if source is None else read_mark(source)
    if mark is None:
        mark = new_mark(document.run)
        document = replace(document, run=mark.run)
    return document, mark


def check_current(folder: Path, document: Document, *, held: bool = False) -> None:
    """Raises `AbaloError` if a run that was begun later wrote no report.

    ``held`` says that the caller itself holds the lock of the folder.
    """
    mark = read_mark(folder)
    if mark is None or (mark.run == document.run and document.complete):
        return
    begun = visible(mark.begun.replace("T", " ").replace("Z", " UTC"))
    if not held and is_held(folder):
        raise AbaloError(f"{folder}: a run is under way, begun {begun}; wait for it to end")
    if mark.run != document.run:
        raise AbaloError(
            f"{folder}: the last run, begun {begun}, wrote no report; the report here is of an earlier run; read "
            "what pytest printed, and run the gate again"
        )
