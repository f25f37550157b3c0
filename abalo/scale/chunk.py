"""Perturbs, predicts and counts one chunk."""

from __future__ import annotations

import hashlib
import io
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from abalo.config.options import Options, trainings_of
from abalo.config.tasks import task_called
from abalo.config.thresholds import Thresholds, load
from abalo.core.protocols.predictor import CacheKey, I, P, Predictor, distinct_inputs
from abalo.core.protocols.preflight import BATCH, refuse_random
from abalo.core.protocols.probe import Case, Ran, baseline_of
from abalo.core.protocols.task import ResourceFinder
from abalo.core.protocols.withholding import REASON, kind_and_place
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import Json, JsonRecord, as_json, read
from abalo.core.running.engine import Engine
from abalo.core.statistics.evidence import to_bytes
from abalo.errors import AbaloError, ends_the_run, visible
from abalo.files import is_file, read_bytes, write_bytes, write_together
from abalo.models.tokens.scores import Scored, ScoreScale
from abalo.models.user_code import imports
from abalo.scale.examples import NAME as EXAMPLES
from abalo.scale.examples import as_lines, draw_examples
from abalo.scale.manifest import NAME, Manifest, json_of

CHUNKS = "chunks"

DONE = "done.json"
"""Written last; lists the files."""

INPUTS = "inputs.npz"
"""Digests that prevent double counts."""

_FITTED = "scored.npz"
_SCALE = "scale.json"
_STORE = "clean"


@dataclass(eq=False)
class PartEngine(Engine):
    """An engine for one part that knows facts about the whole.

    ``groups`` count even if absent. Only the ``first`` part asks twice, to detect random models.
    """

    whole: ResourceFinder | None = None
    groups: Sequence[str] = ()
    scale: ScoreScale | None = None
    first: bool = False

    @cached_property
    def predictor(self) -> Predictor[Any, Any]:
        made = self.task.predictor(self.model, self.corpus, self.store)
        made.with_text = self.quotes
        made.as_part(self.scale)
        found = made.preflight(twice=self.first)
        refuse_random(self.model, found, self.task.noun)
        return made

    @cached_property
    def resources(self) -> ResourceFinder:
        return super().resources if self.whole is None else self.whole

    def groups_of(self, case: Case, ran: Ran) -> list[str]:
        return sorted({*super().groups_of(case, ran), *self.groups})


@dataclass(frozen=True, slots=True)
class Order:
    """A run in chunks as commanded; ``here`` is the working directory.

    Workers trust only the order: no manifest can load another model.
    """

    folder: Path
    manifest: Manifest
    options: Options
    here: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkDevice(JsonRecord):
    """The device of a chunk, and what it labelled first."""

    name: str
    labels: Sequence[Sequence[object]] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkFacts(JsonRecord):
    """Facts of a finished chunk; digests of ``files`` and facts of cases by name."""

    chunk: Json
    files: Mapping[str, str]
    facts: Mapping[str, JsonObject]
    task: JsonObject
    identity: JsonObject
    device: ChunkDevice
    seconds: float


