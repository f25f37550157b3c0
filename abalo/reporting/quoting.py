"""Files of earlier runs that quote the corpus, told from a user's own by what stands in them."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from abalo.attacks.log import ATTACKS, FORMAT
from abalo.files import explained, read_text
from abalo.reporting.examples import EXAMPLE, RANK

INSPECT_LOGS = "inspect"
"""The folder for logs of Inspect among the reports."""

PAGE_TITLE = "Abalo: robustness report"
"""The title of a page about a run of ours, that of pytest-html or our own."""

COMPARISON_TITLE = "Abalo: comparison of two runs"
"""The same of what ``abalo compare`` writes, in Markdown as a comment at its end."""

COMMENT_MARK = "<!-- abalo comment: {} -->"
"""The last line of a comment on a pull request, with the name of its gate."""

_SAMPLE = re.compile(r"samples/.+\|[\w:.+-]+_epoch_\d+\.json")
"""How Inspect names what it keeps of a sample, where the id is one that Abalo gives: ``question|variant``."""

_HEAD = 65_536
"""How much of a page is read to find its title."""


def remove_quoting(folder: Path, remedy: str, kept: Collection[str] = ()) -> None:
    """Removes what Abalo has written there and quotes a corpus; files of others stay, whatever they are called.

    Files with a name that is ``kept`` stay, since they have been written without text. Raises `AbaloError`, ending in
    ``remedy``, where a file cannot be read or removed.
    """
    for pattern, ours in _KINDS.items():
        for path in sorted(folder.glob(pattern)):
            with explained(path, folder, remedy):
                if path.name not in kept and path.is_file() and ours(path):
                    path.unlink()


def quoting_but_kept(folder: Path) -> list[Path]:
    """The regression corpora in the folder: they quote a corpus, but are a user's own, under names of their choice."""
    others = [path for path in sorted(folder.glob("*.jsonl")) if path.name not in _KINDS]
    return [path for path in others if path.is_file() and _log(path)]


_OF_EXAMPLES = ({"case", "sentence_id", "seed"}, {"case", RANK, EXAMPLE})
"""The fields that either kind of line about an example has."""


def holds_examples(path: Path) -> bool:
    """Whether its lines are examples; one without a line was begun by a run that came to none."""
    first = _first_line(path)
    return first is None or any(fields <= first.keys() for fields in _OF_EXAMPLES)


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
    """Whether Inspect wrote it about questions that Abalo put: those it puts have a solver of its own.

    Where the part that names the solver cannot be read, the names of the samples tell.
    """
    with suppress(ImportError):
        import_module("zipfile_zstd")  # comes with Inspect, and lets `zipfile` read what it writes
    try:
        with zipfile.ZipFile(path) as log:
            plan = _plan(log)
            return "abalo/repeated_choice" in plan if plan else any(map(_SAMPLE.fullmatch, log.namelist()))
    except (zipfile.BadZipFile, NotImplementedError):
        return False


def _plan(log: zipfile.ZipFile) -> str:
    """The solvers of a log, as Inspect tells them; empty where it is damaged, or this Python cannot unpack it."""
    try:
        return json.dumps(json.loads(log.read("_journal/start.json"))["plan"])
    except OSError:
        raise
    except Exception:  # noqa: BLE001 - each way of packing has an error of its own
        return ""


def is_page(path: Path) -> bool:
    """Whether it is a page of ours, told by its title."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    return any(f">{title}<".encode() in head for title in (PAGE_TITLE, COMPARISON_TITLE))


def _comparison(path: Path) -> bool:
    """Whether ``abalo compare`` wrote it, in JSON or Markdown."""
    try:
        text = read_text(path).rstrip()
        found = json.loads(text) if path.suffix == ".json" else {}
    except (ValueError, RecursionError):
        return False
    ours = isinstance(found, dict) and str(found.get("schema", "")).startswith("abalo-comparison/")
    return ours or text.endswith(f"<!-- {COMPARISON_TITLE} -->")


def _comment(path: Path) -> bool:
    """Whether ``abalo comment`` wrote it."""
    before, _, after = COMMENT_MARK.partition("{}")
    last = read_text(path, errors="replace").rstrip().rpartition("\n")[2]
    return last.startswith(before) and last.endswith(after)


def _begun(_: Path) -> bool:
    """Whether it is a file that a run was killed in the middle of: its name, of `write_bytes`, says so."""
    return True


_KINDS: Mapping[str, Callable[[Path], bool]] = {
    "examples.jsonl": holds_examples,
    "counterexamples.jsonl": _log,
    f"{ATTACKS}/*.jsonl": _log,
    f"{INSPECT_LOGS}/*.eval": _inspect_log,
    "*.html": is_page,
    "comparison.json": _comparison,
    "comparison.md": _comparison,
    "comment.md": _comment,
    ".robustness.*.????????": _begun,
    ".comparison.*.????????": _begun,
    ".report.*.????????": _begun,
    ".*examples.jsonl.????????": _begun,
    f"{ATTACKS}/.*.jsonl.????????": _begun,
    f"{INSPECT_LOGS}/.*.eval.????????": _begun,
}
"""The files that can quote a corpus, by pattern, each with what tells that Abalo wrote it."""
