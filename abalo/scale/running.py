"""Begins, resumes and completes runs in chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Literal, Protocol

from abalo.config.options import Options, corpus_of, recorded_options, trainings_of
from abalo.config.thresholds import Thresholds, refuse
from abalo.core.documents.parts import InParts, Part, Source
from abalo.core.protocols.probe import Case, baseline_of
from abalo.core.protocols.task import Task
from abalo.core.records.example import JsonObject
from abalo.core.records.gate import AUTO, UNDETERMINED
from abalo.core.records.words import count
from abalo.core.running.engine import language_named
from abalo.errors import AbaloError, ends_the_run, visible
from abalo.models.generative.models import Prompted
from abalo.models.tokens.scores import fit_scale
from abalo.reporting.documents.document import versions
from abalo.reporting.documents.origin import origin_now
from abalo.scale.cases import choose_cases, hindrance
from abalo.scale.chunk import (
    Order,
    PartEngine,
    Runner,
    chunk_folder,
    has_scale,
    is_done,
    scores_of,
    scores_path,
    write_scale,
)
from abalo.scale.manifest import Manifest, is_manifest, read_manifest, refuse_other
from perturbations import Sentence
from perturbations.function_words import SAMPLE, language_of

Step = Literal["prepare", "run"]

Tell = Callable[[str], None]


class EngineOfChunks(Protocol):
    """Does a step on chunks, in any order, with retries.

    Raises `AbaloError`, after all others, if some always fail.
    """

    def __call__(self, order: Order, step: Step, numbers: Sequence[int], retries: int, tell: Tell, /) -> None: ...


def begin(
    folder: Path,
    task: Task,
    options: Options,
    thresholds: Thresholds,
    chunk_size: int,
    *,
    names: Sequence[str] | None = None,
    deep: bool = False,
    examples: int = 0,
) -> Order:
    """Begins or resumes a run that keeps ``examples`` examples per case.

    Raises `AbaloError` if the folder holds another run or no case can run in parts.
    """
    spec = corpus_of(options, task)
    asked: JsonObject = {
        "task": task.name,
        "recorded": recorded_options(options),
        "thresholds": str(thresholds.path.resolve()),
        "thresholds_sha256": thresholds.sha256,
        "chunk_size": chunk_size,
        "examples": examples,
        "versions": versions(),
    }
    refuse_other(folder, asked)
    corpus = task.in_parts(spec, options)
    source, parts = corpus.cut(chunk_size)
    language = thresholds.gate.language
    if language == AUTO:
        language = _language(corpus, source, parts)
    asked |= {"source": source, "parts": parts, "language": language}
    refuse_other(folder, asked)
    spoken = thresholds.spoken({task.name: language})
    models = trainings_of(options)
    if len(models) != 1:
        raise AbaloError(f"--model {options.model}: several trainings; run each by itself")
    alone = corpus.labels_alone(source)
    model = task.load(models[0], options, alone)
    if isinstance(model, Prompted):
        every = chain.from_iterable(corpus.read(source, part).examples for part in parts)
        model.asker.prompt.refuse_judged(map(task.input, every))
    resources = task.resources(alone, model, options, language)
    cases = choose_cases(spoken, task.name, names, deep=deep)
    reasons = {case.id: hindrance(case, resources, corpus) for case in cases}
    left_out = {name: reason for name, reason in reasons.items() if reason is not None}
    _check_cases(spoken, task, [case for case in cases if case.id not in left_out], left_out)
    if model.labels:  # of any other model what it predicts is not known yet
        engine = PartEngine(task, alone, model, thresholds.gate, options=options, whole=resources)
        refuse(thresholds.path, task.check(cases, engine))
    asked |= {
        "cases": tuple(name for name, reason in reasons.items() if reason is None),
        "left_out": left_out,
        "fingerprint": model.fingerprint,
        "labels": tuple(model.labels),
    }
    refuse_other(folder, asked)
    going_on = is_manifest(folder)
    manifest = Manifest(**asked, made=dict(read_manifest(folder).made) if going_on else origin_now())
    if not going_on:
        manifest.write(folder)
    return Order(folder, manifest, options, Path.cwd())


def _language(corpus: InParts, source: Source, parts: Sequence[Part]) -> str:
    step = max(1, -(-source.sentences // SAMPLE))
    named: set[str | None] = set()

    def sentences() -> Iterator[Sentence]:
        for example in chain.from_iterable(corpus.read(source, part).examples for part in parts):
            named.add(example.language)
            yield from example.fields.values()

    sample = [*islice(sentences(), 0, None, step)]
    return language_named(named) or language_of(sample) or UNDETERMINED


def _check_cases(thresholds: Thresholds, task: Task, cases: Sequence[Case], left_out: Mapping[str, str]) -> None:
    if cases or any(case.id == baseline_of(task).id for case in thresholds.cases):
        return
    reasons = "; ".join(f"{name}: {reason}" for name, reason in [*left_out.items()][:3]) or "no case is for this corpus"
    raise AbaloError(
        f"{thresholds.path}: has no case that can be run in parts ({reasons}); add one, or bounds on "
        f"[[{task.name}.baseline]]"
    )


def run(order: Order, engine: EngineOfChunks, *, retries: int = 1, tell: Tell) -> None:
    """Runs all unfinished chunks."""
    folder, manifest = order.folder, order.manifest
    left = [number for number in range(len(manifest.parts)) if not is_done(folder, manifest, number)]
    if not has_scale(folder, manifest):
        _fit(order, engine, retries, tell)
    if done := len(manifest.parts) - len(left):
        tell(f"{done} of {len(manifest.parts)} chunks are done already")
    if left:
        engine(order, "run", left, retries, tell)


def _fit(order: Order, engine: EngineOfChunks, retries: int, tell: Tell) -> None:
    folder, manifest = order.folder, order.manifest
    if not manifest.labels:
        write_scale(folder, manifest, None)
        return
    first, *others = manifest.fitting
    for numbers in ([first], others):
        left = [number for number in numbers if scores_of(folder, manifest, number) is None]
        if left:
            engine(order, "prepare", left, retries, tell)
        if scores_of(folder, manifest, first) == "nothing":
            write_scale(folder, manifest, None)
            return
    found = [scores_of(folder, manifest, number) for number in manifest.fitting]
    write_scale(folder, manifest, fit_scale(manifest.labels, [each for each in found if each and each != "nothing"]))
    for number in manifest.fitting:
        scores_path(folder, number).unlink(missing_ok=True)


def do_step(runner: Runner, step: Step, number: int) -> None:
    """Does a step on one chunk."""
    if step == "prepare":
        runner.prepare(number)
    else:
        runner.run(number)


@contextmanager
def local() -> Iterator[EngineOfChunks]:
    """Context with a sequential engine in this process."""
    runners: dict[Path, Runner] = {}

    def engine(order: Order, step: Step, numbers: Sequence[int], retries: int, tell: Tell) -> None:
        if order.folder not in runners:
            runners[order.folder] = Runner(order)
        _in_turn(runners[order.folder], step, numbers, retries, tell)

    yield engine


def _in_turn(runner: Runner, step: Step, numbers: Sequence[int], retries: int, tell: Tell) -> None:
    left, failed = list(numbers), dict[int, str]()
    for _ in range(1 + retries):
        failed = {}
        for place, number in enumerate(left, start=1):
            try:
                do_step(runner, step, number)
            except BaseException as error:
                if ends_the_run(error) or isinstance(error, SystemExit):
                    raise
                failed[number] = reason_of(error)
                tell(f"chunk {number} failed: {failed[number]}")
            else:
                tell(progress_line(step, number, place, len(left)))
        left = list(failed)
    refuse_failed(runner.folder, failed)


def progress_line(step: Step, number: int, place: int, of: int) -> str:
    """The line for a finished chunk."""
    return f"chunk {number} {'done' if step == 'run' else 'prepared'} ({place} of {of})"


def reason_of(error: BaseException) -> str:
    """Why a chunk failed, in one line."""
    return visible(error) if isinstance(error, AbaloError) else f"{type(error).__name__}: {visible(error)}"


def refuse_failed(folder: Path, failed: Mapping[int, str]) -> None:
    """Raises `AbaloError` if chunks failed."""
    if failed:
        first = min(failed)
        names = ", ".join(map(str, sorted(failed)[:10])) + (", …" if len(failed) > 10 else "")
        chunks = count(len(failed), "chunk")
        raise AbaloError(
            f"{chunk_folder(folder, first)}: {chunks} failed ({names}): {failed[first]}; all others are done; run the "
            "same command again to go on with these"
        )
