"""Metrics, parameters, tags and files of a run for experiment trackers."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from abalo.attacks.log import ATTACKS
from abalo.core.documents.blocks import Measured
from abalo.core.documents.document import Document
from abalo.core.documents.found import Interval, Result
from abalo.core.documents.losses_found import LossFacts
from abalo.core.protocols.results import cases, probe_of, task_of
from abalo.core.records import words
from abalo.errors import visible
from abalo.reporting.content import run
from abalo.reporting.formats.files import (
    COUNTEREXAMPLES_NAME,
    EVIDENCE_NAME,
    EXAMPLES_NAME,
    JSON_NAME,
    LATEX_NAME,
)
from abalo.reporting.formats.report_format import report_formats

_NAME = 200
"""Characters; stores take 250, including the metric."""

_VALUE = 500
"""Characters that every store takes."""

_FILES = (
    LATEX_NAME,
    EVIDENCE_NAME,
    EXAMPLES_NAME,
    COUNTEREXAMPLES_NAME,
    f"{ATTACKS}/*.jsonl",
)


@dataclass(frozen=True, slots=True)
class Tracked:
    """A run's numbers, parameters and verdict; names are ASCII."""

    metrics: Mapping[str, float]
    params: Mapping[str, str]
    verdict: str
    headline: str


def track(document: Document) -> Tracked:
    """Returns what to track of a run."""
    params = {name: words.shorten(visible(value), _VALUE) for name, value in _params(document) if value is not None}
    (headline,) = run.run_verdict(document).lines
    return Tracked(dict(_metrics(document)), params, document.verdict, str(headline))


def files_in(folder: Path) -> list[Path]:
    """Returns the files of this run in a folder."""
    patterns = (JSON_NAME, *(each.file for each in report_formats().values()), *_FILES)
    return [path for pattern in patterns for path in sorted(folder.glob(pattern)) if path.is_file()]


def _metrics(document: Document) -> Iterator[tuple[str, float]]:
    for verdict, count in document.counts.items():
        yield f"cases/{verdict}", count
    losses: dict[str, LossFacts] = {}
    for own in {} if document.comparison is None else document.comparison.tasks.values():
        losses |= {loss.id or "": loss for loss in (own.baseline, *own.losses) if loss and loss.type is None}
    for result in cases(document):
        case, floor = _tracking_name(result), task_of(result).floor
        yield from flat_number(f"{case}/{result.headline}", result.metrics.get(result.headline))
        if probe_of(result).scored and result.headline != floor:
            yield from flat_number(f"{case}/{floor}", result.metrics.get(floor))
        yield from flat_number(f"{case}/loss", losses.get(result.id))


def flat_number(name: str, found: Interval | None) -> Iterator[tuple[str, float]]:
    """Yields the value under its name, and the ends of its interval behind ``.low`` and ``.high``."""
    number = Measured.of(found)
    for part, value in (("", number.value), (".low", number.low), (".high", number.high)):
        if value is not None:
            yield name + part, value


def _tracking_name(result: Result) -> str:
    whole = result.id.replace("[", " ").replace("]", "")
    name = re.sub(r"[^A-Za-z0-9_./ -]", "_", whole)
    if name == whole and len(name) <= _NAME:
        return name
    return f"{name[:_NAME]} {hashlib.sha256(whole.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def _params(document: Document) -> Iterator[tuple[str, object]]:
    for task, facts in document.tasks.items():
        yield f"{task}.model", facts.model.name
        yield f"{task}.model.fingerprint", facts.model.fingerprint
        yield f"{task}.corpus", facts.corpus.name
        yield f"{task}.corpus.sha256", facts.corpus.sha256 or None
    gate = document.gate
    yield "seeds", ", ".join(map(str, document.seeds)) or None
    yield from {"profile": gate.profile, "thresholds": gate.thresholds, "confidence": gate.confidence}.items()
    commit, changed = document.commit, document.dirty
    yield "date", document.date
    yield "commit", f"{commit}, with changes" if commit and changed else commit
    yield "reference", document.comparison and document.comparison.reference.name
    for package, version in document.versions.items():
        yield f"version.{package}", version
