"""Finished runs, read back from their reports."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from abalo.core.evidence import Evidence, read
from abalo.errors import AbaloError
from abalo.reporting.document import SCHEMA
from abalo.reporting.files import EVIDENCE_NAME, JSON_NAME


def _objects(*fields: str) -> Callable[[Any], bool]:
    """A check for a list of objects that each have an id and these fields."""
    return lambda value: (
        isinstance(value, list)
        and all(isinstance(each, dict) and {*fields} <= each.keys() for each in value)
        and all(isinstance(each.get("id"), str) for each in value)
    )


def _has_facts(own: Any) -> bool:
    wanted = {"model", "corpus", "forwards", "baseline"}
    return isinstance(own, dict) and all(isinstance(own.get(name), dict) for name in wanted)


_NEEDED: Mapping[str, Callable[[Any], bool]] = {
    "complete": lambda value: isinstance(value, bool),
    "missing": lambda value: isinstance(value, list) and all(isinstance(each, str) for each in value),
    "errors": _objects(),
    "results": _objects("view", "examples"),
    "regressions": _objects("status"),
    "gate": lambda value: value is None or isinstance(value, dict),
    "tasks": lambda value: value is None or (isinstance(value, dict) and all(map(_has_facts, value.values()))),
}
"""The fields of a document that are read here, each with what tells that it is whole."""


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """A finished run: its document, and the evidence of its cases."""

    document: Mapping[str, Any]
    evidence: Mapping[str, Evidence]


def read_run(folder: Path) -> Run:
    """The run whose reports are in the folder; raises `AbaloError` where there is none, or no evidence of it."""
    path = folder / JSON_NAME
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise AbaloError(f"{path}: cannot be read: {error.strerror or error}; give the folder of a run") from error
    except (ValueError, RecursionError) as error:
        raise AbaloError(f"{path}: is not JSON: {error}; run the gate again") from error
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise AbaloError(f"{path}: is not the report of a run in the format {SCHEMA}; run the gate again")
    broken = [name for name, fits in _NEEDED.items() if not fits(document.get(name))]
    if broken:
        raise AbaloError(f"{path}: is damaged: {', '.join(broken)} cannot be read; run the gate again")
    evidence = read(folder / EVIDENCE_NAME)
    lost = sorted({result["id"] for result in document["results"]} - set(evidence))
    if lost:
        raise AbaloError(f"{folder / EVIDENCE_NAME}: has no evidence of {', '.join(lost)}; run the gate again")
    return Run(document, evidence)
