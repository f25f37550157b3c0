"""The accepted model, measured again under the variants of today: the part of ``abalo accept --rerun`` that runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from abalo.api import Session
from abalo.config.options import Options, corpus_of, remake_options
from abalo.config.tasks import task_called
from abalo.config.thresholds import Thresholds, load
from abalo.core.evidence import Evidence
from abalo.core.example import Json
from abalo.core.trainings import fingerprint_of
from abalo.core.words import count
from abalo.errors import AbaloError
from abalo.models.user_code import imports
from abalo.reporting.comparing import Reference
from abalo.reporting.document import assemble
from abalo.reporting.foresight import with_foresight
from abalo.reporting.made import FIELDS, made_in


@dataclass(frozen=True, slots=True, eq=False)
class Rerun:
    """A reference that has been measured again: the document and the evidence that replace its own."""

    document: Json
    evidence: Mapping[str, Evidence]


def rerun(reference: Reference, instead: Mapping[str, Any]) -> Rerun:
    """Every case of the thresholds file with the model, the corpus and the settings that the reference names.

    Deep cases are among them if the run of the reference had some. ``instead`` holds the options that take the place of
    those it names, such as where the model lies now. Raises `AbaloError` for another model or corpus, for a model that
    now predicts otherwise on the clean corpus, and where the reference does not say what was run.
    """
    path, known = reference.run.path, reference.run.document.get("tasks") or {}
    if not known:
        raise AbaloError(
            f"{path} tasks: none; expected the tasks that were judged; run the gate, and accept that with abalo accept"
        )
    asked = [task_called(name) for name in known]
    options, deep = _options(reference, instead)
    thresholds = _thresholds(options, path)
    sessions = [Session.opened(task, options, thresholds, deep=deep) for task in asked]
    for session in sessions:
        _check_corpus(session, known[session.task.name], path, deep=deep)
    for session in sessions:
        _check_model(session, known[session.task.name], path)
    for session in sessions:
        _check_predictions(session, known[session.task.name], path)
    facts: Json = {}
    results: list[Json] = []
    evidence: dict[str, Evidence] = {}
    for session in sessions:
        report = session.run(deep=deep)
        facts = {**facts, **session.facts, "tasks": {**facts.get("tasks", {}), **session.facts["tasks"]}}
        results += [each for result in report.results for each in result.results]
        evidence |= report.evidence
    # It stands for the run that was accepted; accepted.json says when it was measured again.
    facts = {**{name: value for name, value in facts.items() if name not in FIELDS}, **made_in(reference.run.document)}
    document = assemble(with_foresight(facts, evidence, thresholds), results, (), (), complete=True)
    return Rerun(document, evidence)


def differences(old: Mapping[str, Evidence], new: Mapping[str, Evidence]) -> Iterator[str]:
    """The cases that the rerun has changed, a line for each kind of change."""
    kinds = (
        ("with other variants than before", [case for case in new if case in old and _other(old[case], new[case])]),
        ("that the reference did not have", [case for case in new if case not in old]),
        ("that the thresholds file no longer has", [case for case in old if case not in new]),
    )
    if not any(cases for _, cases in kinds):
        yield "the cases and their variants are those of before"
    for said, cases in kinds:
        if cases:
            yield f"{count(len(cases), 'case')} {said}: {', '.join(cases)}"


def _other(old: Evidence, new: Evidence) -> bool:
    """Whether the variants of two runs of a case differ."""
    shown = (zip(each.ids, each.seeds, each.places, each.digests, strict=True) for each in (old, new))
    return len({frozenset(units) for units in shown}) > 1


def _options(reference: Reference, instead: Mapping[str, Any]) -> tuple[Options, bool]:
    """The options of the run, and whether it had deep cases."""
    path, recorded = reference.run.path, reference.run.document.get("options")
    remedy = "run the gate with the accepted model, and accept that with abalo accept REPORTS --as NAME --replace"
    if not isinstance(recorded, Mapping):
        found = "missing" if recorded is None else repr(recorded)
        raise AbaloError(f"{path} options: {found}; expected those of the run, as Abalo records them now; {remedy}")
    deep = recorded.get("deep")
    if not isinstance(deep, bool):
        raise AbaloError(f"{path} options deep: {deep!r}; expected true or false; {remedy}")
    try:
        return remake_options(recorded, instead), deep
    except AbaloError as error:
        raise AbaloError(f"{path} options {error}; {remedy}") from error


def _thresholds(options: Options, path: Path) -> Thresholds:
    """The thresholds file of the run as it is today, without the reference that it names."""
    with _moved(f"{path} options thresholds", "the file has moved: --thresholds FILE"):
        found = load(options.thresholds, options.language, options.least)
    return replace(found, gate=replace(found.gate, against=""))


def _check_corpus(session: Session, own: Json, path: Path, *, deep: bool) -> None:
    """Raises `AbaloError` for a corpus that is not that of the reference, and for a task without a case."""
    task, place = session.task, f"{path} tasks.{session.task.name}"
    with _moved(f"{place}: the corpus {corpus_of(session.options, task)}", "the corpus has moved: --corpus CORPUS"):
        corpus = session.corpus
    _check_same(f"{place}.corpus.sha256", own["corpus"].get("sha256"), corpus, corpus.sha256, "--corpus")
    if not session.cases(deep=deep):
        raise AbaloError(
            f"{session.thresholds.path}: has no case of the task {task.name}, which {path} judged; give the file that "
            "has with --thresholds FILE"
        )


def _check_model(session: Session, own: Json, path: Path) -> None:
    """Raises `AbaloError` for a model that is not that of the reference; code of another digest is not run for that."""
    place = f"{path} tasks.{session.task.name}"
    with _moved(place, "the model has moved: --model MODEL"), imports(own["model"].get("code", [])):
        found = fingerprint_of([model.fingerprint for model in session.models])
    _check_same(f"{place}.model.fingerprint", own["model"]["fingerprint"], session.model, found, "--model")


def _check_predictions(session: Session, own: Json, path: Path) -> None:
    """Raises `AbaloError` for a model that predicts otherwise on the clean corpus, whatever its fingerprint says.

    So it is with a service behind which another model stands now.
    """
    wanted, model = own["model"]["predictions"], session.facts["tasks"][session.task.name]["model"]
    if wanted != model["predictions"]:
        raise AbaloError(
            f"{path} tasks.{session.task.name}.model.predictions: {wanted}, but the clean predictions of "
            f"{model['name']} are {model['predictions']}: it answers otherwise than the accepted model did, so it "
            "cannot take its place; run the gate, and accept that under another name with abalo accept REPORTS --as "
            "references/NAME"
        )


@contextmanager
def _moved(place: str, remedy: str) -> Iterator[None]:
    """Adds to an `AbaloError` the place that named what cannot be read, and what to do if it lies elsewhere now."""
    try:
        yield
    except AbaloError as error:
        raise AbaloError(f"{place}: {error}\n(if {remedy})") from error


def _check_same(place: str, wanted: Any, used: Any, found: str, flag: str) -> None:
    """Raises `AbaloError` where what is used now, with the digest ``found``, is not what the reference used."""
    if found != wanted:
        raise AbaloError(
            f"{place}: {wanted}, but that of {used.name} is {found}: it has changed; give the accepted one with "
            f"{flag}, or run the gate and accept that with abalo accept REPORTS --as NAME --replace"
        )
