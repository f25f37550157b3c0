"""Files of earlier runs that quote the corpus, told from a user's own by what stands in them."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from abalo.attacks.log import ATTACKS, FORMAT
from abalo.files import explained

INSPECT_LOGS = "inspect"
"""The folder for logs of Inspect among the reports."""

PAGE_TITLE = "Abalo: robustness report"
"""The title of a page that pytest-html writes about a run of ours."""

COMPARISON_TITLE = "Abalo: comparison of two runs"
"""The same of what ``abalo compare`` writes, in Markdown as a comment at its end."""

_HEAD = 65_536
"""How much of a page is read to find its title."""


def remove_quoting(folder: Path, remedy: str) -> None:
    """Removes what Abalo has written there and quotes a corpus; files of others stay, whatever they are called.

    Raises `AbaloError`, ending in ``remedy``, where a file cannot be read or removed.
    """
    for pattern, ours in _KINDS.items():
        for path in sorted(folder.glob(pattern)):
            with explained(path, folder, remedy):
                if path.is_file() and ours(path):
                    path.unlink()


def holds_examples(path: Path) -> bool:
    """Whether its lines are examples; one without a line was begun by a run that came to none."""
    first = _first_line(path)
    return first is None or {"case", "sentence_id", "seed"} <= first.keys()


def _log(path: Path) -> bool:
    """Whether it is the log of an attack, or holds counterexamples."""
    first = _first_line(path) or {}
    return str(first.get("format", "")).startswith(FORMAT.rstrip("0123456789"))


def _first_line(path: Path) -> Mapping[str, object] | None:
    """The first line as a JSON object, empty for another; None for an empty file."""
    with path.open("rb") as file:
        line = file.readline()
    try:
        found = json.loads(line) if line else None
    except (ValueError, RecursionError):
        return {}
    return found if found is None or isinstance(found, dict) else {}


def _inspect_log(path: Path) -> bool:
    """Whether Inspect wrote it about questions that Abalo put: those it puts have a solver of its own."""
    try:
        with zipfile.ZipFile(path) as log:
            plan = json.loads(log.read("_journal/start.json"))["plan"]
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError):
        return False
    return "abalo/repeated_choice" in json.dumps(plan)


def _page(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(_HEAD)
    return any(f">{title}<".encode() in head for title in (PAGE_TITLE, COMPARISON_TITLE))


def _comparison(path: Path) -> bool:
    """Whether ``abalo compare`` wrote it, in JSON or Markdown."""
    try:
        text = path.read_text(encoding="utf-8").rstrip()
        found = json.loads(text) if path.suffix == ".json" else {}
    except (ValueError, RecursionError):
        return False
    ours = isinstance(found, dict) and str(found.get("schema", "")).startswith("abalo-comparison/")
    return ours or text.endswith(f"<!-- {COMPARISON_TITLE} -->")


def _begun(_: Path) -> bool:
    """Whether it is a file that a run was killed in the middle of: its name, of `write_bytes`, says so."""
    return True


_KINDS: Mapping[str, Callable[[Path], bool]] = {
    "examples.jsonl": holds_examples,
    "counterexamples.jsonl": _log,
    f"{ATTACKS}/*.jsonl": _log,
    f"{INSPECT_LOGS}/*.eval": _inspect_log,
    "*.html": _page,
    "comparison.json": _comparison,
    "comparison.md": _comparison,
    ".robustness.*.????????": _begun,
    ".comparison.*.????????": _begun,
    ".*examples.jsonl.????????": _begun,
    f"{ATTACKS}/.*.jsonl.????????": _begun,
    f"{INSPECT_LOGS}/.*.eval.????????": _begun,
}
"""The files that can quote a corpus, by pattern, each with what tells that Abalo wrote it."""
