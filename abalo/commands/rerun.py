"""Measuring an accepted model again, for ``abalo accept --rerun``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from abalo.config.options import Options, corpus_of, remake_options
from abalo.config.tasks import task_called
from abalo.config.thresholds import Thresholds, load
from abalo.core.documents.document import TaskFacts
from abalo.core.records.json_records import read
from abalo.core.records.words import count
from abalo.core.running.trainings import fingerprint_of
from abalo.core.statistics.evidence import Evidence
from abalo.errors import AbaloError
from abalo.models.user_code import imports
from abalo.reporting.documents.origin import origin_in
from abalo.reporting.runs.reference import Reference
from abalo.run.execution import run_all
from abalo.run.opened import Opened
from abalo.run.prepared import Prepared
from abalo.run.results import Report
from abalo.run.spec import RunSpec


def rerun(reference: Reference, instead: Mapping[str, object]) -> Report:
    """Measures every case again with the reference's model, corpus and settings.

    ``instead`` overrides options. Raises `AbaloError` for another model or corpus, changed clean predictions, or an
    incomplete reference.
    """
    path, known = reference.run.path, reference.run.document.tasks
    if not known:
        raise AbaloError(
            f"{path} tasks: none; expected the tasks that were judged; run the gate, and accept that with abalo accept"
        )
    asked = [task_called(name) for name in known]
    options, deep = _options(reference, instead)
    thresholds = _thresholds(options, path)
    runs = [Prepared(Opened(RunSpec(task, options, thresholds)), deep=deep) for task in asked]
    for each in runs:
        _check_corpus(each, known[each.task.name], path)
    for each in runs:
        _check_model(each.opened, known[each.task.name], path)
    for each in runs:
        _check_predictions(each, known[each.task.name], path)
    # It stands for the run that was accepted; accepted.json says when it was measured again.
    return run_all(runs, made=origin_in(reference.run.document))


def differences(old: Mapping[str, Evidence], new: Mapping[str, Evidence]) -> Iterator[str]:
    """Changed cases, one line per kind of change."""
    kinds = (
        ("with other variants than before", [case for case in new if case in old and _other(old[case], new[case])]),
        ("that the reference did not have", [case for case in new if case not in old]),
        ("that the thresholds file no longer has", [case for case in old if case not in new]),
    )
    if not any(cases for _, cases in kinds):
        yield "the cases and their variants are the same as before"
    for said, cases in kinds:
        if cases:
            yield f"{count(len(cases), 'case')} {said}: {', '.join(cases)}"


def _other(old: Evidence, new: Evidence) -> bool:
    shown = (zip(each.ids, each.seeds, each.places, each.digests, strict=True) for each in (old, new))
    return len({frozenset(units) for units in shown}) > 1


def _options(reference: Reference, instead: Mapping[str, object]) -> tuple[Options, bool]:
    path, recorded = reference.run.path, reference.run.document.options
    remedy = "run the gate with the accepted model, and accept that with abalo accept REPORTS --as NAME --replace"
    if not recorded:
        raise AbaloError(f"{path} options: missing; expected those of the run, as Abalo records them now; {remedy}")
    deep = recorded.get("deep")
    if not isinstance(deep, bool):
        raise AbaloError(f"{path} options deep: {deep!r}; expected true or false; {remedy}")
    try:
        return remake_options(recorded, instead), deep
    except AbaloError as error:
        raise AbaloError(f"{path} options {error}; {remedy}") from error


def _thresholds(options: Options, path: Path) -> Thresholds:
    with _name_moved(f"{path} options thresholds", "the file has moved: --thresholds FILE"):
        found = load(options.thresholds, options.language, options.least)
    return replace(found, gate=replace(found.gate, against=""))


def _check_corpus(prepared: Prepared, own: TaskFacts, path: Path) -> None:
    task, spec, place = prepared.task, prepared.spec, f"{path} tasks.{prepared.task.name}"
    with _name_moved(f"{place}: the corpus {corpus_of(spec.options, task)}", "the corpus has moved: --corpus CORPUS"):
        corpus = prepared.opened.corpus
    _check_same(f"{place}.corpus.sha256", own.corpus.sha256, corpus, corpus.sha256, "--corpus")
    if not prepared.cases(deep=prepared.deep):
        raise AbaloError(
            f"{spec.thresholds.path}: has no case of the task {task.name}, which {path} judged; give the file that "
            "has with --thresholds FILE"
        )


def _check_model(opened: Opened, own: TaskFacts, path: Path) -> None:
    """Never executes code with another digest."""
    place = f"{path} tasks.{opened.task.name}"
    with _name_moved(place, "the model has moved: --model MODEL"), imports(own.model.code):
        found = fingerprint_of([model.fingerprint for model in opened.models])
    _check_same(f"{place}.model.fingerprint", own.model.fingerprint, opened.model, found, "--model")


def _check_predictions(prepared: Prepared, own: TaskFacts, path: Path) -> None:
    """Catches a service with a new model and an equal fingerprint."""
    wanted, model = own.model.predictions, read(TaskFacts, prepared.facts["tasks"][prepared.task.name]).model
    if wanted != model.predictions:
        raise AbaloError(
            f"{path} tasks.{prepared.task.name}.model.predictions: {wanted}, but the clean predictions of "
            f"{model.name} are {model.predictions}: they differ from those of the accepted model, so this "
            "model cannot replace it; run the gate, and accept that run under another name with abalo accept "
            "REPORTS --as references/NAME"
        )


@contextmanager
def _name_moved(place: str, remedy: str) -> Iterator[None]:
    try:
        yield
    except AbaloError as error:
        raise AbaloError(f"{place}: {error}\n(if {remedy})") from error


def _check_same(place: str, wanted: Any, used: Any, found: str, flag: str) -> None:
    if found != wanted:
        raise AbaloError(
            f"{place}: {wanted}, but that of {used.name} is {found}: it has changed; give the accepted one with "
            f"{flag}, or run the gate and accept that with abalo accept REPORTS --as NAME --replace"
        )
