"""Compares a run with the accepted run."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal

import numpy as np

from abalo.comparison.blocks.newly_broken import key_of
from abalo.comparison.test.comparison import compare_early, compare_task, of_each_training
from abalo.comparison.test.family import Runs
from abalo.comparison.test.label_losses import NO_COUNTS
from abalo.comparison.test.newly import Newly
from abalo.config.options import Options
from abalo.config.thresholds import Thresholds, canonical_id
from abalo.core.documents.document import Document, GateFacts, TaskFacts
from abalo.core.documents.found import DrawnFields, Result
from abalo.core.documents.losses_found import Chain, ComparedTask, Comparison, UnitDifference
from abalo.core.protocols.probe import Case, baseline_of
from abalo.core.protocols.results import cases, headline
from abalo.core.protocols.task import Task, tasks
from abalo.core.records.example import JsonObject
from abalo.core.records.gate import Gate
from abalo.core.records.json_records import Json, read
from abalo.core.statistics.estimates import measure_metrics
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.losses import STATES, Loss
from abalo.core.statistics.numbers import interval_of, number_of
from abalo.core.statistics.pairing import OTHER_VARIANTS, NotComparable, differing, pair_runs
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.sequential import may_stop
from abalo.corpora.json_text import strict_json
from abalo.errors import AbaloError, visible
from abalo.files import read_text
from abalo.reporting.documents.document import languages_of
from abalo.reporting.documents.examples import unit_in
from abalo.reporting.documents.origin import origin_in
from abalo.reporting.formats.files import ACCEPTED, JSON_NAME
from abalo.reporting.runs.finished import Run, read_run
from abalo.reporting.runs.sealing import check_seal

MOST = 10

OF_EACH = 3

SINCE = "since"
"""Mean losses since the first reference of the chain."""


def most_since(gate: Gate) -> float:
    """Returns the reported mean loss since the first reference: twice one release's limit."""
    return 2 * gate.mean_limit


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """The run of an accepted model, with current case ids; ``accepted`` holds the facts of its acceptance, if any."""

    name: str
    run: Run
    accepted: Json

    @property
    def remedy(self) -> str:
        """Says how to update the reference's variants."""
        if not self.accepted:
            return "run the gate with the model of the reference again"
        folder = Path(os.path.relpath(self.run.path.parent)).as_posix()
        return f"measure the accepted model again with: abalo accept --rerun {shlex.quote(visible(folder))}"


def reference_of(options: Options, thresholds: Thresholds) -> Reference | None:
    """Reads the accepted run named by command line or thresholds file, if any.

    Raises `AbaloError` if it is unreadable or this run writes to its folder.
    """
    named = options.against or (Path(thresholds.gate.against) if thresholds.gate.against else None)
    if named is None:
        return None
    if folder_of(named).resolve() == options.reports.resolve():
        raise AbaloError(
            f"--abalo-against {named}: is where this run writes its reports; keep the accepted run with "
            f"abalo accept {named} --as references/NAME, and name that"
        )
    return read_reference(named)


def folder_of(path: Path) -> Path:
    """Returns a run's folder, given it or its robustness.json."""
    return path.parent if path.name == JSON_NAME else path


def read_reference(path: Path) -> Reference:
    """Reads a reference; raises `AbaloError` if it is unreadable or incomplete."""
    try:
        return read_side(path)
    except AbaloError as error:
        raise AbaloError(f"the reference to judge against: {error}") from error


def reference_for(reports: Path, document: Document, against: Path | None, gate: Gate) -> Reference | None:
    """Reads the reference for judging a run again, if any.

    Raises `AbaloError` if the run had a reference and none is given.
    """
    named = against or (Path(gate.against) if gate.against else None)
    if named is None and document.comparison:
        name = document.comparison.reference.name
        raise AbaloError(
            f"{reports}: was judged against {visible(str(name))}, and no reference is given, so its losses "
            "would go unseen; add --against FOLDER"
        )
    return None if named is None else read_reference(named)


def read_side(path: Path) -> Reference:
    """Reads either run of a comparison."""
    folder = folder_of(path)
    run, accepted = read_run(folder), folder / ACCEPTED
    check_whole(run, folder)
    said = _read_acceptance(folder) if accepted.is_file() else {}
    return Reference(folder.resolve().name, replace(run, evidence=_canonical(run.evidence)), said)


