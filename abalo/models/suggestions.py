"""What the user may have meant instead."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a message that names the nearest of the ``known`` names; empty where none is near."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def did_you_mean_path(path: Path) -> str:
    """The end of a message that names the most similar file or folder beside ``path``; empty where none is."""
    beside = path.parent.iterdir() if path.parent.is_dir() else ()
    near = difflib.get_close_matches(path.name, [entry.name for entry in beside], n=1)
    return f"; did you mean {path.parent / near[0]}?" if near else ""
