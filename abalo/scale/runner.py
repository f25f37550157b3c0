"""One shard of a corpus: perturbed, predicted and counted; its counts are written, and no text."""

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
from abalo.core.engine import Engine, baseline_of
from abalo.core.evidence import to_bytes
from abalo.core.example import Json
from abalo.core.predictor import Key, Predictor, distinct_inputs
from abalo.core.preflight import BATCH, asked_twice, refuse_random
from abalo.core.probe import Case, Ran
from abalo.core.task import Resources
from abalo.core.withholding import REASON, kind_and_place
from abalo.errors import AbaloError, ends_the_run, visible
from abalo.files import is_file, read_bytes, write_bytes, write_together
from abalo.models.scores import Scale, Scored
from abalo.models.user_code import imports
from abalo.scale.examples import NAME as EXAMPLES
from abalo.scale.examples import as_lines, drawn
from abalo.scale.manifest import NAME, Manifest, json_of

SHARDS = "shards"
"""The folder of the shards in that of a run."""

DONE = "done.json"
"""The file that a shard writes last: with it the shard is done, and it says which files it has written."""

INPUTS = "inputs.npz"
"""The file of digests of what the model was shown, by which no input is counted twice."""

_FITTED = "scored.npz"
_SCALE = "scale.json"
_STORE = "clean"


@dataclass(eq=False)
class PartEngine(Engine):
    """A session about one part of a corpus, with what only the whole can say: resources, language, scale of scores.

    ``groups`` are counted also where the part holds none of them. The ``first`` part alone is asked about twice, to see
    whether the model is random.
    """

    whole: Resources | None = None
    groups: Sequence[str] = ()
    scale: Scale | None = None
    first: bool = False

    @cached_property
    def predictor(self) -> Predictor[Any, Any]:
        """The model with what it has predicted of the part."""
        made = self.task.predictor(self.model, self.corpus, self.store)
        made.with_text = self.quotes
        made.as_part(self.scale)
        found = made.preflight(twice=self.first and asked_twice(self.model, self.options))
        if not self.options.allow_random:
            refuse_random(self.model, found, self.task.noun)
        return made

    @cached_property
    def resources(self) -> Resources:
        """Those of the whole."""
        return super().resources if self.whole is None else self.whole

    def groups_of(self, case: Case, ran: Ran) -> list[str]:
        """Those of the whole, too: what the model says of a label counts also where the part has none of it."""
        return sorted({*super().groups_of(case, ran), *self.groups})


@dataclass(frozen=True, slots=True)
class Order:
    """A run in shards as its command gave it: where it writes, what it runs, and by which options.

    What runs shards has all of it from the command, and nothing from a file in the folder: so no manifest can make it
    load another model. ``here`` is the working directory, in which models and perturbations are found.
    """

    folder: Path
    manifest: Manifest
    options: Options
    here: Path