def side_of(run: Run, name: str) -> Reference:
    """Returns a run at hand as either run of a comparison; raises `AbaloError` if it cannot be compared."""
    check_whole(run, name)
    return Reference(name, replace(run, evidence=_canonical(run.evidence)), {})


def check_whole(run: Run, folder: Path | str) -> None:
    """Raises `AbaloError` unless a run has measured all its cases on the whole corpus."""
    if any(may_stop(each.notes) for each in run.evidence.values()):
        raise AbaloError(
            f"{folder}: its cases could stop early, so its evidence is not that of the whole corpus; run the gate "
            "again without --abalo-stop-early"
        )
    if any(design is not None and design.stopped for design in (own.design for own in run.document.tasks.values())):
        raise AbaloError(
            f"{folder}: its panel stopped before its end, so its evidence is not that of the design; run the gate "
            "again, without --abalo-stop-early or with more time"
        )
    if not run.document.complete:
        raise AbaloError(f"{folder}: the run did not finish; take one that did")
    for name, own in run.document.tasks.items():
        if not isinstance(own.model.fingerprint, str) or not isinstance(own.model.name, str):
            raise AbaloError(f"{folder}: the model of {name} has no name or fingerprint")


def _read_acceptance(folder: Path) -> dict[str, object]:
    path = folder / ACCEPTED
    try:
        said = strict_json(read_text(path))
    except (OSError, ValueError, RecursionError) as error:
        raise AbaloError(f"{path}: cannot be read: {error}") from error
    if not isinstance(said, dict):
        raise AbaloError(f"{path}: {said!r}; expected an object, as abalo accept writes it; accept the run again")
    check_seal(folder, said)
    return {name: said[name] for name in ("date", "commit", "rerun", SINCE) if name in said}


def _canonical(evidence: Mapping[str, Evidence]) -> dict[str, Evidence]:
    return {canonical_id(case): each for case, each in evidence.items()} | {
        case: each for case, each in evidence.items() if canonical_id(case) == case
    }


def comparison(
    facts: Mapping[str, TaskFacts],
    evidence: Mapping[str, Evidence],
    thresholds: Thresholds,
    reference: Reference,
    today: date,
    records: Iterable[str] | None = None,
    results: Iterable[Result] = (),
) -> Comparison:
    """Computes the losses against the reference by task; unshared tasks make the comparison *not comparable* at best.

    ``records`` are the run's lines of examples.jsonl, None if text is withheld; ``results`` name the resources of
    variants.
    """
    theirs = reference.run.document.tasks
    thresholds = thresholds.spoken(languages_of(facts, GateFacts()))
    changed = _other_resources(results, reference.run.document.results)
    found = {
        name: _of_task(tasks()[name], own, _of(name, evidence), reference, thresholds, today, changed)
        for name, own in facts.items()
        if name in theirs
    }
    if records is not None:
        found = _with_texts(found, "newly_worse", records)
        found = _with_texts(found, "newly_better", reference.run.records() or ())
    missing = sorted(facts.keys() - found.keys())
    states = {own.state for own in found.values()} | ({"not comparable"} if missing else set())
    said = {
        "reference": {"name": reference.name, **reference.accepted, "run": origin_in(reference.run.document)},
        "state": next((state for state in STATES if state in states), "not comparable"),
        "decided": not missing and all(own.decided for own in found.values()),
        "missing": missing,
        SINCE: _since(reference, found, thresholds.gate),
        "level": number_of((1 - thresholds.gate.confidence) / 2),
        "tasks": found,
    }
    return read(Comparison, said)


def chain_of(document: Document) -> JsonObject | None:
    """Returns the chain facts of a run; None if it was not compared."""
    since = None if document.comparison is None else document.comparison.since
    return None if since is None else {"name": since.name, "date": since.date, "mean_loss": since.mean_loss}


def _since(reference: Reference, found: Mapping[str, ComparedTask], gate: Gate) -> Chain:
    """A task of unknown loss keeps the reference's sum."""
    first = Chain(name=reference.name, date=reference.accepted.get("date"), mean_loss={})
    before = read(Chain, reference.accepted.get(SINCE) or first)
    own = {name: each.mean.value for name, each in found.items() if each.mean is not None}
    known = {name: value for name, value in own.items() if value is not None}
    lost = {**before.mean_loss, **{name: before.mean_loss.get(name, 0.0) + value for name, value in known.items()}}
    return Chain(name=before.name, date=before.date, mean_loss=lost, limit=most_since(gate))