class Runner:
    """Runs an order's chunks with one model."""

    def __init__(self, order: Order) -> None:
        self.folder, self.manifest, self.options = order.folder, order.manifest, order.options
        self.task = task_called(self.manifest.task)
        self.corpus = self.task.in_parts(self.manifest.source.name, self.options)
        self.thresholds: Thresholds = load(self.options.thresholds, self.manifest.language)
        if self.thresholds.sha256 != self.manifest.thresholds_sha256:
            raise AbaloError(f"{self.options.thresholds}: has changed since the run began; put it back, or begin anew")
        by_id = {case.id: case for case in self.thresholds.cases}
        self.cases = [by_id[name] for name in self.manifest.cases]

    @cached_property
    def model(self) -> Any:
        """The model; raises `AbaloError` if it changed."""
        (spec,) = trainings_of(self.options)
        with imports() as code:
            found = self.task.load(spec, self.options, self.corpus.labels_alone(self.manifest.source))
        self._code = {"code": sorted(code)} if code else {}
        if found.fingerprint != self.manifest.fingerprint:
            raise AbaloError(f"model {found.name}: is not the one that the run began with; put it back, or begin anew")
        return found

    @cached_property
    def resources(self) -> ResourceFinder:
        """Perturbation resources, independent of the corpus."""
        return self.task.resources(
            self.corpus.labels_alone(self.manifest.source), self.model, self.options, self.manifest.language
        )

    @cached_property
    def first_labels(self) -> list[list[Any]] | None:
        """Labels of the first inputs, to compare devices.

        None for a black box, which may cost money.
        """
        if getattr(self.model, "black_box", True):
            return None
        corpus = self.corpus.read(self.manifest.source, self.manifest.parts[0]).first(BATCH)
        made = self.task.predictor(self.model, corpus)
        found = made.run(distinct_inputs(map(made.key, made.inputs), made.inputs))
        return [[*made.labels(each)] for each in found.values()]

    def prepare(self, number: int) -> None:
        """Predicts clean sentences and writes their scores."""
        with self._text_kept():
            found = self._engine(number, None).predictor.scored()
        rows, columns = (np.zeros((0, 0)), np.zeros(0, np.intp)) if found is None else found
        arrays = {"rows": rows.astype(np.float64), "columns": columns, "scored": np.array(found is not None)}
        arrays["run"] = np.array(self.manifest.sha256)
        write_bytes(scores_path(self.folder, number), _pack(arrays))

    def run(self, number: int) -> None:
        """Runs all cases and writes counts."""
        started = time.perf_counter()
        scale = read_scale(self.folder, self.manifest)
        engine = self._engine(number, scale)
        with self._text_kept(), closing(engine):
            self._run(number, engine, started)

    @contextmanager
    def _text_kept(self) -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            if self.manifest.examples or ends_the_run(error) or isinstance(error, SystemExit):
                raise
            raise AbaloError(_withhold(error)) from None

    def _run(self, number: int, engine: PartEngine, started: float) -> None:
        facts: dict[str, JsonObject] = {}
        sample: list[JsonObject] = []
        baseline = engine.baseline()
        inputs = _of_clean(engine.predictor)
        files: dict[str, bytes] = {}
        for place, (case, following) in enumerate(zip_longest([baseline, *self.cases], self.cases)):
            ran, seconds = engine.ran(case, following=following)
            began = time.perf_counter()
            evidence = engine.evidence(case, ran)
            found = engine.finished(case, ran, seconds + time.perf_counter() - began, evidence)
            name = case_file(place)
            files[name] = to_bytes({case.id: found.evidence})
            facts[case.id] = found.facts
            inputs |= _of_case(place, ran, engine)
            if self.manifest.examples:
                sample += draw_examples(case, ran.outcomes, self.task, self.manifest.examples)
        files[INPUTS] = _pack(inputs)
        if self.manifest.examples:
            files[EXAMPLES] = as_lines(sample)
        written = {name: _sha256(data) for name, data in files.items()}
        said = ChunkFacts(
            chunk=self.manifest.chunk(number),
            files=written,
            facts=facts,
            task=self.task.report.part_facts(engine),
            identity=engine.identity() | self._code,
            device=ChunkDevice(name=str(getattr(self.model, "device", "")), labels=self.first_labels),
            seconds=round(time.perf_counter() - started, 3),
        )
        files[DONE] = json.dumps(as_json(said), ensure_ascii=False).encode("utf-8", "backslashreplace")
        write_together(chunk_folder(self.folder, number), files)

    def _engine(self, number: int, scale: ScoreScale | None) -> PartEngine:
        manifest = self.manifest
        store = self.folder / _STORE if self.model.labels and number in manifest.fitting else None
        return PartEngine(
            self.task,
            self.corpus.read(manifest.source, manifest.parts[number]),
            self.model,
            self.thresholds.gate,
            self.options.seeds or (),
            self.options,
            store,
            with_text=False,
            whole=self.resources,
            groups=self.corpus.groups(manifest.source),
            scale=scale,
            first=number == 0,
        )


def chunk_folder(folder: Path, number: int) -> Path:
    """The folder of a chunk, from 0."""
    return folder / CHUNKS / f"{number:06d}"


def scores_path(folder: Path, number: int) -> Path:
    """A chunk's score file."""
    return chunk_folder(folder, number) / _FITTED


def case_file(place: int) -> str:
    """The file of a case's counts; 0 is the clean corpus."""
    return f"{place:04d}.npz"


