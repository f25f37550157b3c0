"""A case that has run, and the store that holds the cases of a run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from abalo.attacks.log import log_name
from abalo.core.protocols.probe import Case
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import JsonRecord, as_json, read
from abalo.core.running.engine import CaseRun
from abalo.core.statistics.evidence import Evidence, from_bytes, to_bytes
from abalo.errors import AbaloError
from abalo.files import explain_errors, read_bytes, write_bytes
from abalo.reporting.documents.examples import EXAMPLE, example_lines, record_line
from abalo.reporting.documents.quoting import CASE_SUFFIX, FINISHED, FINISHED_FORMAT, holds_finished

_REMEDY = "run again without --abalo-resume"


def clean_name(task: str) -> str:
    """The name under which a task's clean corpus is stored; its baseline case has a record of its own."""
    return f"{task}/"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _CaseHead(JsonRecord):
    format: str
    case: str
    run: str
    facts: JsonObject
    lines: int
    examples: int


class RunStore:
    """The cases of a run in its folder of reports, a file each; processes of one run share it.

    A file is a head in JSON, a digest of all the rest, the lines of examples.jsonl, and the evidence.

    Args:
        reports: The folder of the reports.
        shared: Whether another process writes the report; else a case that cannot be written stays in memory.
    """

    def __init__(self, reports: Path, *, shared: bool = False) -> None:
        self._folder = reports / FINISHED
        self._shared = shared
        self._kept: dict[Path, bytes] = {}
        self.problem: AbaloError | None = None
        """Why cases stay in memory."""

    def has(self, case: str) -> bool:
        """Returns True if the case is stored."""
        return self._path(case).is_file()

    def check(self, case: Case, run: str) -> None:
        """Raises `AbaloError` if a stored case is of another ``run``, as far as its head can be read."""
        path = self._path(case.id)
        try:
            with path.open("rb") as file:
                head = read(_CaseHead, json.loads(file.readline()))
        except (OSError, ValueError, RecursionError, TypeError, KeyError, AttributeError):
            return  # told when it is read whole
        _check_run(path, head, run)

    def find(self, case: Case, run: str) -> CaseRecord:
        """Returns a case that an earlier ``run`` stored; raises `AbaloError` if it is unreadable or of another run."""
        path = self._path(case.id)
        try:
            head, lines, packed = self._read(path)
            examples = [json.loads(line)[EXAMPLE] for line in lines[len(lines) - head.examples :]]
        except (OSError, ValueError, RecursionError, TypeError, KeyError, AttributeError) as error:
            raise AbaloError(f"{path}: not a finished case of this version; {_REMEDY}") from error
        _check_run(path, head, run)
        return CaseRecord(CaseRun(case, from_bytes(packed, str(path))[case.id], head.facts, examples), lines)

    def add(self, record: CaseRecord, run: str, name: str | None = None) -> None:
        """Stores a case of a ``run``, under its id or a ``name``.

        Raises `AbaloError` if the store is shared and cannot be written.
        """
        done, case = record.run, record.run.case
        head = _CaseHead(
            format=FINISHED_FORMAT,
            case=case.id,
            run=run,
            facts=done.facts,
            lines=len(record.lines),
            examples=len(done.examples),
        )
        told = json.dumps(as_json(head)).encode()
        lines = "".join(f"{line}\n" for line in record.lines).encode("utf-8", "backslashreplace")
        body = lines + to_bytes({case.id: done.evidence}, level=1)
        path, content = self._path(name or case.id), b"\n".join([told, _seal(told, body), body])
        try:
            if self.problem is None:
                with explain_errors(path, path.parent):
                    path.parent.mkdir(exist_ok=True)
                write_bytes(path, content)
        except AbaloError as error:
            if self._shared:
                raise
            self.problem = error
        if self.problem is not None:
            self._kept[path] = content

    def evidence(self, name: str) -> Evidence:
        """Returns the counts of a stored case; raises `AbaloError` if it is lost or damaged."""
        (found,) = from_bytes(self._parts(name)[2], name).values()
        return found

    def lines(self, name: str) -> Sequence[str]:
        """Returns a stored case's lines of examples.jsonl; raises `AbaloError` if it is lost or damaged."""
        return self._parts(name)[1]

    def _parts(self, name: str) -> tuple[_CaseHead, list[str], bytes]:
        path = self._path(name)
        try:
            return self._read(path)
        except (OSError, ValueError, RecursionError, TypeError, KeyError, AttributeError) as error:
            raise AbaloError(f"{path}: was lost or damaged while the run went on; run the gate again") from error

    def _read(self, path: Path) -> tuple[_CaseHead, list[str], bytes]:
        """Raises `ValueError` and its kin if the content is damaged."""
        told, seal, body = (self._kept.get(path) or read_bytes(path)).split(b"\n", 2)
        if seal != _seal(told, body):
            raise ValueError("other bytes than were written")
        head = read(_CaseHead, json.loads(told))
        *lines, packed = body.split(b"\n", head.lines)
        return head, [line.decode() for line in lines], packed

    def _path(self, name: str) -> Path:
        return self._folder / f"{name.partition('/')[0]}-{Path(log_name(name)).stem}{CASE_SUFFIX}"


@dataclass(frozen=True, slots=True, eq=False)
class StoredLines:
    """Lines of examples.jsonl of the stored ``names``, which can be read again."""

    store: RunStore
    names: Sequence[str]

    def __iter__(self) -> Iterator[str]:
        """Yields the lines; raises `AbaloError` if a case is lost or damaged."""
        for name in self.names:
            yield from self.store.lines(name)


def _check_run(path: Path, head: _CaseHead, run: str) -> None:
    if head.run != run:
        raise AbaloError(f"{path}: a case of another run: its model, corpus, thresholds or options differ; {_REMEDY}")


def _seal(head: bytes, body: bytes) -> bytes:
    return hashlib.sha256(head + b"\n" + body).hexdigest().encode()


def remove_finished(reports: Path) -> None:
    """Removes stored cases; raises `AbaloError` on failure."""
    folder = reports / FINISHED
    with explain_errors(folder, reports):
        for path in sorted(folder.glob(f"*{CASE_SUFFIX}")):
            if holds_finished(path):
                path.unlink()
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