def _of(task: str, evidence: Mapping[str, Evidence]) -> Mapping[str, Evidence]:
    return {case: each for case, each in evidence.items() if case.startswith(f"{task}/")}


def _of_task(
    task: Task,
    own: TaskFacts,
    new: Mapping[str, Evidence],
    reference: Reference,
    thresholds: Thresholds,
    today: date,
    changed: Mapping[str, str],
) -> ComparedTask:
    theirs = reference.run.document.tasks[task.name]
    compared = _cases(task, thresholds, deep=any(case.deep and case.id in new for case in thresholds.cases))
    runs = _runs(task, own, new, reference)
    found = compare_task(task, compared, runs, thresholds.gate, today)
    known = {loss.case for loss in found.all if loss.state != "not comparable"}
    headlines = _headlines(own, new, reference, task)
    worse, better, count = _differences(task, [case for case in compared if case.id in known], runs)
    told = {
        "state": found.state,
        "decided": found.decided,
        "metric": found.baseline.metric,
        "model": theirs.model.name,
        "changed_unseen": _same_fingerprint(own, theirs) and not _same_model(own, theirs),
        "corpus": theirs.corpus.name,
        "hypotheses": found.hypotheses,
        "judged": found.present,
        "baseline": _loss(found.baseline, today, reference, changed, headlines),
        "mean": None if found.mean is None else _loss(found.mean, today, reference, changed, headlines),
        "losses": [_loss(loss, today, reference, changed, headlines) for loss in found.losses],
        "lost": found.lost,
        "small_lost": found.small_lost,
        "found_less": found.found_less,
        "shifted": found.shifted,
        "no_labels": _no_labels(found.no_labels, reference),
        "identical": found.identical,
        "perturbed": found.perturbed,
        "panel": found.panel,
        "trainings": _by_training(task, compared, runs, thresholds.gate, today, own),
        "only_new": list(found.only_new),
        "only_reference": list(found.only_reference),
        "only_default": thresholds.beyond(task.name),
        "newly": [_newly(case, each) for case, each in found.newly.items()],
        "newly_worse": worse,
        "worse": count,
        "newly_better": better,
    }
    return read(ComparedTask, told)


def _headlines(
    own: TaskFacts, new: Mapping[str, Evidence], reference: Reference, task: Task
) -> dict[str, float | None]:
    """The headline numbers of the reference's cases under the seeds of the new run, if as many examples are judged."""
    document = reference.run.document
    if own.corpus.distinct != document.tasks[task.name].corpus.distinct:
        return {}
    found: dict[str, float | None] = {}
    for each in cases(document):
        both = each.id in new and each.id in reference.run.evidence
        seeds = {*new[each.id].seeds.tolist()} if both else set()
        if seeds and seeds == {*each.seeds}:
            found[each.id] = headline(each).value
        elif seeds and seeds < {*each.seeds}:
            part = reference.run.evidence[each.id]
            found[each.id] = _value(part.only(np.isin(part.seeds, [*seeds]) & ~part.outside), each, task)
    return found


def _value(evidence: Evidence, result: Result, task: Task) -> float | None:
    metrics = [task.metrics()[result.headline]]
    gate = replace(Gate(), resamples=_NO_INTERVAL)
    return number_of(measure_metrics(evidence, result.view or "", metrics, gate).estimate(result.headline).value)


_NO_INTERVAL = 2
"""Resamples of a number that is shown without its interval."""


def _no_labels(reason: str, reference: Reference) -> str | None:
    return f"{reason}; {reference.remedy}" if reason == NO_COUNTS else reason or None


def _by_training(
    task: Task, cases: Sequence[Case], runs: Runs, gate: Gate, today: date, own: TaskFacts
) -> list[JsonObject]:
    every = of_each_training(task, cases, runs, gate, today)
    return [
        {
            "model": model.name,
            "state": each.state,
            "regressed": list(dict.fromkeys(loss.case or None for loss in each.all if loss.state == "regressed")),
        }
        for model, each in zip(own.model.trainings if every else (), every, strict=True)
    ]


