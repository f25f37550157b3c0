"""The files beside the report that a later run, or a person with more questions, reads."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from abalo.core.evidence import Evidence, to_bytes
from abalo.files import write_bytes

EVIDENCE_NAME = "evidence.npz"
EXAMPLES_NAME = "examples.jsonl"

_ELSEWHERE = "make the folder writable or choose another with --abalo-reports DIR"


def write_evidence(cases: Mapping[str, Evidence], folder: Path) -> Path:
    """The path of evidence.npz: the counts of every case, without text."""
    path = folder / EVIDENCE_NAME
    write_bytes(path, to_bytes(cases), _ELSEWHERE)
    return path


def write_examples(records: Iterable[str] | None, folder: Path) -> Path:
    """The path of examples.jsonl, one line for each record; for None, where text is withheld, the file is removed."""
    path = folder / EXAMPLES_NAME
    if records is None:
        path.unlink(missing_ok=True)
        return path
    write_bytes(path, "".join(f"{line}\n" for line in records).encode("utf-8", "backslashreplace"), _ELSEWHERE)
    return path


def record_line(case: str, record: Mapping[str, Any]) -> str:
    """A record of a case as a line of JSON."""
    return json.dumps({"case": case, **record}, ensure_ascii=False, allow_nan=False)
