"""The report folder; every file is written atomically."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from abalo.attacks.facts import AttackFields
from abalo.attacks.log import ATTACKS, FORMAT, lines, read
from abalo.core.documents.document import SCHEMA, Document
from abalo.core.documents.found import Result
from abalo.core.documents.losses_found import Comparison
from abalo.core.records.json_records import Json, as_json
from abalo.core.records.words import DECIMALS
from abalo.core.statistics.evidence import Evidence, sha256_of, to_bytes
from abalo.errors import AbaloError
from abalo.files import check_writable, explain_errors, is_file, read_bytes, read_text, write_bytes, write_together
from abalo.invariances.facts import InvarianceFields
from abalo.reporting.documents.quoting import holds_examples, is_page, remove_quoting
from abalo.reporting.documents.stored import as_stored, as_text, sealed
from abalo.reporting.formats.latex import MADE_BY, latex
from abalo.reporting.formats.marks import RunMark, marked
from abalo.reporting.formats.report_format import PAGE_NAME, report_formats

REFERENCES = "references"
"""Folder of accepted runs."""

JSON_NAME = "robustness.json"
LATEX_NAME = "robustness.tex"
EVIDENCE_NAME = "evidence.npz"
PACKED_NAME = "evidence.npz.xz"

EXAMPLES_NAME = "examples.jsonl"
COUNTEREXAMPLES_NAME = "counterexamples.jsonl"

ACCEPTED = "accepted.json"
"""Date and commit of a reference's acceptance."""

_OTHERS = (JSON_NAME, LATEX_NAME, EVIDENCE_NAME, PACKED_NAME, EXAMPLES_NAME, COUNTEREXAMPLES_NAME, ACCEPTED)

_ELSEWHERE = "make the folder writable or choose another (--abalo-reports DIR, --out)"


DIGEST = "evidence_sha256"
"""Field that binds robustness.json to its evidence.npz."""


def write_report(
    document: Document,
    evidence: Mapping[str, Evidence],
    records: Iterable[str] | None,
    folder: Path,
    *,
    latex_too: bool = False,
    logs: Mapping[str, bytes] | None = None,
) -> Path:
    """Does what `write_all` does, for a run that left no mark when it began; returns the path of robustness.json."""
    document, mark = marked(document)
    write_all(document, evidence, records, folder, mark=mark, latex_too=latex_too, logs=logs)
    return folder / JSON_NAME


def write_all(
    document: Document,
    evidence: Mapping[str, Evidence],
    records: Iterable[str] | None,
    folder: Path,
    *,
    mark: RunMark | None = None,
    latex_too: bool = False,
    logs: Mapping[str, bytes] | None = None,
) -> None:
    """Writes the ``logs`` of attacks, then all other files of a run in one step, robustness.json last.

    The ``mark``, if any, is written first: no verdict of an earlier run stays.
    ``records`` are read more than once. If they are None, text is withheld and files that quote the corpus are removed.
    LaTeX of an earlier run is replaced. Raises `AbaloError` if the folder is unwritable or holds a foreign page, and
    after all else is written, if a report format from outside fails.
    """
    _check_page(folder)
    made, failed = _pages(document, records or ())
    pages: dict[str, bytes | Iterable[bytes]] = {**made}
    if latex_too:
        _check_latex(folder)
    if latex_too or holds_latex(folder):
        pages[LATEX_NAME] = _encode(latex(document))
    if records is None and document.complete:
        remove_quoting(folder, _ELSEWHERE)
    if records is not None:
        pages[EXAMPLES_NAME] = (_encode(f"{line}\n") for line in records)
    found = counterexamples(document.results)
    if found or is_file(folder / COUNTEREXAMPLES_NAME):
        pages[COUNTEREXAMPLES_NAME] = lines([{"format": FORMAT}, *found])
    write_together(folder, {} if mark is None else mark.file, _ELSEWHERE)
    write_together(folder / ATTACKS, logs or {}, _ELSEWHERE)
    write_together(folder, {**pages, **as_files(document, evidence)}, _ELSEWHERE)
    if records is None and not document.complete:
        remove_quoting(folder, _ELSEWHERE, kept=(PAGE_NAME,))
    if failed:
        for name in failed.keys() - {*_OTHERS, *made}:
            (folder / name).unlink(missing_ok=True)
        raise AbaloError(f"{'; '.join(failed.values())}; the other reports are written")