def losses_early(
    case: Case,
    task: Task,
    own: TaskFacts,
    evidence: Evidence,
    reference: Reference,
    thresholds: Thresholds,
    *,
    deep: bool,
) -> Sequence[Loss]:
    """Returns the losses of a partly seen case; empty if the reference lacks it."""
    if task.name not in reference.run.document.tasks or case.id not in reference.run.evidence:
        return ()
    runs = _runs(task, own, {case.id: evidence}, reference)
    return compare_early(case, _cases(task, thresholds, deep=deep), task, runs, thresholds.gate, date.today())


def mean_so_far(
    task: Task,
    own: TaskFacts,
    evidence: Mapping[str, Evidence],
    reference: Reference,
    thresholds: Thresholds,
) -> Loss | None:
    """Returns the mean loss on the seen part of a panel, if any."""
    if task.name not in reference.run.document.tasks:
        return None
    runs = _runs(task, own, evidence, reference)
    return compare_task(task, _cases(task, thresholds, deep=True), runs, thresholds.gate, date.today()).mean


def _runs(task: Task, own: TaskFacts, new: Mapping[str, Evidence], reference: Reference) -> Runs:
    theirs = reference.run.document.tasks[task.name]
    old = _of(task.name, reference.run.evidence)
    return Runs(new, old, _same_model(own, theirs), other_gold(own, theirs), _other_answers(own, theirs))


def other_gold(own: TaskFacts, theirs: TaskFacts) -> str:
    """Explains how the judged types of two runs differ; "" if they do not."""
    here, there = ("all" if (types := _judged_types(each)) is None else ", ".join(types) for each in (own, theirs))
    return "" if here == there else f"other entity types were judged: {here} here, {there} in the reference"


def _judged_types(facts: TaskFacts) -> list[str] | None:
    types = None if facts.types is None else facts.types.judged
    return None if types is None else sorted(types)


def _cases(task: Task, thresholds: Thresholds, *, deep: bool) -> list[Case]:
    return [
        case
        for case in thresholds.cases
        if case.task == task.name and (deep or not case.deep) and thresholds.skipped(case) is None
    ]


def _same_fingerprint(own: TaskFacts, theirs: TaskFacts) -> bool:
    return own.model.fingerprint == theirs.model.fingerprint


def _same_model(own: TaskFacts, theirs: TaskFacts) -> bool:
    return _same_fingerprint(own, theirs) and not _other_answers(own, theirs)


def _other_answers(own: TaskFacts, theirs: TaskFacts) -> bool:
    here, there = own.model.predictions, theirs.model.predictions
    comparable = bool(here and there) and own.corpus.sha256 == theirs.corpus.sha256
    return comparable and here != there


def _other_resources(new: Iterable[Result], reference: Iterable[Result]) -> dict[str, str]:
    theirs = {canonical_id(each.id): DrawnFields.of(each).drawn_with for each in reference}
    found = {}
    for result in new:
        here, there = DrawnFields.of(result).drawn_with, theirs.get(result.id, {})
        differing = [name for name in sorted(here.keys() & there.keys()) if here[name] != there[name]]
        if differing:
            found[result.id] = ", ".join(f"{name} is {here[name]} here and {there[name]} there" for name in differing)
    return found


def _loss(
    loss: Loss, today: date, reference: Reference, changed: Mapping[str, str], headlines: Mapping[str, float | None]
) -> JsonObject:
    waiver, reason = loss.waiver, loss.reason
    if reason == OTHER_VARIANTS:
        told = f": {changed[loss.case]}" if loss.case in changed else ""
        reason = f"{reason}{told}; {reference.remedy}"
    return {
        "id": loss.case or None,
        "type": loss.group,
        "metric": loss.metric,
        "state": loss.state,
        "reason": reason or None,
        "blocking": loss.blocking,
        "limit": number_of(loss.limit),
        "paired_by": loss.by,
        "reference": number_of(loss.reference),
        "new": number_of(loss.new),
        **interval_of(loss.loss),
        "p": number_of(loss.p),
        "level": number_of(loss.level),
        "detectable_loss": number_of(loss.detectable_loss),
        "n": loss.loss.n,
        "discordant": loss.discordant,
        "compared": number_of(loss.share),
        "because_of": list(loss.because_of),
        "weight": number_of(loss.weight),
        "uncorrected_high": number_of(loss.uncorrected_high),
        "stopped_early": loss.stopped_early,
        "cases": loss.cases,
        "of_cases": loss.of_cases,
        "headline": headlines.get(loss.case) if loss.by and not loss.group else None,
        "moved": loss.moved,
        "waiver": None
        if waiver is None
        else {
            "accepted_loss": waiver.accepted_loss,
            "until": waiver.until.isoformat(),
            "why": waiver.why,
            "over": today > waiver.until,
            "usual": loss.usual,
        },
    }