def facts_of(folder: Path, manifest: Manifest, number: int) -> ChunkFacts | None:
    """A chunk's facts; None if unfinished or damaged.

    Raises `AbaloError` for another run's chunk.
    """
    own = chunk_folder(folder, number)
    try:
        found = read(ChunkFacts, json_of(own / DONE))
        cases = [baseline_of(task_called(manifest.task)).id, *manifest.cases]
        names = {INPUTS, *map(case_file, range(len(cases))), *([EXAMPLES] if manifest.examples else ())}
        _check_own(own / DONE, found.chunk, manifest.chunk(number), number)
        if set(found.files) != names or set(found.facts) != set(cases):
            return None
        for name, digest in found.files.items():
            if _sha256(read_bytes(own / name)) != digest:
                return None
    except (OSError, ValueError, TypeError, RecursionError):
        return None
    return found


def _check_own(path: Path, said: Mapping[str, object], wanted: Mapping[str, object], number: int) -> None:
    for name, value in wanted.items():
        if said.get(name) != value:
            raise AbaloError(
                f"{path} chunk.{name}: {visible(said.get(name))[:100]}; expected {visible(value)}, as {NAME} has it: "
                f"it is a chunk of another run, or not number {number}; put back what belongs there, or remove the "
                f"folder {path.parent} and run abalo scale again"
            )


def is_done(folder: Path, manifest: Manifest, number: int) -> bool:
    """Whether a chunk is finished and intact."""
    return facts_of(folder, manifest, number) is not None


def scores_of(folder: Path, manifest: Manifest, number: int) -> Scored | Literal["nothing"] | None:
    """A chunk's scores; "nothing" if the model has none."""
    path = scores_path(folder, number)
    if not is_file(path):
        return None
    try:
        with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as found:
            if str(found["run"]) != manifest.sha256:
                return None
            return (found["rows"], found["columns"]) if found["scored"] else "nothing"
    except Exception:  # noqa: BLE001 - of NumPy, zipfile and zlib, for what is damaged in any place
        return None


def write_scale(folder: Path, manifest: Manifest, scale: ScoreScale | None) -> None:
    """Writes the score scale."""
    found = None if scale is None else {"labels": scale.labels, "temperature": scale.temperature}
    write_bytes(folder / _SCALE, json.dumps({"run": manifest.sha256, "scale": found}).encode())


def read_scale(folder: Path, manifest: Manifest) -> ScoreScale | None:
    """The score scale, or None."""
    return _read_scale(folder, manifest) or None


def has_scale(folder: Path, manifest: Manifest) -> bool:
    """Whether this run has a valid score scale."""
    return _read_scale(folder, manifest) is not False


def _read_scale(folder: Path, manifest: Manifest) -> ScoreScale | Literal[False] | None:
    """False if missing or invalid."""
    try:
        found = json_of(folder / _SCALE)
        if found["run"] != manifest.sha256:
            return False
        scale = found["scale"]
        return None if scale is None else ScoreScale(tuple(map(str, scale["labels"])), float(scale["temperature"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def go_to(here: Path) -> None:
    """Makes ``here`` the working directory and import path."""
    os.chdir(here)
    if str(here) not in sys.path:
        sys.path.insert(0, str(here))


def _withhold(error: BaseException) -> str:
    return f"{kind_and_place(error)}; {REASON}: to see it, run the same command with --examples 1 and another --out"


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _pack(arrays: Mapping[str, NDArray[np.generic]]) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, allow_pickle=False, **arrays)
    return stream.getvalue()


def _of_clean(predictor: Predictor[I, P]) -> dict[str, NDArray[np.generic]]:
    known = predictor.known()
    lines = np.frombuffer(b"".join(predictor.digests()), dtype=np.uint8).reshape(-1, 16)
    return {
        "clean": np.array([_number(key) for key in known], dtype=np.uint64),
        "clean_inputs": np.array([each.inputs for each in known.values()], dtype=np.int64),
        "predictions": lines,
    }


def _of_case(place: int, ran: Ran, engine: PartEngine) -> dict[str, NDArray[np.generic]]:
    found = {
        _number(engine.predictor.key(engine.task.input(outcome.variant.example))): outcome.prediction.inputs
        for outcome in ran.outcomes
        if outcome.variant is not None
    }
    return {
        f"{place}": np.array([*found], dtype=np.uint64),
        f"{place}_inputs": np.array([*found.values()], dtype=np.int64),
    }


def _number(key: CacheKey) -> int:
    return int.from_bytes(hashlib.blake2b(json.dumps(key).encode(), digest_size=8).digest(), "big")
