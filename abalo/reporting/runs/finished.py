"""Reads finished runs from their reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

from abalo.comparison.blocks.newly_broken import with_records
from abalo.comparison.document.node_names import TESTS
from abalo.comparison.test.label_losses import is_common
from abalo.core.documents.document import SCHEMA, Document
from abalo.core.documents.found import Result
from abalo.core.protocols.probe import probes
from abalo.core.protocols.task import tasks
from abalo.core.records.json_records import read as read_record
from abalo.core.statistics.evidence import Evidence, read, sha256_of
from abalo.corpora.json_text import json_written
from abalo.errors import AbaloError, in_words
from abalo.files import read_text
from abalo.reporting.documents.examples import parse_lines, with_examples
from abalo.reporting.documents.stored import SEAL, check_stored, from_stored, seal_of
from abalo.reporting.formats.files import EVIDENCE_NAME, EXAMPLES_NAME, JSON_NAME, PACKED_NAME
from abalo.reporting.formats.marks import check_current


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """A finished run: document, evidence, path of its robustness.json, and ``lines`` if no examples.jsonl has them."""

    document: Document
    evidence: Mapping[str, Evidence]
    path: Path = Path(JSON_NAME)
    lines: Sequence[str] | None = None

    def records(self) -> list[str] | None:
        """Returns the lines of examples.jsonl; None if text was withheld."""
        if self.lines is not None:
            return [*self.lines]
        try:
            text = read_text(self.path.parent / EXAMPLES_NAME)
        except (OSError, ValueError):
            return None
        return [*filter(None, text.split("\n"))]  # a text may hold other ends of lines, such as U+2028

    def with_examples(self) -> Run:
        """Adds the examples of examples.jsonl, if any; raises `AbaloError` if a line is invalid."""
        lines = self.records()
        if lines is None:
            return self
        examples = parse_lines(lines, self.path.parent / EXAMPLES_NAME).examples
        return replace(self, document=replace(self.document, results=with_examples(self.document.results, examples)))


def with_text(document: Document, folder: Path) -> Document:
    """Adds the examples of examples.jsonl, and the records of what got worse, if the folder has them."""
    run = Run(document, {}, folder / JSON_NAME)
    return with_records(run.with_examples().document, run.records() or ())


def read_document(path: Path, *, unsealed: bool = False) -> Document:
    """Reads robustness.json; raises `AbaloError` if it is missing or its seal does not fit.

    ``unsealed`` allows a report that has no seal.
    """
    try:
        stored = json_written(read_text(path))
    except FileNotFoundError:
        raise AbaloError(_no_run(path)) from None
    except OSError as error:
        raise AbaloError(f"{path}: cannot be read: {error.strerror or error}; give the folder of a run") from error
    except (ValueError, RecursionError) as error:
        raise AbaloError(f"{path}: is not JSON: {error}; run the gate again") from error
    if not isinstance(stored, dict) or stored.get("schema") != SCHEMA:
        raise AbaloError(f"{path}: is not the report of a run in the format {SCHEMA}; run the gate again")
    if SEAL in stored and stored[SEAL] != seal_of(stored):
        raise AbaloError(
            f"{path}: is damaged, or was edited: its {SEAL} is not that of its content; put back the file of the run, "
            "or run the gate again"
        )
    if SEAL not in stored and not unsealed:
        raise AbaloError(
            f"{path}: has no {SEAL}, so it may have been edited; hold it against its evidence with abalo verdict "
            f"{path.parent} --recount, or run the gate again"
        )
    with whole(path):
        check_stored({SEAL: seal_of(stored), **stored})
        return read_record(Document, from_stored(stored))


def _no_run(path: Path) -> str:
    folder = path.parent
    found = f"holds no run (no {path.name})" if folder.is_dir() else "there is no such folder"
    return (
        f"{folder}: {found}; give the folder of a run, or make one: "
        f"pytest --pyargs {TESTS} --abalo-model MODEL --abalo-corpus CORPUS"
    )


def check_verdict(path: Path, document: Document, *, held: bool = False, strangers: bool = False) -> None:
    """Raises `AbaloError` if a document is stale, its evidence belongs to another run, or names are not registered.

    Evidence may be missing. ``held`` says that the caller holds the lock of the folder; ``strangers`` allows tasks,
    metrics and kinds of case that are not registered.
    """
    check_current(path.parent, document, held=held)
    if lost := sorted({result.task for result in document.results} - set(document.tasks)):
        raise AbaloError(f"{path}: is damaged: results of {', '.join(lost)}, but no such task; run the gate again")
    if not strangers:
        check_known(path, document)
    counts = _evidence_in(path.parent)
    if counts.exists():
        _check_digest(path, document, counts.name, read(counts))


def check_known(path: Path, document: Document) -> None:
    """Raises `AbaloError` if a task, metric or probe of a document is not registered."""
    if unknown := not_known(document):
        _refuse_unknown(path, unknown)


def _refuse_unknown(path: Path, what: str) -> NoReturn:
    raise AbaloError(f"{path}: is about {what}; pass --conftest where the conftest.py that registers it is")


def not_known(document: Document) -> str:
    """Describes the first unregistered task, metric or probe, if any."""
    compared = {} if document.comparison is None else document.comparison.tasks
    own = {name: found.losses for name, found in compared.items()}
    named = {name: dict[str, None]() for name in (*document.tasks, *own)}
    for result in document.results:
        metrics = named.setdefault(result.task, {})
        metrics |= dict.fromkeys(each.bound.partition("_")[2] for each in result.judgements)
        if result.probe not in probes():
            return f"the kind of case {result.probe!r}, which is not known here"
    for name, losses in own.items():
        named[name] |= dict.fromkeys(each.metric for each in losses if not is_common(each.metric, each.type))
    for name, metrics in named.items():
        if name not in tasks():
            return f"the task {name!r}, which is not known here"
        if unknown := next((metric for metric in metrics if metric not in tasks()[name].metrics()), None):
            return f"the metric {unknown!r} of {name}, which is not known here"
    return ""


def _evidence_in(folder: Path) -> Path:
    packed = folder / PACKED_NAME
    return packed if packed.exists() else folder / EVIDENCE_NAME


def _check_digest(path: Path, document: Document, name: str, evidence: Mapping[str, Evidence]) -> None:
    digest = document.evidence_sha256
    if digest is not None and digest != sha256_of(evidence):
        raise AbaloError(
            f"{path}: is not about the evidence beside it, {name}: they are of two runs; put back the file "
            "that belongs here, or run the gate again"
        )


def read_run(folder: Path, *, unsealed: bool = False) -> Run:
    """Reads a run; raises `AbaloError` if report or evidence is missing."""
    path = folder / JSON_NAME
    document = read_document(path, unsealed=unsealed)
    _check_results(path, document.results)
    counts = _evidence_in(folder)
    evidence = read(counts)
    lost = sorted({result.id for result in document.results} - set(evidence))
    if lost:
        raise AbaloError(f"{counts}: has no evidence of {', '.join(lost)}; run the gate again")
    _check_digest(path, document, counts.name, evidence)
    return Run(document, evidence, path)


def _check_results(path: Path, results: Sequence[Result]) -> None:
    for name in dict.fromkeys(result.task for result in results):
        if not isinstance(name, str) or name not in tasks():
            _refuse_unknown(path, f"the task {name!r}, which is not known here")
    twice = Counter((result.id, str(result.view)) for result in results).most_common(1)
    if twice and twice[0][1] > 1:
        case, view = twice[0][0]
        raise AbaloError(f"{path}: is damaged: it has the case {case} twice in the view {view}; run the gate again")


@contextmanager
def whole(path: Path) -> Iterator[None]:
    """Turns errors from a malformed report into an `AbaloError`."""
    try:
        yield
    except AbaloError:
        raise
    except Exception as error:  # a document of JSON can be broken in any place
        said = in_words(error)
        raise AbaloError(
            f"{path}: is damaged, or another version of Abalo wrote it ({said}); run the gate again"
        ) from error
