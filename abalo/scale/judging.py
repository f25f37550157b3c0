"""Judges a run in chunks like any run."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo.attacks.log import ATTACKS
from abalo.config.options import usual_profile
from abalo.config.tasks import task_called
from abalo.config.thresholds import load
from abalo.core.documents.document import CaseError, Document
from abalo.core.documents.found import Result
from abalo.core.documents.parts import DEVICES, SAMPLED
from abalo.core.protocols.predictor import digest_of
from abalo.core.protocols.preflight import differing
from abalo.core.protocols.probe import Case, baseline_of, fields_of
from abalo.core.protocols.task import Task
from abalo.core.protocols.task_report import add_values
from abalo.core.records.example import JsonObject
from abalo.core.records.gate import AUTO
from abalo.core.records.json_records import as_json, joins, read
from abalo.core.running.engine import CALLS
from abalo.core.statistics.evidence import Evidence, sha256_of, write_large
from abalo.core.statistics.plan import BASELINE
from abalo.errors import AbaloError
from abalo.files import explain_errors, write_together
from abalo.reporting.documents.document import NOT_BOUND, gate_of
from abalo.reporting.documents.examples import lines_of, record_line
from abalo.reporting.formats.files import EVIDENCE_NAME, JSON_NAME, as_bytes, as_pages, write_examples
from abalo.reporting.formats.marks import marked
from abalo.reporting.runs.finished import Run, whole
from abalo.reporting.runs.rejudging import rejudge
from abalo.scale.chunk import CHUNKS, INPUTS, ChunkDevice, ChunkFacts, chunk_folder, facts_of
from abalo.scale.examples import NAME as EXAMPLES
from abalo.scale.examples import RECORD, SHOWN, lowest
from abalo.scale.gathering import OnDisk, gather_evidence
from abalo.scale.manifest import Manifest

_ROOM = "gathered"

_COUNTED = {*joins([Result], "recount"), "variants", "inputs"}

_SHOWN = 10


@dataclass(frozen=True, slots=True)
class _Chunks:
    folder: Path
    manifest: Manifest
    said: Sequence[ChunkFacts]

    @property
    def numbers(self) -> range:
        return range(len(self.said))


def judge_run(folder: Path, manifest: Manifest, out: Path) -> Document:
    """Judges a run and writes its report to ``out``."""
    said = [facts_of(folder, manifest, number) for number in range(len(manifest.parts))]
    missing = [number for number, each in enumerate(said) if each is None]
    if missing:
        raise AbaloError(
            f"{folder}: {len(missing)} of {len(said)} chunks are not done ({', '.join(map(str, missing[:10]))}"
            f"{', …' if len(missing) > 10 else ''}); run abalo scale again to go on with them"
        )
    chunks = _Chunks(folder, manifest, [each for each in said if each is not None])
    room = folder / _ROOM
    shutil.rmtree(room, ignore_errors=True)
    try:
        with whole(folder / CHUNKS):
            return _judge_chunks(chunks, out, room)
    finally:
        shutil.rmtree(room, ignore_errors=True)


def _judge_chunks(chunks: _Chunks, out: Path, room: Path) -> Document:
    manifest, task = chunks.manifest, task_called(chunks.manifest.task)
    thresholds = load(Path(manifest.thresholds), manifest.recorded["language"])
    if thresholds.sha256 != manifest.thresholds_sha256:
        raise AbaloError(f"{manifest.thresholds}: has changed since the run began; put it back, or begin anew")
    by_id = {case.id: case for case in thresholds.cases}
    cases = [baseline_of(task), *(by_id[name] for name in manifest.cases)]
    evidence = OnDisk(
        {
            case.id: gather_evidence(chunks.folder, case.id, place, chunks.numbers, task.views, room / str(place))
            for place, case in enumerate(cases)
        }
    )
    shown = [case for case in cases if case.name != BASELINE or case.id in by_id]
    sample = {case.id: _sample(case, chunks) for case in shown}
    results = [
        {**_stub(case, cases.index(case), chunks, evidence[case.id]), "examples": _worst(sample[case.id])}
        for case in shown
    ]
    options = {**manifest.recorded, "deep": any(case.deep for case in shown)}
    facts = {
        **manifest.made,
        "versions": manifest.versions,
        "options": options,
        "gate": gate_of(thresholds, usual_profile(), deep=any(case.deep for case in shown)),
        "tasks": {task.name: _task_facts(task, chunks, evidence[cases[0].id], auto=thresholds.gate.language == AUTO)},
    }
    raw = {"complete": True, "missing": [], "errors": [], "regressions": [], "results": results, **facts}
    found = rejudge(Run(read(Document, raw), evidence, room / JSON_NAME), thresholds)
    left_out = [CaseError(id=name, message=f"left out: {reason}") for name, reason in manifest.left_out.items()]
    document = replace(found, versions=manifest.versions, options=options, not_run=left_out)
    records = [record_line(name, each[RECORD]) for name, own in sample.items() for each in own]
    lines = [*records, *lines_of(document.results)]
    _write(document, evidence, lines if manifest.examples else None, out)
    return document


def _sample(case: Case, chunks: _Chunks) -> list[JsonObject]:
    most = chunks.manifest.examples
    files = [chunk_folder(chunks.folder, number) / EXAMPLES for number in chunks.numbers] if most else []
    return lowest(files, case.id, most)


def _worst(sample: Sequence[JsonObject]) -> list[JsonObject]:
    return [each for kept in sample for each in kept[SHOWN]][:_SHOWN]


def _write(document: Document, evidence: Mapping[str, Evidence], lines: Sequence[str] | None, out: Path) -> None:
    document, mark = marked(document)
    fresh = out / f".{EVIDENCE_NAME}.new"
    with explain_errors(out / EVIDENCE_NAME, out):
        out.mkdir(parents=True, exist_ok=True)
        write_large(fresh, evidence)
    write_examples(lines, out)
    pages = as_pages(document, lines or ())
    with explain_errors(out / EVIDENCE_NAME, out):
        fresh.replace(out / EVIDENCE_NAME)
    shutil.rmtree(out / ATTACKS, ignore_errors=True)
    judged = as_bytes(replace(document, evidence_sha256=sha256_of(evidence)))
    write_together(out, {**pages, **mark.file, JSON_NAME: judged})


# Facts of the whole from those of the parts ---------------------------------------------------------------------------


def _stub(case: Case, place: int, chunks: _Chunks, evidence: Evidence) -> JsonObject:
    parts = [each.facts[case.id] for each in chunks.said]
    found = {name: _one(name, [part[name] for part in parts], case) for name in parts[0] if name not in _COUNTED}
    changed = set(evidence.ids[evidence.changed].tolist())
    first = evidence.seeds == evidence.seeds[0]
    return {
        **found,
        "sentences": int(first.sum()),
        "distinct": evidence.distinct,
        "changed": sum(each in changed for each in evidence.ids[first].tolist()),
        "variants": int(evidence.changed.sum()),
        "inputs": 0 if case.name == BASELINE else _new_inputs(place, chunks),
        "view": case.view or None,
        "command": "",
        **NOT_BOUND,
        "metrics": {},
        "per_type": {},
        "reach": None,
    }


def _one(name: str, values: Sequence[object], case: Case) -> object:
    if name in joins([Result, *fields_of(case.probe.name, case.task)], "sum", "spent"):
        return None if any(each is None for each in values) else _sum(values)
    if any(each != values[0] for each in values):
        raise AbaloError(
            f"{case.id}: its chunks were run with other {name}: {values[0]!r} and "
            f"{next(each for each in values if each != values[0])!r}; run all with one version and one machine image"
        )
    return values[0]


def _sum(values: Sequence[Any]) -> object:
    total = add_values(values)
    return round(total, 3) if isinstance(total, float) else total


def _inputs(chunks: _Chunks, *names: str) -> list[list[NDArray[np.generic]]]:
    found: list[list[NDArray[np.generic]]] = [[] for _ in names]
    for number in chunks.numbers:
        with np.load(chunk_folder(chunks.folder, number) / INPUTS, allow_pickle=False) as stored:
            for each, name in zip(found, names, strict=True):
                each.append(stored[name])
    return found


def _clean_inputs(chunks: _Chunks) -> int:
    keys, inputs = (np.concatenate(each) for each in _inputs(chunks, "clean", "clean_inputs"))
    first = np.unique(keys, return_index=True)[1]
    return int(inputs[first].sum())


def _new_inputs(place: int, chunks: _Chunks) -> int:
    clean, keys, inputs = (np.concatenate(each) for each in _inputs(chunks, "clean", str(place), f"{place}_inputs"))
    first = np.unique(keys, return_index=True)[1]
    new = ~np.isin(keys[first], clean)
    return int(inputs[first][new].sum())


def _task_facts(task: Task, chunks: _Chunks, clean: Evidence, *, auto: bool) -> JsonObject:
    found, source = task.report.whole_facts([each.task for each in chunks.said]), chunks.manifest.source
    (lines,) = _inputs(chunks, "predictions")
    predictions = digest_of(line.tobytes() for each in lines for line in each)
    return {
        **found,
        "model": {**found["model"], **_identity(chunks), "predictions": predictions},
        "corpus": {
            **found["corpus"],
            "name": source.name,
            "sha256": source.sha256,
            "distinct": clean.distinct,
            "language": chunks.manifest.language,
            "language_found": auto,
        },
        "inputs": {"clean": _clean_inputs(chunks)},
        **({SAMPLED: chunks.manifest.examples} if chunks.manifest.examples else {}),
        **({DEVICES: devices} if len(devices := _devices(chunks)) > 1 else {}),
    }


def _identity(chunks: _Chunks) -> JsonObject:
    every = [each.identity for each in chunks.said]
    (lines,) = _inputs(chunks, "predictions")
    asked = sum(len(each) for each in lines)
    missing = sum(each.get("unanswered", 0.0) * len(own) for each, own in zip(every, lines, strict=True))
    known = {name: value for name, value in every[0].items() if name not in ("unanswered", "asked", CALLS)}
    return known | ({"unanswered": missing / asked, "asked": asked} if missing else {})


def _devices(chunks: _Chunks) -> list[JsonObject]:
    ran = Counter(json.dumps(as_json(each.device)) for each in chunks.said)
    known = [(read(ChunkDevice, json.loads(each)), count) for each, count in ran.items()]
    first = known[0][0].labels
    return [
        {
            "name": each.name,
            "chunks": count,
            "labels": None if first is None else sum(map(len, first)),
            "differing": None if first is None else differing(first, each.labels or ()),
        }
        for each, count in known
    ]
