"""The files of a reference: the report of the accepted run, its packed evidence, and a seal against later changes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from abalo.core.evidence import Evidence, sha256_of, to_packed
from abalo.core.example import Json
from abalo.errors import AbaloError
from abalo.files import read_bytes
from abalo.reporting.files import ACCEPTED, DIGEST, JSON_NAME, PACKED_NAME, as_bytes

SEAL = "sha256"
"""The field of accepted.json with the digest of robustness.json and of the other fields of accepted.json."""


def reference_files(document: Mapping[str, Any], evidence: Mapping[str, Evidence], said: Json) -> dict[str, bytes]:
    """The files of a reference by name, robustness.json last.

    ``said`` are the facts of the acceptance for accepted.json. The same arguments give the same bytes.
    """
    report = as_bytes({**document, DIGEST: sha256_of(evidence)})
    accepted = json.dumps({**said, SEAL: _seal(report, said)}) + "\n"
    return {PACKED_NAME: to_packed(evidence), ACCEPTED: accepted.encode(), JSON_NAME: report}


def check_seal(folder: Path, said: Mapping[str, Any]) -> None:
    """Raises `AbaloError` if robustness.json or accepted.json, which says ``said``, changed after the acceptance."""
    found = _seal(read_bytes(folder / JSON_NAME), {name: value for name, value in said.items() if name != SEAL})
    if said.get(SEAL) != found:
        raise AbaloError(
            f"{folder / ACCEPTED} {SEAL}: {said.get(SEAL)!r}, but that of {JSON_NAME} and {ACCEPTED} is {found!r}: one "
            "of them is damaged or was edited; restore the folder from version control, or accept the run again"
        )


def _seal(report: bytes, said: Mapping[str, Any]) -> str:
    """SHA-256 digest of a report and of the facts of its acceptance; CRLF line ends count as LF."""
    facts = json.dumps(said, sort_keys=True).encode()
    return hashlib.sha256(report.replace(b"\r\n", b"\n") + facts).hexdigest()
