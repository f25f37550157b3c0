"""A case that has run, as it is stored and sent."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from abalo.attacks.log import log_name
from abalo.core.engine import CaseRun
from abalo.core.evidence import from_bytes, to_bytes
from abalo.core.example import JsonObject
from abalo.core.probe import Case
from abalo.core.records import JsonRecord, as_json, read
from abalo.errors import AbaloError
from abalo.files import explain_errors, read_bytes, write_bytes
from abalo.reporting.documents.examples import EXAMPLE, example_lines, record_line
from abalo.reporting.documents.quoting import CASE_SUFFIX, FINISHED, FINISHED_FORMAT, holds_finished

_REMEDY = "run again without --abalo-resume"


@dataclass(frozen=True, eq=False)
class CaseRecord:
    """A case that has run; ``lines`` belong to ``examples.jsonl``; empty if text is withheld."""

    run: CaseRun
    lines: Sequence[str]

    @classmethod
    def of(cls, run: CaseRun) -> CaseRecord:
        """The record of a case that has just run."""
        case = run.case.id
        wrong = [record_line(case, record) for record in run.records]
        return cls(run, [*wrong, *example_lines(case, run.examples)])

    @cached_property
    def packed(self) -> bytes:
        """The evidence in the format of evidence.npz, packed once."""
        return to_bytes({self.run.case.id: self.run.evidence})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head(JsonRecord):
    format: str
    case: str
    run: str
    facts: JsonObject
    lines: int
    examples: int


class FinishedCases:
    """The finished cases of one task in a reports folder, a file each.

    A file is a head in JSON, a digest of all the rest, the lines of examples.jsonl, and the evidence. ``run`` returns
    what outcomes depend on besides the case; it is called late, since it may need clean predictions.
    """

    def __init__(self, reports: Path, run: Callable[[], JsonObject], *, resume: bool) -> None:
        self._folder = reports / FINISHED
        self._depends = run
        self._resume = resume
        self.problem: AbaloError | None = None
        """Why no more cases are stored."""

    @cached_property
    def _run(self) -> str:
        return hashlib.sha256(json.dumps(as_json(self._depends()), sort_keys=True).encode()).hexdigest()

    def find(self, case: Case) -> CaseRecord | None:
        """Returns the stored case, if any; raises `AbaloError` if it is unreadable or from another run."""
        path = self._path(case)
        if not self.has(case):
            return None
        try:
            head, lines, packed = _parts(read_bytes(path))
            examples = [json.loads(line)[EXAMPLE] for line in lines[len(lines) - head.examples :]]
        except (OSError, ValueError, RecursionError, TypeError, KeyError, AttributeError) as error:
            raise AbaloError(f"{path}: not a finished case of this version; {_REMEDY}") from error
        if head.run != self._run_of(case):
            raise AbaloError(
                f"{path}: a case of another run: its model, corpus, thresholds or options differ; {_REMEDY}"
            )
        evidence = from_bytes(packed, str(path))[case.id]
        return CaseRecord(CaseRun(case, evidence, head.facts, examples), lines)

    def has(self, case: Case) -> bool:
        """Returns True if an earlier run stored the case."""
        return self._resume and self._path(case).is_file()

    def add(self, record: CaseRecord) -> None:
        """Stores a case; stops storing after a failure."""
        if self.problem is not None:
            return
        run, case = record.run, record.run.case
        head = _Head(
            format=FINISHED_FORMAT,
            case=case.id,
            run=self._run_of(case),
            facts=run.facts,
            lines=len(record.lines),
            examples=len(run.examples),
        )
        told = json.dumps(as_json(head)).encode()
        body = "".join(f"{line}\n" for line in record.lines).encode() + record.packed
        path = self._path(case)
        try:
            with explain_errors(path, path.parent):
                path.parent.mkdir(exist_ok=True)
            write_bytes(path, b"\n".join([told, _seal(told, body), body]))
        except AbaloError as error:
            self.problem = error

    def _path(self, case: Case) -> Path:
        return self._folder / f"{case.task}-{Path(log_name(case.id)).stem}{CASE_SUFFIX}"

    def _run_of(self, case: Case) -> str:
        return f"{self._run} {case.id} {case.share}"


def _seal(head: bytes, body: bytes) -> bytes:
    return hashlib.sha256(head + b"\n" + body).hexdigest().encode()


def _parts(content: bytes) -> tuple[_Head, list[str], bytes]:
    """Raises `ValueError` and its kin if the content is damaged."""
    told, seal, body = content.split(b"\n", 2)
    if seal != _seal(told, body):
        raise ValueError("other bytes than were written")
    head = read(_Head, json.loads(told))
    *lines, packed = body.split(b"\n", head.lines)
    return head, [line.decode() for line in lines], packed


def remove_finished(reports: Path) -> None:
    """Removes stored cases; raises `AbaloError` on failure."""
    folder = reports / FINISHED
    with explain_errors(folder, reports):
        for path in sorted(folder.glob(f"*{CASE_SUFFIX}")):
            if holds_finished(path):
                path.unlink()
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