def as_pages(document: Document, records: Iterable[str]) -> dict[str, bytes]:
    """Returns the files of all report formats by name; ``records`` are lines of examples.jsonl.

    Raises `AbaloError` for a format that fails, or whose file another one writes.
    """
    files, failed = _pages(document, records)
    if failed:
        raise AbaloError("; ".join(failed.values()))
    return files


def _pages(document: Document, records: Iterable[str]) -> tuple[dict[str, bytes], dict[str, str]]:
    """The files of the formats by name, and why others failed."""
    files, failed = dict[str, bytes](), dict[str, str]()
    for each in report_formats().values():
        if each.file in (*_OTHERS, *files):
            failed[each.file] = f"report format {each.name}: {each.file} is another's file; name another"
            continue
        try:
            files[each.file] = _encode(each.text(document, records))
        except AbaloError as error:
            failed[each.file] = str(error)
    return files, failed


def write_begun(
    document: Document, mark: RunMark, folder: Path, *, with_text: bool = True, latex_too: bool = False
) -> dict[str, bytes | None]:
    """Writes the report of a run that has begun; returns any earlier report with results for `restore`.

    The mark is written first, and stays: without a report of its own run, it makes any other stale.

    A shard gets empty evidence and examples, since it can be merged early. Raises `AbaloError` like `write_all`.
    """
    _check_page(folder)
    if latex_too:
        _check_latex(folder)
    pages = as_pages(document, ())
    if holds_latex(folder):
        pages[LATEX_NAME] = _encode(latex(document))
    empty = {JSON_NAME: as_bytes(document)}
    if document.shard is not None:
        empty = as_files(document, {}) | ({EXAMPLES_NAME: b""} if with_text else {})
    begun = {**pages, **empty}
    before = _document(folder / JSON_NAME) or {}
    earlier: dict[str, bytes | None] = {}
    if before.get("results") or before.get("regressions"):
        with explain_errors(folder, folder, _ELSEWHERE):
            earlier = {name: read_bytes(folder / name) if is_file(folder / name) else None for name in begun}
    write_together(folder, {**mark.file, **begun}, _ELSEWHERE)
    return earlier


def restore(earlier: Mapping[str, bytes | None], folder: Path) -> None:
    """Restores files from `write_begun`; raises `AbaloError` on failure."""
    write_together(folder, {name: data for name, data in earlier.items() if data is not None}, _ELSEWHERE)
    for name in (name for name, data in earlier.items() if data is None):
        with explain_errors(folder / name, folder, _ELSEWHERE):
            (folder / name).unlink(missing_ok=True)


def _document(path: Path) -> Json | None:
    try:
        found = json.loads(read_text(path))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and str(found.get("schema", "")).startswith("abalo-robustness/") else None


def write_json(document: Document, folder: Path) -> Path:
    """Writes robustness.json without examples; returns its path.

    Floats have `DECIMALS` places; NaN and infinities become null. Raises `AbaloError` on failure.
    """
    path = folder / JSON_NAME
    write_bytes(path, as_bytes(document), _ELSEWHERE)
    return path


def as_files(document: Document, evidence: Mapping[str, Evidence]) -> dict[str, bytes]:
    """Returns evidence, then the document with its digest, by file name."""
    return {
        EVIDENCE_NAME: to_bytes(evidence),
        JSON_NAME: as_bytes(replace(document, evidence_sha256=sha256_of(evidence))),
    }


