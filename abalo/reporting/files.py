"""The report folder: files appear whole or not at all."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from abalo.attacks.log import ATTACKS, FORMAT, lines, read
from abalo.core.evidence import Evidence, sha256_of, to_bytes
from abalo.core.numbers import DECIMALS
from abalo.core.results import Json
from abalo.errors import AbaloError
from abalo.files import check_writable, explained, is_file, read_bytes, read_text, write_bytes, write_together
from abalo.reporting.document import SCHEMA, SHARD
from abalo.reporting.latex import MADE_BY, latex
from abalo.reporting.markdown import markdown
from abalo.reporting.quoting import holds_examples, is_page, remove_quoting
from abalo.reporting.report_page import report_page
from abalo.reporting.stored import as_stored, as_text

JSON_NAME = "robustness.json"
MARKDOWN_NAME = "robustness.md"
PAGE_NAME = "report.html"
LATEX_NAME = "robustness.tex"
EVIDENCE_NAME = "evidence.npz"
PACKED_NAME = "evidence.npz.xz"
"""The evidence of a reference."""

EXAMPLES_NAME = "examples.jsonl"
COUNTEREXAMPLES_NAME = "counterexamples.jsonl"

_ELSEWHERE = "make the folder writable or choose another (--abalo-reports DIR, --out)"


DIGEST = "evidence_sha256"
"""The field of robustness.json by which it and its evidence.npz know each other."""


def write_run(document: Json, evidence: Mapping[str, Evidence], folder: Path) -> Path:
    """The path of robustness.json, written with the digest of its evidence, which is written beside it."""
    write_together(folder, as_files(document, evidence), _ELSEWHERE)
    return folder / JSON_NAME


def write_all(
    document: Json,
    evidence: Mapping[str, Evidence],
    records: Iterable[str] | None,
    folder: Path,
    *,
    latex_too: bool = False,
    logs: Mapping[str, bytes] | None = None,
) -> None:
    """Writes all files of a run, those but ``logs`` of attacks in one step, robustness.json last.

    LaTeX is written where asked for, and like counterexamples where there is a file of an earlier run. For None in the
    place of the lines of examples, where text is withheld, what quotes a corpus is removed: before a verdict is
    written, and after it is written that there is none yet. Raises `AbaloError` where the folder cannot be written, and
    for the page and LaTeX in the place of a file that is not Abalo's.
    """
    records = None if records is None else list(records)
    _check_page(folder)
    pages = as_pages(document, records or ())
    if latex_too:
        _check_latex(folder)
    if latex_too or holds_latex(folder):
        pages[LATEX_NAME] = _encoded(latex(document))
    if records is None and document["complete"]:
        remove_quoting(folder, _ELSEWHERE)
    if records is not None:
        pages[EXAMPLES_NAME] = _encoded("".join(f"{line}\n" for line in records))
    found = counterexamples(document["results"])
    if found or is_file(folder / COUNTEREXAMPLES_NAME):
        pages[COUNTEREXAMPLES_NAME] = lines([{"format": FORMAT}, *found])
    write_together(folder / ATTACKS, logs or {}, _ELSEWHERE)
    write_together(folder, {**pages, **as_files(document, evidence)}, _ELSEWHERE)
    if records is None and not document["complete"]:
        remove_quoting(folder, _ELSEWHERE, kept=(PAGE_NAME,))


def as_pages(document: Json, records: Iterable[str]) -> dict[str, bytes]:
    """The run in Markdown and HTML, by the name of the file; ``records`` are the lines of examples.jsonl."""
    return {MARKDOWN_NAME: _encoded(markdown(document)), PAGE_NAME: _encoded(report_page(document, records))}


def write_begun(
    document: Json, folder: Path, *, with_text: bool = True, latex_too: bool = False
) -> dict[str, bytes | None]:
    """Writes the report of a run that has begun; returns what `restore` needs to bring back the report before it.

    Evidence, examples and logs of the earlier run stay until this one ends; a shard, which can be merged before it has
    ended, has evidence and examples, which are empty. Nothing is returned if there is no earlier
    report, or one without a result. Raises `AbaloError` as `write_all` does.
    """
    _check_page(folder)
    if latex_too:
        _check_latex(folder)
    pages = as_pages(document, ())
    if holds_latex(folder):
        pages[LATEX_NAME] = _encoded(latex(document))
    empty = {JSON_NAME: as_bytes(document)}
    if SHARD in document:
        empty = as_files(document, {}) | ({EXAMPLES_NAME: b""} if with_text else {})
    begun = {**pages, **empty}
    before = _document(folder / JSON_NAME) or {}
    earlier: dict[str, bytes | None] = {}
    if before.get("results") or before.get("regressions"):
        with explained(folder, folder, _ELSEWHERE):
            earlier = {name: read_bytes(folder / name) if is_file(folder / name) else None for name in begun}
    write_together(folder, begun, _ELSEWHERE)
    return earlier


def restore(earlier: Mapping[str, bytes | None], folder: Path) -> None:
    """Gives the files of an earlier report, as `write_begun` returned them, their content again.

    Raises `AbaloError` where the folder cannot be written.
    """
    write_together(folder, {name: data for name, data in earlier.items() if data is not None}, _ELSEWHERE)
    for name in (name for name, data in earlier.items() if data is None):
        with explained(folder / name, folder, _ELSEWHERE):
            (folder / name).unlink(missing_ok=True)


def _document(path: Path) -> Json | None:
    """The document of a run of ours in a file; None where there is none."""
    try:
        found = json.loads(read_text(path))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and str(found.get("schema", "")).startswith("abalo-robustness/") else None


def write_json(document: Json, folder: Path) -> Path:
    """The path of robustness.json, written in UTF-8 in the form of `as_stored`, which has no examples.

    Floats are rounded to `DECIMALS` places; NaN and infinities become null; a lone surrogate, which UTF-8 cannot hold,
    becomes its JSON escape. Raises `AbaloError` where the folder cannot be written.
    """
    path = folder / JSON_NAME
    write_bytes(path, as_bytes(document), _ELSEWHERE)
    return path


def as_files(document: Json, evidence: Mapping[str, Evidence]) -> dict[str, bytes]:
    """The evidence of a run and, after it, its document with the digest of the evidence, by the name of their file."""
    return {EVIDENCE_NAME: to_bytes(evidence), JSON_NAME: as_bytes({**document, DIGEST: sha256_of(evidence)})}


def as_bytes(document: Json) -> bytes:
    """The content of robustness.json, as `write_json` has it; documents of other kinds are written as they are."""
    found = _plain(document)
    return _encoded(as_text(as_stored(found) if found.get("schema") == SCHEMA else found))


def write_pages(document: Json, folder: Path, records: Iterable[str] = ()) -> Path:
    """The path of report.html, written with robustness.md.

    Raises `AbaloError` where the folder cannot be written, and for a page that is not Abalo's.
    """
    _check_page(folder)
    write_together(folder, as_pages(document, records), _ELSEWHERE)
    return folder / PAGE_NAME


def _check_page(folder: Path) -> None:
    """Raises `AbaloError` where there is a page of that name that Abalo has not written."""
    path = folder / PAGE_NAME
    with explained(path, folder, _ELSEWHERE):
        if is_file(path) and not is_page(path):
            raise AbaloError(
                f"{path}: expected nothing, or a report of Abalo's; found another, which is not replaced; move it, "
                "or choose another folder with --abalo-reports DIR"
            )


def _check_latex(folder: Path) -> None:
    """Raises `AbaloError` where there is a file of that name that Abalo has not written."""
    path = folder / LATEX_NAME
    if is_file(path) and not holds_latex(folder):
        raise AbaloError(
            f"{path}: expected nothing, or a file that begins with {MADE_BY!r}; found another, which is not replaced; "
            "move it, or choose another folder with --abalo-reports DIR"
        )


def holds_latex(folder: Path) -> bool:
    """Whether there are tables of an earlier run, and not a file of that name that Abalo has not written."""
    path = folder / LATEX_NAME
    if not is_file(path):
        return False
    with explained(path, folder, _ELSEWHERE), path.open("rb") as file:
        return file.read(len(MADE_BY)) == MADE_BY.encode()


def write_examples(records: Iterable[str] | None, folder: Path) -> Path:
    """The path of examples.jsonl, one line for each record.

    For None, where text is withheld, the file is removed, and so is every other of an earlier run that quotes a corpus:
    the logs of attacks and of Inspect, counterexamples, pages.
    """
    path = folder / EXAMPLES_NAME
    if records is None:
        remove_quoting(folder, _ELSEWHERE)
        return path
    write_bytes(path, "".join(f"{line}\n" for line in records).encode("utf-8", "backslashreplace"), _ELSEWHERE)
    return path


def counterexamples(results: Iterable[Json]) -> list[Json]:
    """The smallest edits that break promises, one for each case that has any; floats are those of robustness.json."""
    promises = {result["id"]: result["promise"] for result in results if result["promise"] is not None}
    return [_plain(each["counterexample"]) for each in promises.values() if each["counterexample"] is not None]


def failures(results: Sequence[Json], folder: Path) -> list[Json]:
    """The records of all that attacks and edits broke, from the logs in the folder and from the results.

    Raises `AbaloError` where a log cannot be read.
    """
    attacks = {result["id"]: result["attack"] for result in results if result["attack"] is not None}
    logs = [folder / ATTACKS / each["log"] for each in attacks.values() if each["log"] is not None]
    return [*(record for log in logs for record in read(log)[1]), *counterexamples(results)]


def remove_examples(folder: Path) -> None:
    """Removes the examples of an earlier run; a file of that name that Abalo has not written stays."""
    path = folder / EXAMPLES_NAME
    with explained(path, folder):
        if is_file(path) and holds_examples(path):
            path.unlink()


ACCEPTED = "accepted.json"
"""The file of a reference that says when it was accepted, and by which commit."""


IGNORED = ".gitignore"
"""The file that keeps reports out of git, since they can quote a corpus."""


def check_reports(folder: Path) -> None:
    """Makes the folder of a run and tries to write there, so that a run fails before its work.

    A folder that is made here has a .gitignore of its own, for all that is in it. Raises `AbaloError`, also for the
    folder of a reference, which nothing but accepting a run changes.
    """
    with explained(folder, folder, _ELSEWHERE):
        new = not folder.exists()
    check_folder(folder)
    if new:
        with (
            explained(folder, folder, _ELSEWHERE),
            suppress(FileExistsError),
            (folder / IGNORED).open("x", encoding="utf-8") as file,
        ):
            file.write("*\n")


def check_folder(folder: Path) -> None:
    """Makes a folder for pages and tries to write there; raises `AbaloError` as `check_reports` does."""
    if is_file(folder / ACCEPTED):
        raise AbaloError(f"{folder}: holds an accepted run; write reports elsewhere with --abalo-reports DIR, or --out")
    check_writable(folder, _ELSEWHERE)


def _encoded(text: str) -> bytes:
    """The text in UTF-8; a lone surrogate, which UTF-8 cannot hold, as its escape."""
    return text.encode("utf-8", "backslashreplace")


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DECIMALS) + 0.0 if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
