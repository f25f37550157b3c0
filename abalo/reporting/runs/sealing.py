"""The files of a reference, sealed against later changes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from abalo.core.documents.document import Document
from abalo.core.records.example import JsonObject
from abalo.core.statistics.evidence import Evidence, sha256_of, to_packed
from abalo.errors import AbaloError
from abalo.files import read_bytes
from abalo.reporting.formats.files import ACCEPTED, JSON_NAME, PACKED_NAME, as_bytes

SEAL = "sha256"
"""Digest of robustness.json and the other fields of accepted.json."""


def reference_files(document: Document, evidence: Mapping[str, Evidence], said: JsonObject) -> dict[str, bytes]:
    """Returns the files of a reference, robustness.json last; the same arguments give the same bytes."""
    report = as_bytes(replace(document, evidence_sha256=sha256_of(evidence)))
    accepted = json.dumps({**said, SEAL: _seal(report, said)}) + "\n"
    return {PACKED_NAME: to_packed(evidence), ACCEPTED: accepted.encode(), JSON_NAME: report}


def check_seal(folder: Path, said: Mapping[str, object]) -> None:
    """Raises `AbaloError` if robustness.json or accepted.json changed."""
    found = _seal(read_bytes(folder / JSON_NAME), {name: value for name, value in said.items() if name != SEAL})
    if said.get(SEAL) != found:
        raise AbaloError(
            f"{folder / ACCEPTED} {SEAL}: {said.get(SEAL)!r}, but that of {JSON_NAME} and {ACCEPTED} is {found!r}: one "
            "of them is damaged or was edited; restore the folder from version control, or accept the run again"
        )


def _seal(report: bytes, said: Mapping[str, object]) -> str:
    """SHA-256; CRLF line ends count as LF."""
    facts = json.dumps(said, sort_keys=True).encode()
    return hashlib.sha256(report.replace(b"\r\n", b"\n") + facts).hexdigest()