def _newly(case: str, found: Newly) -> JsonObject:
    wrong, right = ({"count": each.count, **interval_of(each.share)} for each in (found.wrong, found.right))
    return {"case": case, "examples": found.examples, "wrong": wrong, "right": right}


def _differences(
    task: Task, cases: Sequence[Case], runs: Runs
) -> tuple[list[UnitDifference], list[UnitDifference], int]:
    """Units that got worse, units that got better, and the number of examples that got worse."""
    found: list[UnitDifference] = []
    if runs.other_gold:
        return [], [], 0
    for case in (baseline_of(task), *(case for case in cases if case.name != BASELINE)):
        metric = case.probe.compared_by(task)
        if metric is None or case.id not in runs.new or case.id not in runs.reference:
            continue
        found += [
            UnitDifference(
                case=case.id,
                sentence_id=each.example,
                seed=each.seed,
                place=each.place,
                worse=each.worse,
                text=None,
            )
            for each in differing(runs.new[case.id], runs.reference[case.id], task.metrics()[metric], case.view)
        ]
    worse = sorted((each for each in found if each.worse > 0), key=lambda each: -each.worse)
    better = sorted((each for each in found if each.worse < 0), key=lambda each: each.worse)
    return _distinct(worse), _distinct(better), len({each.sentence_id for each in worse})


Unit = tuple[str, int, str]
"""Example, seed and place."""


def newly_worse(case: Case, task: Task, new: Run, reference: Reference) -> dict[Unit, float]:
    """Returns a case's units that got worse, with their differences, the largest first.

    Raises `AbaloError` if the runs are not comparable.
    """
    metric, here, there = case.probe.compared_by(task), new.evidence.get(case.id), reference.run.evidence.get(case.id)
    if metric is None:
        raise AbaloError(f"{case.id}: has no number that two runs are compared by in every case")
    if here is None or there is None:
        raise AbaloError(f"{case.id}: one of the runs has no evidence of it")
    asked, from_model = task.metrics()[metric], case.probe.variants_from_model(case)
    try:
        pair_runs(here, there, asked, case.view, from_model=from_model)
    except NotComparable as error:
        raise AbaloError(f"{case.id}: not comparable: {error}") from error
    worse = [each for each in differing(here, there, asked, case.view) if each.worse > 0]
    ranked = sorted(worse, key=lambda each: -each.worse)
    return {(each.example, each.seed, each.place): each.worse for each in ranked}


def _distinct(found: Sequence[UnitDifference]) -> list[UnitDifference]:
    first: dict[str, UnitDifference] = {}
    for each in found:
        first.setdefault(each.sentence_id, each)
    by_case: dict[str, list[UnitDifference]] = {}
    for each in first.values():
        by_case.setdefault(each.case, []).append(each)
    for each in found:
        by_case.setdefault(each.case, [each])
    rounds = zip_longest(*by_case.values())
    enough = max(MOST, sum(min(OF_EACH, len(of_case)) for of_case in by_case.values()))
    return [each for together in rounds for each in together if each is not None][:enough]


def _with_texts(
    found: Mapping[str, ComparedTask], kind: Literal["newly_worse", "newly_better"], records: Iterable[str]
) -> dict[str, ComparedTask]:
    """The tasks; each unit of a kind has its text, where the run that is wrong in it has it."""
    units: dict[str, Sequence[UnitDifference]] = {name: getattr(own, kind) for name, own in found.items()}
    wanted = {key_of(each): name for name, own in units.items() for each in own}
    texts: dict[object, str] = {}
    for line in records if wanted else ():
        try:
            record = unit_in(json.loads(line))
            if key_of(record) in wanted:
                texts[key_of(record)] = tasks()[wanted[key_of(record)]].report.line(record)
        except (ValueError, KeyError, TypeError, IndexError):  # no record of ours: the sentence is told by its id
            continue
    told: dict[str, dict[str, Any]] = {
        name: {kind: [replace(each, text=texts.get(key_of(each))) for each in own]} for name, own in units.items()
    }
    return {name: replace(own, **told[name]) for name, own in found.items()}