class Runner:
    """Whatever runs shards: the order, its cases, and the model, loaded once."""

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
        """The model; raises `AbaloError` where it is not the one that the run began with."""
        (spec,) = trainings_of(self.options)
        with imports() as code:
            found = self.task.load(spec, self.options, self.corpus.labels_alone(self.manifest.source))
        self._code = {"code": sorted(code)} if code else {}
        if found.fingerprint != self.manifest.fingerprint:
            raise AbaloError(f"model {found.name}: is not the one that the run began with; put it back, or begin anew")
        return found

    @cached_property
    def resources(self) -> Resources:
        """The resources of perturbations, made once for all shards; none of them is made of the corpus."""
        return self.task.resources(
            self.corpus.labels_alone(self.manifest.source), self.model, self.options, self.manifest.language
        )

    @cached_property
    def first_labels(self) -> list[list[Any]] | None:
        """The labels that the model gives the first inputs of the corpus here, by which devices are compared.

        None for a black box, which may cost money.
        """
        if getattr(self.model, "black_box", True):
            return None
        corpus = self.corpus.read(self.manifest.source, self.manifest.parts[0]).first(BATCH)
        made = self.task.predictor(self.model, corpus)
        found = made.run(distinct_inputs(map(made.key, made.inputs), made.inputs))
        return [[*made.labels(each)] for each in found.values()]

    def prepare(self, number: int) -> None:
        """Predicts the clean sentences of a shard, and writes the scores by which those of all are read."""
        with self._text_kept():
            found = self._engine(number, None).predictor.scored()
        rows, columns = (np.zeros((0, 0)), np.zeros(0, np.intp)) if found is None else found
        arrays = {"rows": rows.astype(np.float64), "columns": columns, "scored": np.array(found is not None)}
        arrays["run"] = np.array(self.manifest.sha256)
        write_bytes(fitted_path(self.folder, number), _packed(arrays))

    def run(self, number: int) -> None:
        """Runs all cases on a shard, and writes its counts; `DONE` last."""
        started = time.perf_counter()
        scale = read_scale(self.folder, self.manifest)
        engine = self._engine(number, scale)
        with self._text_kept(), closing(engine):
            self._run(number, engine, started)

    @contextmanager
    def _text_kept(self) -> Iterator[None]:
        """Keeps what errors say of sentences from a run that keeps no text; raises `AbaloError` without it."""
        try:
            yield
        except BaseException as error:
            if self.manifest.examples or ends_the_run(error) or isinstance(error, SystemExit):
                raise
            raise AbaloError(_withheld(error)) from None

    def _run(self, number: int, engine: PartEngine, started: float) -> None:
        facts: dict[str, Json] = {}
        sample: list[Json] = []
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
                sample += drawn(case, ran.outcomes, self.task, self.manifest.examples)
        files[INPUTS] = _packed(inputs)
        if self.manifest.examples:
            files[EXAMPLES] = as_lines(sample)
        written = {name: _sha256(data) for name, data in files.items()}
        said = {
            "shard": self.manifest.shard(number),
            "files": written,
            "facts": facts,
            "task": self.task.report.part_facts(engine),
            "identity": engine.identity() | self._code,
            "device": {"name": str(getattr(self.model, "device", "")), "labels": self.first_labels},
            "seconds": round(time.perf_counter() - started, 3),
        }
        files[DONE] = json.dumps(said, ensure_ascii=False).encode("utf-8", "backslashreplace")
        write_together(shard_folder(self.folder, number), files)

    def _engine(self, number: int, scale: Scale | None) -> PartEngine:
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


def shard_folder(folder: Path, number: int) -> Path:
    """The folder of a shard, counted from 0."""
    return folder / SHARDS / f"{number:06d}"


def fitted_path(folder: Path, number: int) -> Path:
    """The file with the scores of a shard."""
    return shard_folder(folder, number) / _FITTED


def case_file(place: int) -> str:
    """The file with the counts of a case, in the order of the manifest; 0 is the clean corpus."""
    return f"{place:04d}.npz"


def said_by(folder: Path, manifest: Manifest, number: int) -> Json | None:
    """The facts that a shard has written; None where it is not done, or one of its files is damaged or gone.

    Raises `AbaloError`, naming what differs, for a shard of another run, and for a pipe or a device in its place.
    """
    own = shard_folder(folder, number)
    try:
        found = json_of(own / DONE)
        cases = [baseline_of(task_called(manifest.task)).id, *manifest.cases]
        names = {INPUTS, *map(case_file, range(len(cases))), *([EXAMPLES] if manifest.examples else ())}
        kinds = {"shard": dict, "files": dict, "facts": dict, "task": dict, "identity": dict, "device": dict}
        if not all(isinstance(found[name], kind) for name, kind in kinds.items()):
            return None
        _check_own(own / DONE, found["shard"], manifest.shard(number), number)
        if set(found["files"]) != names or set(found["facts"]) != set(cases):
            return None
        for name, digest in found["files"].items():
            if _sha256(read_bytes(own / name)) != digest:
                return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    said: Json = found
    return said


