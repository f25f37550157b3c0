"""A run in shards from its beginning, or from where it stopped, to its last shard."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any, Literal, Protocol

from abalo.config.options import Options, corpus_of, recorded_options, trainings_of
from abalo.config.thresholds import Thresholds, refuse
from abalo.core.engine import baseline_of
from abalo.core.gate import AUTO, UNDETERMINED
from abalo.core.parts import InParts, Part, Source
from abalo.core.probe import Case
from abalo.core.task import Task
from abalo.core.words import count
from abalo.errors import AbaloError, ends_the_run, visible
from abalo.models.scores import fitted
from abalo.reporting.document import versions
from abalo.reporting.made import made_in, made_now
from abalo.scale.cases import chosen, hindrance
from abalo.scale.manifest import Manifest, is_manifest, read_manifest, refuse_other
from abalo.scale.runner import (
    Order,
    PartEngine,
    Runner,
    fitted_path,
    has_scale,
    is_done,
    scored_by,
    shard_folder,
    write_scale,
)
from perturbations.function_words import SAMPLE, language_of

Step = Literal["prepare", "run"]
"""A step with a shard: its clean sentences predicted for their scores, or all of it run."""

Tell = Callable[[str], None]
"""Called with a line about what was done."""


class EngineOfShards(Protocol):
    """Does a step with shards, in any order; each that fails is tried again so many times.

    Raises `AbaloError`, which names them, where some fail every time; all others are done then.
    """

    def __call__(self, order: Order, step: Step, numbers: Sequence[int], retries: int, tell: Tell, /) -> None:
        """Does the step with the shards of these numbers."""
        ...


def begun(
    folder: Path,
    task: Task,
    options: Options,
    thresholds: Thresholds,
    shard_size: int,
    *,
    names: Sequence[str] | None = None,
    deep: bool = False,
    examples: int = 0,
) -> Order:
    """A run that begins in the folder, or goes on there; it keeps so many examples of each case.

    The corpus is read, and the model loaded, that the options name. Raises `AbaloError` where the folder has shards of
    another run, before anything is loaded if that is seen by then, or none of the cases can be run in parts.
    """
    spec = corpus_of(options, task)
    asked: dict[str, Any] = {
        "task": task.name,
        "recorded": recorded_options(options),
        "thresholds": str(thresholds.path.resolve()),
        "thresholds_sha256": thresholds.sha256,
        "shard_size": shard_size,
        "examples": examples,
        "versions": versions(),
    }
    refuse_other(folder, asked)
    corpus = task.in_parts(spec, options)
    source, parts = corpus.cut(shard_size)
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
    resources = task.resources(alone, model, options, language)
    cases = chosen(spoken, task.name, names, deep=deep)
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
    manifest = Manifest(**asked, made=made_in(read_manifest(folder).made) if going_on else made_now())
    if not going_on:
        manifest.write(folder)
    return Order(folder, manifest, options, Path.cwd())


def _language(corpus: InParts, source: Source, parts: Sequence[Part]) -> str:
    """The language of the corpus, by sentences from all of it: that of the same corpus read at once."""
    step = max(1, -(-source.sentences // SAMPLE))
    examples = chain.from_iterable(corpus.read(source, part).examples for part in parts)
    every = chain.from_iterable(example.fields.values() for example in examples)
    return language_of([*islice(every, 0, None, step)]) or UNDETERMINED


def _check_cases(thresholds: Thresholds, task: Task, cases: Sequence[Case], left_out: Mapping[str, str]) -> None:
    """Raises `AbaloError` where there is nothing to judge: no case, and no bound on the clean corpus."""
    if cases or any(case.id == baseline_of(task).id for case in thresholds.cases):
        return
    reasons = "; ".join(f"{name}: {reason}" for name, reason in [*left_out.items()][:3]) or "no case is for this corpus"
    raise AbaloError(
        f"{thresholds.path}: has no case that can be run in parts ({reasons}); add one, or bounds on "
        f"[[{task.name}.baseline]]"
    )


def run(order: Order, engine: EngineOfShards, *, retries: int = 1, tell: Tell) -> None:
    """Runs every shard that is not done; raises `AbaloError` naming those that failed."""
    folder, manifest = order.folder, order.manifest
    left = [number for number in range(len(manifest.parts)) if not is_done(folder, manifest, number)]
    if not has_scale(folder, manifest):
        _fit(order, engine, retries, tell)
    if done := len(manifest.parts) - len(left):
        tell(f"{done} of {len(manifest.parts)} shards are done already")
    if left:
        engine(order, "run", left, retries, tell)


def _fit(order: Order, engine: EngineOfShards, retries: int, tell: Tell) -> None:
    """Finds how the scores of the model are read, by the first shards; None where it gives none."""
    folder, manifest = order.folder, order.manifest
    if not manifest.labels:
        write_scale(folder, manifest, None)
        return
    first, *others = manifest.fitting
    for numbers in ([first], others):
        left = [number for number in numbers if scored_by(folder, manifest, number) is None]
        if left:
            engine(order, "prepare", left, retries, tell)
        if scored_by(folder, manifest, first) == "nothing":
            write_scale(folder, manifest, None)
            return
    found = [scored_by(folder, manifest, number) for number in manifest.fitting]
    write_scale(folder, manifest, fitted(manifest.labels, [each for each in found if each and each != "nothing"]))
    for number in manifest.fitting:
        fitted_path(folder, number).unlink(missing_ok=True)


def done_with(runner: Runner, step: Step, number: int) -> None:
    """Does the step with one shard."""
    if step == "prepare":
        runner.prepare(number)
    else:
        runner.run(number)


@contextmanager
def local() -> Iterator[EngineOfShards]:
    """The engine that does all in this process, one shard after the other."""
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
                done_with(runner, step, number)
            except BaseException as error:
                if ends_the_run(error) or isinstance(error, SystemExit):
                    raise
                failed[number] = reason_of(error)
                tell(f"shard {number} failed: {failed[number]}")
            else:
                tell(told(step, number, place, len(left)))
        left = list(failed)
    refuse_failed(runner.folder, failed)


def told(step: Step, number: int, place: int, of: int) -> str:
    """The line about a shard that is done, one of so many."""
    return f"shard {number} {'done' if step == 'run' else 'prepared'} ({place} of {of})"


def reason_of(error: BaseException) -> str:
    """Why a shard failed, in a line."""
    return visible(error) if isinstance(error, AbaloError) else f"{type(error).__name__}: {visible(error)}"


def refuse_failed(folder: Path, failed: Mapping[int, str]) -> None:
    """Raises `AbaloError` for shards that failed, with the reason of the first; returns where there is none."""
    if failed:
        first = min(failed)
        names = ", ".join(map(str, sorted(failed)[:10])) + (", …" if len(failed) > 10 else "")
        shards = count(len(failed), "shard")
        raise AbaloError(
            f"{shard_folder(folder, first)}: {shards} failed ({names}): {failed[first]}; all others are done; run the "
            "same command again to go on with these"
        )
