"""Stores finished cases, from which ``--abalo-resume`` continues."""

from __future__ import annotations

import base64
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
from abalo.files import explain_errors, read_text, write_bytes
from abalo.reporting.documents.quoting import FINISHED, FINISHED_FORMAT, holds_finished

_REMEDY = "run again without --abalo-resume"

_SEAL = "sha256"


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedCase(JsonRecord):
    """A stored case, with its evidence as base64."""

    format: str
    case: str
    run: str
    facts: JsonObject
    examples: Sequence[JsonObject]
    records: Sequence[JsonObject]
    evidence: str


class FinishedCases:
    """The finished cases of one task.

    ``run`` returns what outcomes depend on besides the case; it is called late, since it may need clean predictions.
    """

    def __init__(self, reports: Path, run: Callable[[], JsonObject], *, resume: bool) -> None:
        self._folder = reports / FINISHED
        self._depends = run
        self._resume = resume
        self.problem: AbaloError | None = None
        """Why no more cases are stored."""

    @cached_property
    def _run(self) -> str:
        return _digest(as_json(self._depends()))

    def find(self, case: Case) -> CaseRun | None:
        """Returns the stored case, if any; raises `AbaloError` if it is unreadable or from another run."""
        path = self._path(case)
        if not self._resume or not path.is_file():
            return None
        kept = _read(path)
        if kept.run != self._run_of(case):
            raise AbaloError(
                f"{path}: a case of another run: its model, corpus, thresholds or options differ; {_REMEDY}"
            )
        evidence = from_bytes(base64.b64decode(kept.evidence), str(path))[case.id]
        return CaseRun(case, evidence, kept.facts, kept.examples, kept.records)

    def has(self, case: Case) -> bool:
        """Returns True if an earlier run stored the case."""
        return self._resume and self._path(case).is_file()

    def add(self, run: CaseRun) -> None:
        """Stores a case; stops storing after a failure."""
        if self.problem is not None:
            return
        case = run.case
        kept = FinishedCase(
            format=FINISHED_FORMAT,
            case=case.id,
            run=self._run_of(case),
            facts=run.facts,
            examples=run.examples,
            records=run.records,
            evidence=base64.b64encode(to_bytes({case.id: run.evidence})).decode("ascii"),
        )
        try:
            told = json.loads(json.dumps(as_json(kept)))
            self._write(self._path(case), json.dumps({**told, _SEAL: _digest(told)}).encode())
        except AbaloError as error:
            self.problem = error

    def _write(self, path: Path, content: bytes) -> None:
        with explain_errors(path, path.parent):
            path.parent.mkdir(exist_ok=True)
        write_bytes(path, content)

    def _path(self, case: Case) -> Path:
        return self._folder / f"{case.task}-{Path(log_name(case.id)).stem}.json"

    def _run_of(self, case: Case) -> str:
        return f"{self._run} {case.id} {case.share}"


def _digest(told: JsonObject) -> str:
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def _read(path: Path) -> FinishedCase:
    try:
        told = json.loads(read_text(path))
        sealed = told.pop(_SEAL, None)
        if sealed == _digest(told) and told["format"] == FINISHED_FORMAT:
            return read(FinishedCase, told)
    except (OSError, ValueError, RecursionError, TypeError, KeyError, AttributeError):
        pass
    raise AbaloError(f"{path}: not a finished case of this version; {_REMEDY}")


def remove_finished(reports: Path) -> None:
    """Removes stored cases; raises `AbaloError` on failure."""
    folder = reports / FINISHED
    with explain_errors(folder, reports):
        for path in sorted(folder.glob("*.json")):
            if holds_finished(path):
                path.unlink()
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
