"""Help with misspelt names in error messages."""

import difflib
from collections.abc import Iterable
from pathlib import Path


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """``; did you mean 'this'?`` with the nearest of the known names, or nothing where none is near.

    The same name in other letter case is the nearest.
    """
    known = list(known)
    alike = [each for each in known if each.casefold() == name.casefold()]
    near = alike or difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def did_you_mean_path(path: Path) -> str:
    """``; did you mean here/this?`` with the most similar file or folder beside ``path``, or nothing."""
    beside = path.parent.iterdir() if path.parent.is_dir() else ()
    near = difflib.get_close_matches(path.name, sorted(entry.name for entry in beside), n=1)
    return f"; did you mean {path.parent / near[0]}?" if near else ""