def as_bytes(document: Document | Json) -> bytes:
    """Returns the content of robustness.json, sealed, or of another document unchanged."""
    found = _plain(as_json(document))
    return _encode(as_text(sealed(as_stored(found)) if found.get("schema") == SCHEMA else found))


def _check_page(folder: Path) -> None:
    path = folder / PAGE_NAME
    with explain_errors(path, folder, _ELSEWHERE):
        if is_file(path) and not is_page(path):
            raise AbaloError(
                f"{path}: expected nothing, or a report of Abalo's; found another, which is not replaced; move it, "
                "or choose another folder with --abalo-reports DIR"
            )


def _check_latex(folder: Path) -> None:
    path = folder / LATEX_NAME
    if is_file(path) and not holds_latex(folder):
        raise AbaloError(
            f"{path}: expected nothing, or a file that begins with {MADE_BY!r}; found another, which is not replaced; "
            "move it, or choose another folder with --abalo-reports DIR"
        )


def holds_latex(folder: Path) -> bool:
    """Returns True if an earlier run left LaTeX tables."""
    path = folder / LATEX_NAME
    if not is_file(path):
        return False
    with explain_errors(path, folder, _ELSEWHERE), path.open("rb") as file:
        return file.read(len(MADE_BY)) == MADE_BY.encode()


def write_examples(records: Iterable[str] | None, folder: Path) -> Path:
    """Writes examples.jsonl; returns its path.

    If ``records`` is None, removes all files of an earlier run that quote a corpus.
    """
    path = folder / EXAMPLES_NAME
    if records is None:
        remove_quoting(folder, _ELSEWHERE)
        return path
    write_bytes(path, "".join(f"{line}\n" for line in records).encode("utf-8", "backslashreplace"), _ELSEWHERE)
    return path


def counterexamples(results: Iterable[Result]) -> list[Json]:
    """Returns the smallest edit that breaks each broken invariance."""
    found = {result.id: InvarianceFields.of(result).invariance for result in results}
    return [_plain(as_json(each.counterexample)) for each in found.values() if each and each.counterexample is not None]


def failures(results: Sequence[Result], folder: Path) -> list[Json]:
    """Returns records of everything that attacks and edits broke; raises `AbaloError` if a log is unreadable."""
    attacks = {result.id: AttackFields.of(result).attack for result in results}
    logs = [folder / ATTACKS / each.log for each in attacks.values() if each and each.log is not None]
    return [*(record for log in logs for record in read(log)[1]), *counterexamples(results)]


def remove_examples(folder: Path) -> None:
    """Removes an earlier run's examples, but no foreign file."""
    path = folder / EXAMPLES_NAME
    with explain_errors(path, folder):
        if is_file(path) and holds_examples(path):
            path.unlink()


IGNORED = ".gitignore"


def check_reports(folder: Path) -> None:
    """Creates a run's folder, with a .gitignore if new; raises `AbaloError` if it is unwritable or a reference."""
    with explain_errors(folder, folder, _ELSEWHERE):
        new = not folder.exists()
    check_folder(folder)
    if new:
        with (
            explain_errors(folder, folder, _ELSEWHERE),
            suppress(FileExistsError),
            (folder / IGNORED).open("x", encoding="utf-8") as file,
        ):
            file.write("*\n")


def check_folder(folder: Path) -> None:
    """Creates a folder for pages; raises `AbaloError` like `check_reports`."""
    if is_file(folder / ACCEPTED):
        raise AbaloError(f"{folder}: holds an accepted run; write reports elsewhere with --abalo-reports DIR, or --out")
    check_writable(folder, _ELSEWHERE)


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def _plain(value: object) -> Any:
    if isinstance(value, float):
        return round(value, DECIMALS) + 0.0 if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def reference_folder(compared: Comparison) -> Path | None:
    """Returns the folder of the reference in `REFERENCES`; None if it is elsewhere."""
    name = compared.reference.name
    folder = Path(REFERENCES, name)
    return folder if Path(name).name == name and (folder / JSON_NAME).is_file() else None
