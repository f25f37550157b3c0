"""A finished run as those who track experiments store it: metrics, parameters, tags and files, by name."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from abalo.attacks.log import ATTACKS
from abalo.core import words
from abalo.core.blocks import Measured
from abalo.core.results import Json, cases, probe_of, task_of
from abalo.errors import visible
from abalo.reporting import run
from abalo.reporting.files import (
    COUNTEREXAMPLES_NAME,
    EVIDENCE_NAME,
    EXAMPLES_NAME,
    JSON_NAME,
    LATEX_NAME,
    MARKDOWN_NAME,
    PAGE_NAME,
)

_NAME = 200
"""The most characters of the name of a case: stores take 250, and that of the metric comes behind it."""

_VALUE = 500
"""The most characters of a parameter, which every store takes."""

_FILES = (
    JSON_NAME,
    MARKDOWN_NAME,
    PAGE_NAME,
    LATEX_NAME,
    EVIDENCE_NAME,
    EXAMPLES_NAME,
    COUNTEREXAMPLES_NAME,
    f"{ATTACKS}/*.jsonl",
)


@dataclass(frozen=True, slots=True)
class Tracked:
    """The numbers of a run, the facts that led to them, and its verdict with its headline; names are ASCII."""

    metrics: Mapping[str, float]
    params: Mapping[str, str]
    verdict: str
    headline: str


def tracked(document: Json) -> Tracked:
    """The metrics, parameters and verdict of a run."""
    params = {name: words.shortened(visible(value), _VALUE) for name, value in _params(document) if value is not None}
    (headline,) = run.run_verdict(document).lines
    return Tracked(dict(_metrics(document)), params, document["verdict"], str(headline))


def files_in(folder: Path) -> list[Path]:
    """The files of the run in a folder of reports, and none of another's."""
    return [path for pattern in _FILES for path in sorted(folder.glob(pattern)) if path.is_file()]


def _metrics(document: Json) -> Iterator[tuple[str, float]]:
    """How many cases have which verdict; of each case its number, its score, and its loss against the reference."""
    for verdict, count in document["counts"].items():
        yield f"cases/{verdict}", count
    losses: dict[str, Json] = {}
    for own in (document.get("comparison") or {"tasks": {}})["tasks"].values():
        losses |= {loss["id"]: loss for loss in (own["baseline"], *own["losses"]) if loss and loss["type"] is None}
    for result in cases(document):
        case, floor = _named(result), task_of(result).floor
        yield from _measured(f"{case}/{result['headline']}", result["metrics"].get(result["headline"]))
        if probe_of(result).scored and result["headline"] != floor:
            yield from _measured(f"{case}/{floor}", result["metrics"].get(floor))
        yield from _measured(f"{case}/loss", losses.get(result["id"]))


def _measured(name: str, found: Json | None) -> Iterator[tuple[str, float]]:
    number = Measured.of(found)
    for part, value in (("", number.value), (".low", number.low), (".high", number.high)):
        if value is not None:
            yield name + part, value


def _named(result: Json) -> str:
    """The id of the case in letters, digits, ``_-./`` and spaces, such as ``ner/character_noise rate-0.1``.

    Where this is too long, or takes other characters than the brackets of the parameters away, a digest tells the
    case from others.
    """
    whole = result["id"].replace("[", " ").replace("]", "")
    name = re.sub(r"[^A-Za-z0-9_./ -]", "_", whole)
    if name == whole and len(name) <= _NAME:
        return name
    return f"{name[:_NAME]} {hashlib.sha256(whole.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def _params(document: Json) -> Iterator[tuple[str, object]]:
    for task, facts in (document.get("tasks") or {}).items():
        for part, name in (("model", "name"), ("model", "fingerprint"), ("corpus", "name"), ("corpus", "sha256")):
            yield f"{task}.{part}" + (f".{name}" if name != "name" else ""), facts[part].get(name)
    gate, seeds = document.get("gate") or {}, document.get("seeds")
    yield "seeds", ", ".join(map(str, seeds)) if seeds else None
    for name in ("profile", "thresholds", "confidence"):
        yield name, gate.get(name)
    commit, changed = document.get("commit"), document.get("dirty")
    yield "date", document.get("date")
    yield "commit", f"{commit}, with changes" if commit and changed else commit
    yield "reference", ((document.get("comparison") or {}).get("reference") or {}).get("name")
    for package, version in (document.get("versions") or {}).items():
        yield f"version.{package}", version
