"""Recognises files of earlier runs that quote the corpus."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from abalo.attacks.log import ATTACKS, FORMAT
from abalo.files import explain_errors, read_text
from abalo.reporting.documents.examples import EXAMPLE, RANK

INSPECT_LOGS = "inspect"

FINISHED = "finished"

CASE_SUFFIX = ".case"

FINISHED_FORMAT = "abalo finished case 2"

PAGE_TITLE = "Abalo: robustness report"
"""Ends the title of a page, behind model, corpus and day if they are known."""

COMPARISON_TITLE = "Abalo: comparison of two runs"
"""In Markdown, a final comment."""

COMMENT_MARK = "<!-- abalo comment: {} -->"
"""Last line of a pull request comment, with its gate's name."""

_SAMPLE = re.compile(r"samples/.+\|[\w:.+-]+_epoch_\d+\.json")
"""Inspect's name of a sample with an Abalo id: ``question|variant``."""

_HEAD = 65_536
"""Bytes read to find a title."""


def remove_quoting(folder: Path, remedy: str, kept: Collection[str] = ()) -> None:
    """Removes Abalo's files that quote a corpus, except names in ``kept``; raises `AbaloError` on failure."""
    for pattern, ours in _KINDS.items():
        for path in sorted(folder.glob(pattern)):
            with explain_errors(path, folder, remedy):
                if path.name not in kept and path.is_file() and ours(path):
                    path.unlink()


def quoting_but_kept(folder: Path) -> list[Path]:
    """Returns the user's regression corpora, which also quote a corpus."""
    others = [path for path in sorted(folder.glob("*.jsonl")) if path.name not in _KINDS]
    return [path for path in others if path.is_file() and _log(path)]


_OF_EXAMPLES = ({"case", "sentence_id", "seed"}, {"case", RANK, EXAMPLE})


def holds_examples(path: Path) -> bool:
    """Returns True for lines of examples, or an empty file."""
    first = _first_line(path)
    return first is None or any(fields <= first.keys() for fields in _OF_EXAMPLES)


def _log(path: Path) -> bool:
    first = _first_line(path) or {}
    return str(first.get("format", "")).startswith(FORMAT.rstrip("0123456789"))


def _first_line(path: Path) -> Mapping[str, object] | None:
    with path.open("rb") as file:
        line = file.readline()
    try:
        found = json.loads(line) if line else None
    except (ValueError, RecursionError):
        return {}
    return found if found is None or isinstance(found, dict) else {}


def _inspect_log(path: Path) -> bool:
    with suppress(ImportError):
        import_module("zipfile_zstd")  # comes with Inspect, and lets `zipfile` read what it writes
    try:
        with zipfile.ZipFile(path) as log:
            plan = _plan(log)
            return "abalo/repeated_choice" in plan if plan else any(map(_SAMPLE.fullmatch, log.namelist()))
    except (zipfile.BadZipFile, NotImplementedError):
        return False


def _plan(log: zipfile.ZipFile) -> str:
    try:
        return json.dumps(json.loads(log.read("_journal/start.json"))["plan"])
    except OSError:
        raise
    except Exception:  # noqa: BLE001 - each way of packing has an error of its own
        return ""


def is_page(path: Path) -> bool:
    """Returns True if the file has an Abalo title."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    ends = (f">{PAGE_TITLE}<", f" · {PAGE_TITLE}</title>", f">{COMPARISON_TITLE}<")
    return any(end.encode() in head for end in ends)


def _comparison(path: Path) -> bool:
    try:
        text = read_text(path).rstrip()
        found = json.loads(text) if path.suffix == ".json" else {}
    except (ValueError, RecursionError):
        return False
    ours = isinstance(found, dict) and str(found.get("schema", "")).startswith("abalo-comparison/")
    return ours or text.endswith(f"<!-- {COMPARISON_TITLE} -->")


def _comment(path: Path) -> bool:
    before, _, after = COMMENT_MARK.partition("{}")
    last = read_text(path, errors="replace").rstrip().rpartition("\n")[2]
    return last.startswith(before) and last.endswith(after)


def holds_finished(path: Path) -> bool:
    """Returns True for a finished case, even a damaged one."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    return head.startswith(f'{{"format": "{FINISHED_FORMAT}"'.encode())


def _is_begun(_: Path) -> bool:
    return True


_KINDS: Mapping[str, Callable[[Path], bool]] = {
    "examples.jsonl": holds_examples,
    "counterexamples.jsonl": _log,
    f"{ATTACKS}/*.jsonl": _log,
    f"{INSPECT_LOGS}/*.eval": _inspect_log,
    f"{FINISHED}/*{CASE_SUFFIX}": holds_finished,
    "*.html": is_page,
    "comparison.json": _comparison,
    "comparison.md": _comparison,
    "comment.md": _comment,
    ".robustness.*.????????": _is_begun,
    ".comparison.*.????????": _is_begun,
    ".report.*.????????": _is_begun,
    ".*examples.jsonl.????????": _is_begun,
    f"{ATTACKS}/.*.jsonl.????????": _is_begun,
    f"{INSPECT_LOGS}/.*.eval.????????": _is_begun,
    f"{FINISHED}/.*{CASE_SUFFIX}.????????": _is_begun,
}