def _check_own(path: Path, said: Mapping[str, Any], wanted: Mapping[str, Any], number: int) -> None:
    """Raises `AbaloError` for what a shard says of itself where the run has something else in its place."""
    for name, value in wanted.items():
        if said.get(name) != value:
            raise AbaloError(
                f"{path} shard.{name}: {visible(said.get(name))[:100]}; expected {visible(value)}, as {NAME} has it: "
                f"it is a shard of another run, or not number {number}; put back what belongs there, or remove the "
                f"folder {path.parent} and run abalo scale again"
            )


def is_done(folder: Path, manifest: Manifest, number: int) -> bool:
    """Whether a shard is done, and its files are all there, as they were written; raises `AbaloError` as `said_by`."""
    return said_by(folder, manifest, number) is not None


def scored_by(folder: Path, manifest: Manifest, number: int) -> Scored | Literal["nothing"] | None:
    """The scores by which those of all are read, as a shard has prepared them; None where it has not, in this run."""
    path = fitted_path(folder, number)
    if not is_file(path):
        return None
    try:
        with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as found:
            if str(found["run"]) != manifest.sha256:
                return None
            return (found["rows"], found["columns"]) if found["scored"] else "nothing"
    except Exception:  # noqa: BLE001 - of NumPy, zipfile and zlib, for what is damaged in any place
        return None


def write_scale(folder: Path, manifest: Manifest, scale: Scale | None) -> None:
    """Writes how the scores of the model are read in all shards of the run."""
    found = None if scale is None else {"labels": scale.labels, "temperature": scale.temperature}
    write_bytes(folder / _SCALE, json.dumps({"run": manifest.sha256, "scale": found}).encode())


def read_scale(folder: Path, manifest: Manifest) -> Scale | None:
    """The same, read back; None for a model that gives no scores, or where none was written."""
    return _read_scale(folder, manifest) or None


def has_scale(folder: Path, manifest: Manifest) -> bool:
    """Whether it is known how scores are read; not where the file is damaged, or of another run."""
    return _read_scale(folder, manifest) is not False


def _read_scale(folder: Path, manifest: Manifest) -> Scale | Literal[False] | None:
    """The value in the file; False where it is damaged, of another run or gone."""
    try:
        found = json_of(folder / _SCALE)
        if found["run"] != manifest.sha256:
            return False
        scale = found["scale"]
        return None if scale is None else Scale(tuple(map(str, scale["labels"])), float(scale["temperature"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def go_to(here: Path) -> None:
    """Makes it the working directory, from which modules are imported, too."""
    os.chdir(here)
    if str(here) not in sys.path:
        sys.path.insert(0, str(here))


def _withheld(error: BaseException) -> str:
    """The message of a shard about an error in a run that keeps no text."""
    return f"{kind_and_place(error)}; {REASON}: to see it, run the same command with --examples 1 and another --out"


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _packed(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, allow_pickle=False, **arrays)
    return stream.getvalue()


def _of_clean(predictor: Predictor[Any, Any]) -> dict[str, NDArray[Any]]:
    known = predictor.known()
    lines = np.frombuffer(b"".join(predictor.digests()), dtype=np.uint8).reshape(-1, 16)
    return {
        "clean": np.array([_number(key) for key in known], dtype=np.uint64),
        "clean_windows": np.array([each.windows for each in known.values()], dtype=np.int64),
        "predictions": lines,
    }


def _of_case(place: int, ran: Ran, engine: PartEngine) -> dict[str, NDArray[Any]]:
    found = {
        _number(engine.predictor.key(engine.task.input(outcome.variant.example))): outcome.prediction.windows
        for outcome in ran.outcomes
        if outcome.variant is not None
    }
    return {
        f"{place}": np.array([*found], dtype=np.uint64),
        f"{place}_windows": np.array([*found.values()], dtype=np.int64),
    }


def _number(key: Key) -> int:
    """A digest of what the model sees of an input."""
    return int.from_bytes(hashlib.blake2b(json.dumps(key).encode(), digest_size=8).digest(), "big")
