"""Scores that were accepted as a reference, and their history."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from abalo.config.thresholds import load
from abalo.core.records.gate import Gate
from abalo.core.records.json_records import Json
from abalo.core.records.settings import Problems
from abalo.errors import AbaloError, visible
from abalo.files import is_file, read_bytes
from abalo.reporting.formats.files import ACCEPTED, JSON_NAME
from abalo.reporting.runs.sealing import SEAL
from abalo.scores.facts import GateDocument, document_of
from abalo.scores.judging import judge_scores
from abalo.scores.readers import has_logs, read_scores
from abalo.scores.rows import ScoreColumns, ScoreFile
from abalo.scores.rules import ScoreRule, rule_of, with_options
from perturbations.suggestions import did_you_mean

SCORES_NAME = "scores.jsonl.gz"

_DOCUMENT = "gate.json"


@dataclass(frozen=True, slots=True, eq=False)
class KeptScores:
    """Accepted scores, with the facts of their acceptance."""

    folder: Path
    file: ScoreFile
    accepted: Json


def holds_scores(folder: Path) -> bool:
    """Returns True for a folder of accepted scores."""
    return is_file(folder / SCORES_NAME)


def read_kept(folder: Path, columns: ScoreColumns) -> KeptScores:
    """Reads accepted scores; raises `AbaloError` if they are missing, damaged or edited.

    Only the metrics of ``columns`` are read; ids, clusters and slices are kept under the usual names.
    """
    if not holds_scores(folder):
        raise AbaloError(
            f"{visible(folder)}: holds no {SCORES_NAME}; expected accepted scores; accept some with abalo accept "
            "SCORES --as references/NAME"
        )
    try:
        accepted: dict[str, Any] = json.loads(read_bytes(folder / ACCEPTED))
        seal = accepted[SEAL]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise AbaloError(
            f"{visible(folder / ACCEPTED)}: cannot be read: {visible(error)}; accept the scores again"
        ) from error
    if seal != _seal(read_bytes(folder / SCORES_NAME), accepted):
        raise AbaloError(
            f"{visible(folder / ACCEPTED)} {SEAL}: does not fit {SCORES_NAME} and {ACCEPTED}: one of them is damaged "
            "or was edited; restore the folder from version control, or accept the scores again"
        )
    found = read_scores(folder / SCORES_NAME, ScoreColumns(metrics=columns.metrics))
    return KeptScores(folder, ScoreFile(str(folder), "accepted scores", found.metrics), accepted)


def kept_files(file: ScoreFile, said: Mapping[str, object]) -> dict[str, bytes]:
    """Returns the files of a reference, the scores last; the same arguments give the same bytes."""
    lines = "".join(_lines(file)).encode("utf-8", "backslashreplace")
    packed = gzip.compress(lines, compresslevel=6, mtime=0)
    accepted = json.dumps({**said, SEAL: _seal(packed, said)}) + "\n"
    return {ACCEPTED: accepted.encode(), SCORES_NAME: packed}


def _seal(packed: bytes, said: Mapping[str, object]) -> str:
    facts = json.dumps({name: value for name, value in said.items() if name != SEAL}, sort_keys=True).encode()
    return hashlib.sha256(packed + facts).hexdigest()


def _lines(file: ScoreFile) -> Iterator[str]:
    encode = json.JSONEncoder(ensure_ascii=False).encode
    for metric, own in file.metrics.items():
        ends, name = np.cumsum(own.runs).tolist(), encode(metric)
        scores, runs, empty = own.every.tolist(), own.runs.tolist(), own.empty.tolist()
        for place, example in enumerate(own.ids):
            more = "" if own.clusters is None else f', "cluster": {encode(own.clusters[place])}'
            if own.slices and own.slices[place]:
                more += f', "slice": {encode(own.slices[place])}'
            if own.weights is not None:
                more += f', "weight": {float(own.weights[place])!r}'
            head, last = f'{{"id": {encode(example)}, "metric": {name}, "score": ', ends[place]
            said = [*map(repr, scores[last - runs[place] : last]), *["null"] * empty[place]]
            for run, score in enumerate(said, start=1):
                which = f', "run": "{run}"' if len(said) > 1 else ""
                yield f"{head}{score}{which}{more}}}\n"


def read_acceptable(path: Path, *, failed: bool) -> ScoreFile:
    """Reads the scores of a file, or of a folder that `abalo gate --out` wrote.

    Raises `AbaloError` if the scores failed the gate, unless ``failed``.
    """
    if not holds_scores(path):
        return read_scores(path, ScoreColumns())
    if is_file(path / _DOCUMENT) and not failed:
        try:
            verdict = json.loads(read_bytes(path / _DOCUMENT))["verdict"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise AbaloError(f"{visible(path / _DOCUMENT)}: cannot be read: {visible(error)}; judge again") from error
        if verdict == "fail":
            raise AbaloError(
                f"{visible(path / _DOCUMENT)} verdict: fail; expected scores that did not fail; judge better ones, or "
                "give --failed"
            )
    return read_scores(path / SCORES_NAME, ScoreColumns())


def is_scores(path: Path) -> bool:
    """Whether a path is a file of scores, or a folder of them, rather than a run."""
    if path.is_dir():
        return not is_file(path / JSON_NAME) and (holds_scores(path) or has_logs(path))
    return path.is_file() and path.name != JSON_NAME


def kept_rows(file: ScoreFile) -> dict[str, bytes]:
    """Returns the scores as they would be kept, for a folder of reports, which can then be accepted."""
    return {SCORES_NAME: kept_files(file, {})[SCORES_NAME]}


# Judging --------------------------------------------------------------------------------------------------------------


def judge_files(
    old: Path | None, new: Path, columns: ScoreColumns, thresholds: Path | None, given: Mapping[str, Any]
) -> tuple[GateDocument, ScoreFile]:
    """Judges a file of scores against a reference.

    Args:
        old: Earlier scores, or a folder of accepted ones; None uses ``against`` of the thresholds file, if any.
        new: New scores.
        columns: The meaning of columns.
        thresholds: A thresholds file, or None.
        given: Settings that override the file, as in `SCORE_SETTINGS`.

    Returns:
        The document, and the new scores.
    """
    gate, declared = Gate(), dict[str, ScoreRule]()
    if thresholds is not None:
        found = load(thresholds)
        gate, declared = found.gate, {**found.scores}
    if not columns.metrics and declared:
        columns = replace(columns, known=tuple(declared))
    file = read_scores(new, columns)
    if thresholds is not None and not columns.metrics:
        _check_names(thresholds, declared, file)
    if old is None and gate.against and holds_scores(Path(gate.against)):
        old = Path(gate.against)
    kept = None if old is None else _read_old(old, columns)
    return judge_rows(kept, file, gate, declared, given, None if thresholds is None else thresholds.name), file


def _check_names(thresholds: Path, declared: Mapping[str, ScoreRule], file: ScoreFile) -> None:
    """Raises `AbaloError` if no rule fits the file, and one seems to be misspelt; others may be for other files."""
    if file.metrics.keys() & declared.keys():
        return
    for name in declared:
        if near := did_you_mean(name, file.metrics):
            raise AbaloError(
                f"{visible(thresholds)} [[scores.{visible(name)}]]: no such metric{near}; {visible(file.name)} has "
                f"{', '.join(map(visible, file.metrics))}; correct the name, or choose metrics with --metric"
            )


def judge_rows(
    old: KeptScores | None,
    new: ScoreFile,
    gate: Gate,
    declared: Mapping[str, ScoreRule],
    given: Mapping[str, Any],
    thresholds: str | None = None,
) -> GateDocument:
    """Judges scores that were read; ``given`` settings win over the ``declared`` rules."""
    problems = Problems(Path("options"))
    options = rule_of(given, "", problems, partial=True)
    problems.raise_any()
    names = [*new.metrics] if old is None else [*dict.fromkeys((*old.file.metrics, *new.metrics))]
    rules = {name: with_options(declared.get(name, ScoreRule()), options, [*given]) for name in names}
    judged = judge_scores(None if old is None else old.file, new, rules, gate)
    alone = [] if old is None else [name for name in new.metrics if name not in old.file.metrics]
    told = {name: "only its limits are" if rules[name].bounds else "it is not" for name in alone}
    notes = [f"{visible(name)}: only in the new file, so {what} judged" for name, what in told.items()]
    notes += [f"[[scores.{visible(name)}]]: no such metric in the new file" for name in declared if name not in names]
    if old is None:
        asked = [name for name in names if rules[name].max_newly_wrong is not None]
        notes += [f"{visible(name)} max_newly_wrong: not judged: no reference" for name in asked]
    return document_of(
        judged,
        None if old is None else old.file,
        new,
        gate,
        accepted=None if old is None else {name: each for name, each in old.accepted.items() if name != SEAL} or None,
        thresholds=thresholds,
        notes=notes,
    )


def _read_old(path: Path, columns: ScoreColumns) -> KeptScores:
    try:
        if holds_scores(path) and is_file(path / ACCEPTED):
            return read_kept(path, columns)
        return KeptScores(path, read_scores(path, columns), {})
    except AbaloError as error:
        raise AbaloError(f"the reference to judge against: {error}") from error
