"""A run in shards, judged as the one run that it is, by the code that judges every run."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from abalo.attacks.log import ATTACKS
from abalo.config.options import usual_profile
from abalo.config.tasks import task_called
from abalo.config.thresholds import load
from abalo.core.engine import baseline_of
from abalo.core.evidence import Evidence, sha256_of, write_large
from abalo.core.example import Json
from abalo.core.gate import AUTO
from abalo.core.parts import DEVICES, SAMPLED
from abalo.core.plan import BASELINE
from abalo.core.predictor import digest_of
from abalo.core.preflight import differing
from abalo.core.probe import Case
from abalo.core.task import Task
from abalo.errors import AbaloError
from abalo.files import explained, write_together
from abalo.reporting.document import gate_of
from abalo.reporting.examples import lines_of, record_line
from abalo.reporting.files import DIGEST, EVIDENCE_NAME, JSON_NAME, as_bytes, as_pages, write_examples
from abalo.reporting.finished import Run, whole
from abalo.reporting.rejudging import rejudged
from abalo.scale.examples import NAME as EXAMPLES
from abalo.scale.examples import RECORD, SHOWN, lowest
from abalo.scale.gathering import gathered
from abalo.scale.manifest import Manifest
from abalo.scale.runner import INPUTS, SHARDS, said_by, shard_folder

_ROOM = "gathered"

_SHOWN = 10
"""The examples of a case that a report shows at most."""

_ADDED = ("filtered", "not_hit", "nothing_fits", "unscored", "seconds", "shared_forwards")
"""The facts of a result that are sums over shards; None where one of them does not know."""


@dataclass(frozen=True, slots=True)
class _Shards:
    """The facts that all shards have written, in the order of the corpus."""

    folder: Path
    manifest: Manifest
    said: Sequence[Json]

    @property
    def numbers(self) -> range:
        """The numbers of the shards."""
        return range(len(self.said))


def judged(folder: Path, manifest: Manifest, out: Path) -> Json:
    """The document of the run whose shards are in ``folder``, written to ``out`` with its pages and evidence.

    Raises `AbaloError` where a shard is missing, damaged, or of another run.
    """
    said = [said_by(folder, manifest, number) for number in range(len(manifest.parts))]
    missing = [number for number, each in enumerate(said) if each is None]
    if missing:
        raise AbaloError(
            f"{folder}: {len(missing)} of {len(said)} shards are not done ({', '.join(map(str, missing[:10]))}"
            f"{', …' if len(missing) > 10 else ''}); run abalo scale again to go on with them"
        )
    shards = _Shards(folder, manifest, [each for each in said if each is not None])
    room = folder / _ROOM
    shutil.rmtree(room, ignore_errors=True)
    try:
        with whole(folder / SHARDS):
            return _judged(shards, out, room)
    finally:
        shutil.rmtree(room, ignore_errors=True)


def _judged(shards: _Shards, out: Path, room: Path) -> Json:
    manifest, task = shards.manifest, task_called(shards.manifest.task)
    thresholds = load(Path(manifest.thresholds), manifest.recorded["language"])
    if thresholds.sha256 != manifest.thresholds_sha256:
        raise AbaloError(f"{manifest.thresholds}: has changed since the run began; put it back, or begin anew")
    by_id = {case.id: case for case in thresholds.cases}
    cases = [baseline_of(task), *(by_id[name] for name in manifest.cases)]
    evidence = {
        case.id: gathered(shards.folder, case.id, place, shards.numbers, task.views, room / str(place))
        for place, case in enumerate(cases)
    }
    shown = [case for case in cases if case.name != BASELINE or case.id in by_id]
    sample = {case.id: _sample(case, shards) for case in shown}
    results = [
        {**_stub(case, cases.index(case), shards, evidence[case.id]), "examples": _worst(sample[case.id])}
        for case in shown
    ]
    facts = {
        **manifest.made,
        "versions": manifest.versions,
        "options": {**manifest.recorded, "deep": any(case.deep for case in shown)},
        "gate": gate_of(thresholds, usual_profile(), deep=any(case.deep for case in shown)),
        "tasks": {task.name: _task_facts(task, shards, evidence[cases[0].id], auto=thresholds.gate.language == AUTO)},
    }
    raw = {"complete": True, "missing": [], "errors": [], "regressions": [], "results": results, **facts}
    found = rejudged(Run(raw, evidence, room / JSON_NAME), thresholds)
    left_out = [{"id": name, "message": f"left out: {reason}"} for name, reason in manifest.left_out.items()]
    document = {**found, "versions": facts["versions"], "options": facts["options"], "not_run": left_out}
    records = [record_line(name, each[RECORD]) for name, own in sample.items() for each in own]
    lines = [*records, *lines_of(document["results"])]
    _write(document, evidence, lines if manifest.examples else None, out)
    return document


def _sample(case: Case, shards: _Shards) -> list[Json]:
    """The examples of a case that are kept with their text."""
    most = shards.manifest.examples
    files = [shard_folder(shards.folder, number) / EXAMPLES for number in shards.numbers] if most else []
    return lowest(files, case.id, most)


def _worst(sample: Sequence[Json]) -> list[Json]:
    """As many of them as a report shows."""
    return [each for kept in sample for each in kept[SHOWN]][:_SHOWN]


def _write(document: Json, evidence: Mapping[str, Evidence], lines: Sequence[str] | None, out: Path) -> None:
    """Writes the report; the evidence array by array, and the JSON that tells of it last.

    ``lines`` are those of examples.jsonl, None for no text.
    """
    fresh = out / f".{EVIDENCE_NAME}.new"
    with explained(out / EVIDENCE_NAME, out):
        out.mkdir(parents=True, exist_ok=True)
        write_large(fresh, evidence)
    write_examples(lines, out)
    pages = as_pages(document, lines or ())
    with explained(out / EVIDENCE_NAME, out):
        fresh.replace(out / EVIDENCE_NAME)
    shutil.rmtree(out / ATTACKS, ignore_errors=True)
    write_together(out, {**pages, JSON_NAME: as_bytes({**document, DIGEST: sha256_of(evidence)})})


# Facts of the whole from those of the parts ---------------------------------------------------------------------------


def _stub(case: Case, place: int, shards: _Shards, evidence: Evidence) -> Json:
    """The result of a case before it is judged: the facts that hold for all of the corpus."""
    parts = [each["facts"][case.id] for each in shards.said]
    found = {name: _one(name, [part[name] for part in parts], case) for name in parts[0] if name not in _COUNTED}
    changed = set(evidence.ids[evidence.changed].tolist())
    first = evidence.seeds == evidence.seeds[0]
    return {
        **found,
        "sentences": int(first.sum()),
        "distinct": evidence.distinct,
        "changed": sum(each in changed for each in evidence.ids[first].tolist()),
        "variants": int(evidence.changed.sum()),
        "forwards": 0 if case.name == BASELINE else _forwards(place, shards),
        "view": case.view or None,
        "command": "",
    }


_COUNTED = ("sentences", "distinct", "changed", "variants", "forwards")
"""Facts that are counted anew over all shards."""


def _one(name: str, values: Sequence[Any], case: Case) -> Any:
    if name in _ADDED:
        return None if any(each is None for each in values) else _sum(values)
    if any(each != values[0] for each in values):
        raise AbaloError(
            f"{case.id}: its shards were run with other {name}: {values[0]!r} and "
            f"{next(each for each in values if each != values[0])!r}; run all with one version and one machine image"
        )
    return values[0]


def _sum(values: Sequence[Any]) -> Any:
    total = sum(values)
    return round(total, 3) if isinstance(total, float) else total


def _inputs(shards: _Shards, *names: str) -> list[list[np.ndarray[Any, Any]]]:
    """These arrays of all shards, each as a list over shards."""
    found: list[list[np.ndarray[Any, Any]]] = [[] for _ in names]
    for number in shards.numbers:
        with np.load(shard_folder(shards.folder, number) / INPUTS, allow_pickle=False) as stored:
            for each, name in zip(found, names, strict=True):
                each.append(stored[name])
    return found


def _clean_windows(shards: _Shards) -> int:
    """The model inputs of the clean corpus; equal sentences share theirs."""
    keys, windows = (np.concatenate(each) for each in _inputs(shards, "clean", "clean_windows"))
    first = np.unique(keys, return_index=True)[1]
    return int(windows[first].sum())


def _forwards(place: int, shards: _Shards) -> int:
    """The model inputs that a case needs beyond the clean corpus, as one process would have needed them."""
    clean, keys, windows = (np.concatenate(each) for each in _inputs(shards, "clean", str(place), f"{place}_windows"))
    first = np.unique(keys, return_index=True)[1]
    new = ~np.isin(keys[first], clean)
    return int(windows[first][new].sum())


def _task_facts(task: Task, shards: _Shards, clean: Evidence, *, auto: bool) -> Json:
    """The facts of the task about the whole corpus."""
    found, source = task.report.whole_facts([each["task"] for each in shards.said]), shards.manifest.source
    (lines,) = _inputs(shards, "predictions")
    predictions = digest_of(line.tobytes() for each in lines for line in each)
    return {
        **found,
        "model": {**found["model"], **_identity(shards), "predictions": predictions},
        "corpus": {
            **found["corpus"],
            "name": source.name,
            "sha256": source.sha256,
            "distinct": clean.distinct,
            "language": shards.manifest.language,
            "language_found": auto,
        },
        "forwards": {"clean": _clean_windows(shards)},
        **({SAMPLED: shards.manifest.examples} if shards.manifest.examples else {}),
        **({DEVICES: devices} if len(devices := _devices(shards)) > 1 else {}),
    }


def _identity(shards: _Shards) -> Json:
    """The facts that tell the model from others, with the inputs without a valid answer in all shards."""
    every = [each["identity"] for each in shards.said]
    (lines,) = _inputs(shards, "predictions")
    asked = sum(len(each) for each in lines)
    missing = sum(each.get("unanswered", 0.0) * len(own) for each, own in zip(every, lines, strict=True))
    known = {name: value for name, value in every[0].items() if name not in ("unanswered", "asked")}
    return known | ({"unanswered": missing / asked, "asked": asked} if missing else {})


def _devices(shards: _Shards) -> list[Json]:
    """The devices that shards ran on, that of the first in front: so many shards, and labels unlike those of the first.

    Devices of one name that give the first inputs other labels are two. Of a black box no labels are known.
    """
    ran = Counter(json.dumps(each["device"]) for each in shards.said)
    known = [(json.loads(each), count) for each, count in ran.items()]
    first = known[0][0]["labels"]
    return [
        {
            "name": each["name"],
            "shards": count,
            "labels": None if first is None else sum(map(len, first)),
            "differing": None if first is None else differing(first, each["labels"]),
        }
        for each, count in known
    ]
