"""A run beside the run of an accepted model, as the document has it."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import zip_longest
from pathlib import Path
from typing import Any

from abalo.config.options import Options
from abalo.config.thresholds import Thresholds, canonical_id
from abalo.core.comparison import Counted, Runs, compared, compared_early, of_each_training
from abalo.core.engine import baseline_of
from abalo.core.evidence import Evidence
from abalo.core.example import Json
from abalo.core.gate import Gate
from abalo.core.losses import STATES, Loss
from abalo.core.numbers import interval_of, number_of
from abalo.core.pairing import OTHER_VARIANTS, NotComparable, differing, paired
from abalo.core.plan import BASELINE
from abalo.core.probe import Case
from abalo.core.sequential import may_stop
from abalo.core.task import Task, tasks
from abalo.corpora.json_text import strict_json
from abalo.errors import AbaloError, visible
from abalo.files import read_text
from abalo.reporting.document import languages_of
from abalo.reporting.files import ACCEPTED, JSON_NAME
from abalo.reporting.finished import Run, read_run
from abalo.reporting.made import made_in
from abalo.reporting.newly_broken import key_of
from abalo.reporting.sealing import check_seal

MOST = 10
"""How many sentences are named that got worse, and that got better, at least where there are so many."""

OF_EACH = 3
"""How many of them are named of every case that has so many."""

SINCE = "since"
"""The field of a reference, and of a comparison, with the mean losses since the first reference of the chain."""


def most_since(gate: Gate) -> float:
    """The mean loss since the first reference above which a report has a line of its own: twice that of one release."""
    return 2 * gate.mean_limit


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """The run of an accepted model; ``accepted`` says when it was accepted, empty where nobody did.

    The ids of its cases are those of today. ``accepted`` may hold the day and the version of its last ``rerun``, and
    the mean losses ``since`` the first reference of its chain: ``name``, ``date`` and ``mean_loss`` by task.
    """

    name: str
    run: Run
    accepted: Mapping[str, Any]

    @property
    def remedy(self) -> str:
        """How to get a reference with the variants of today."""
        if not self.accepted:
            return "run the gate with the model of the reference again"
        folder = Path(os.path.relpath(self.run.path.parent)).as_posix()
        return f"measure the accepted model again with: abalo accept --rerun {shlex.quote(visible(folder))}"


def reference_of(options: Options, thresholds: Thresholds) -> Reference | None:
    """The accepted run that the command line or the thresholds file names; None where neither does.

    Raises `AbaloError` for one that cannot be read, or whose folder this run writes to.
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
    """The folder of a run that is named by it, or by its robustness.json."""
    return path.parent if path.name == JSON_NAME else path


def read_reference(path: Path) -> Reference:
    """The run in a folder, or beside a robustness.json, as a reference.

    Raises `AbaloError` for one that cannot be read, or that did not come to its end.
    """
    try:
        return read_side(path)
    except AbaloError as error:
        raise AbaloError(f"the reference to judge against: {error}") from error


def reference_for(reports: Path, document: Mapping[str, Any], against: Path | None, gate: Gate) -> Reference | None:
    """The reference to judge a finished run against once more: ``against``, or the one that the thresholds file names.

    None without one. Raises `AbaloError` if the run was judged against a reference and none is given.
    """
    named = against or (Path(gate.against) if gate.against else None)
    if named is None and document.get("comparison"):
        name = document["comparison"]["reference"]["name"]
        raise AbaloError(
            f"{reports}: was judged against {visible(str(name))}, and no reference is given, so its losses "
            "would go unseen; add --against FOLDER"
        )
    return None if named is None else read_reference(named)


def read_side(path: Path) -> Reference:
    """The same for either of two runs that are compared; no message says which."""
    folder = folder_of(path)
    run, accepted = read_run(folder), folder / ACCEPTED
    if any(may_stop(each.notes) for each in run.evidence.values()):
        raise AbaloError(
            f"{folder}: its cases could stop early, so its evidence is not that of the whole corpus; run the gate "
            "again without --abalo-stop-early"
        )
    if not run.document["complete"]:
        raise AbaloError(f"{folder}: the run did not finish; take one that did")
    for name, own in (run.document.get("tasks") or {}).items():
        if not isinstance(own["model"].get("fingerprint"), str) or not isinstance(own["model"].get("name"), str):
            raise AbaloError(f"{folder}: the model of {name} has no name or fingerprint")
    said = _accepted(folder) if accepted.is_file() else {}
    return Reference(folder.resolve().name, replace(run, evidence=_canonical(run.evidence)), said)


def _accepted(folder: Path) -> dict[str, Any]:
    """The facts of an acceptance; raises `AbaloError` if they, or the report beside them, are damaged or edited."""
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
    """The evidence by the ids that its cases have today; an id of today wins over an alias of it."""
    return {canonical_id(case): each for case, each in evidence.items()} | {
        case: each for case, each in evidence.items() if canonical_id(case) == case
    }


def comparison(
    facts: Mapping[str, Any],
    evidence: Mapping[str, Evidence],
    thresholds: Thresholds,
    reference: Reference,
    today: date,
    records: Iterable[str] | None = None,
    results: Iterable[Json] = (),
) -> Json:
    """The losses of the run against the reference, task by task.

    ``facts`` are those of the tasks of the run by name, ``records`` the lines of its examples.jsonl, None where no text
    may be told. Its ``results`` say which resources its variants were drawn with. Tasks that the reference did not
    judge are named, and make the whole not comparable at best.
    """
    theirs = reference.run.document.get("tasks") or {}
    thresholds = thresholds.spoken(languages_of({"tasks": facts}))
    changed = _other_resources(results, reference.run.document.get("results", ()))
    found = {
        name: _of_task(tasks()[name], own, _of(name, evidence), reference, thresholds, today, changed)
        for name, own in facts.items()
        if name in theirs
    }
    if records is not None:
        _add_texts(found, "newly_worse", records)
        _add_texts(found, "newly_better", reference.run.records() or ())
    missing = sorted(facts.keys() - found.keys())
    states = {own["state"] for own in found.values()} | ({"not comparable"} if missing else set())
    return {
        "reference": {"name": reference.name, **reference.accepted, "run": made_in(reference.run.document)},
        "state": next((state for state in STATES if state in states), "not comparable"),
        "decided": not missing and all(own["decided"] for own in found.values()),
        "missing": missing,
        SINCE: _since(reference, found, thresholds.gate),
        "level": number_of((1 - thresholds.gate.confidence) / 2),
        "tasks": found,
    }


def chain_of(document: Mapping[str, Any]) -> Json | None:
    """The facts about its chain that a run keeps as a reference; None if it was compared with nothing."""
    since = (document.get("comparison") or {}).get(SINCE)
    return None if since is None else {name: since[name] for name in ("name", "date", "mean_loss")}


def _since(reference: Reference, found: Mapping[str, Json], gate: Gate) -> Json:
    """The mean losses since the first reference of the chain: those of the reference and those of the run, added.

    A task whose mean loss is unknown in this run keeps that of the reference.
    """
    first: Json = {"name": reference.name, "date": reference.accepted.get("date"), "mean_loss": {}}
    before: Json = reference.accepted.get(SINCE) or first
    own = {name: each["mean"]["value"] for name, each in found.items() if each["mean"] is not None}
    known = {name: value for name, value in own.items() if value is not None}
    lost = before["mean_loss"] | {name: before["mean_loss"].get(name, 0.0) + value for name, value in known.items()}
    return {"name": before["name"], "date": before["date"], "mean_loss": lost, "limit": most_since(gate)}


def _of(task: str, evidence: Mapping[str, Evidence]) -> Mapping[str, Evidence]:
    return {case: each for case, each in evidence.items() if case.startswith(f"{task}/")}


def _of_task(
    task: Task,
    own: Json,
    new: Mapping[str, Evidence],
    reference: Reference,
    thresholds: Thresholds,
    today: date,
    changed: Mapping[str, str],
) -> Json:
    theirs = reference.run.document["tasks"][task.name]
    cases = _cases(task, thresholds, deep=any(case.deep and case.id in new for case in thresholds.cases))
    runs = _runs(task, own, new, reference)
    found = compared(task, cases, runs, thresholds.gate, today)
    told = {loss.case for loss in found.all if loss.state != "not comparable"}
    worse, better = _differences(task, [case for case in cases if case.id in told], runs)
    return {
        "state": found.state,
        "decided": found.decided,
        "metric": found.baseline.metric,
        "model": theirs["model"]["name"],
        "changed_unseen": _same_fingerprint(own, theirs) and not _same_model(own, theirs),
        "corpus": theirs["corpus"]["name"],
        "hypotheses": found.hypotheses,
        "judged": found.present,
        "baseline": _loss(found.baseline, today, reference, changed),
        "mean": None if found.mean is None else _loss(found.mean, today, reference, changed),
        "losses": [_loss(loss, today, reference, changed) for loss in found.losses],
        "lost": [_counted(label) for label in found.gone if label.fails],
        "vanished": [{**_counted(label), "case": label.case} for label in found.gone if not label.fails],
        "fell": [{**_counted(label), "now": label.now} for label in found.fell],
        "perturbed": found.perturbed,
        "trainings": _by_training(task, cases, runs, thresholds.gate, today, own),
        "only_new": list(found.only_new),
        "only_reference": list(found.only_reference),
        "newly_worse": worse,
        "newly_better": better,
    }


def _counted(label: Counted) -> Json:
    """A label of the clean corpus as the reference found it."""
    return {"type": label.label, "places": label.places, "found": label.found, "examples": label.examples}


def _by_training(task: Task, cases: Sequence[Case], runs: Runs, gate: Gate, today: date, own: Json) -> list[Json]:
    """Each of several trainings compared by itself: its model, its state, and which of its losses regressed.

    A regression of one training decides nothing: losses are about the mean over trainings.
    """
    every = of_each_training(task, cases, runs, gate, today)
    return [
        {
            "model": model["name"],
            "state": each.state,
            "regressed": list(dict.fromkeys(loss.case or None for loss in each.all if loss.state == "regressed")),
        }
        for model, each in zip(own["model"]["trainings"] if every else (), every, strict=True)
    ]


def losses_early(
    case: Case,
    task: Task,
    own: Json,
    evidence: Evidence,
    reference: Reference,
    thresholds: Thresholds,
    *,
    deep: bool,
) -> Sequence[Loss]:
    """The losses of a case of which a part of the corpus has been seen; none where the reference has no such case.

    ``own`` are the facts of the task, whose language the ``thresholds`` know; ``deep`` says whether the run has deep
    cases.
    """
    if task.name not in (reference.run.document.get("tasks") or {}) or case.id not in reference.run.evidence:
        return ()
    runs = _runs(task, own, {case.id: evidence}, reference)
    return compared_early(case, _cases(task, thresholds, deep=deep), task, runs, thresholds.gate, date.today())


def _runs(task: Task, own: Json, new: Mapping[str, Evidence], reference: Reference) -> Runs:
    theirs = reference.run.document["tasks"][task.name]
    old = _of(task.name, reference.run.evidence)
    return Runs(new, old, _same_model(own, theirs), other_gold(own, theirs))


def other_gold(own: Json, theirs: Json) -> str:
    """The reason why two runs of a task, by their facts, were judged by different gold; empty where they were not.

    Labels that have types were chosen among.
    """
    here, there = ("all" if (types := _judged(each)) is None else ", ".join(types) for each in (own, theirs))
    return "" if here == there else f"other entity types were judged: {here} here, {there} in the reference"


def _judged(facts: Json) -> list[str] | None:
    """The types that were judged in a run with these facts, sorted; None for all."""
    types = (facts.get("types") or {}).get("judged")
    return None if types is None else sorted(types)


def _cases(task: Task, thresholds: Thresholds, *, deep: bool) -> list[Case]:
    return [
        case
        for case in thresholds.cases
        if case.task == task.name and (deep or not case.deep) and thresholds.skipped(case) is None
    ]


def _same_fingerprint(own: Json, theirs: Json) -> bool:
    return bool(own["model"]["fingerprint"] == theirs["model"]["fingerprint"])


def _same_model(own: Json, theirs: Json) -> bool:
    """Whether both runs are of one model: by its fingerprint and, on one corpus, by its clean predictions.

    Facts without the latter are compared by the fingerprint alone.
    """
    told = [facts["model"].get("predictions") for facts in (own, theirs)]
    comparable = None not in told and own["corpus"].get("sha256") == theirs["corpus"].get("sha256")
    return _same_fingerprint(own, theirs) and (not comparable or told[0] == told[1])


def _other_resources(new: Iterable[Json], reference: Iterable[Json]) -> dict[str, str]:
    """For each case of both runs whose resources are others, though their names are the same, both in words."""
    theirs = {canonical_id(each["id"]): each.get("drawn_with") or {} for each in reference}
    found = {}
    for result in new:
        here, there = result.get("drawn_with") or {}, theirs.get(result["id"], {})
        differing = [name for name in sorted(here.keys() & there.keys()) if here[name] != there[name]]
        if differing:
            found[result["id"]] = ", ".join(
                f"{name} is {here[name]} here and {there[name]} there" for name in differing
            )
    return found


def _loss(loss: Loss, today: date, reference: Reference, changed: Mapping[str, str]) -> Json:
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
        "sight": number_of(loss.sight),
        "n": loss.loss.n,
        "discordant": loss.discordant,
        "compared": number_of(loss.share),
        "because_of": list(loss.because_of),
        "weight": number_of(loss.weight),
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


def _differences(task: Task, cases: Sequence[Case], runs: Runs) -> tuple[list[Json], list[Json]]:
    """The units that got most worse and those that got most better, clean ones first among equals."""
    found: list[Json] = []
    if runs.other_gold:
        return [], []
    for case in (baseline_of(task), *(case for case in cases if case.name != BASELINE)):
        metric = case.probe.compared_by(task)
        if metric is None or case.id not in runs.new or case.id not in runs.reference:
            continue
        found += [
            {
                "case": case.id,
                "sentence_id": each.example,
                "seed": each.seed,
                "place": each.place,
                "worse": each.worse,
                "text": None,
            }
            for each in differing(runs.new[case.id], runs.reference[case.id], task.metrics()[metric], case.view)
        ]
    worse = sorted((each for each in found if each["worse"] > 0), key=lambda each: -each["worse"])
    better = sorted((each for each in found if each["worse"] < 0), key=lambda each: each["worse"])
    return _distinct(worse), _distinct(better)


Unit = tuple[str, int, str]
"""Example, seed and place of a unit."""


def newly_worse(case: Case, task: Task, new: Run, reference: Reference) -> list[Unit]:
    """Every unit of a case in which the new run is worse than the reference, the largest differences first.

    Raises `AbaloError` where the two cannot be compared in this case.
    """
    metric, here, there = case.probe.compared_by(task), new.evidence.get(case.id), reference.run.evidence.get(case.id)
    if metric is None:
        raise AbaloError(f"{case.id}: has no number that two runs are compared by in every case")
    if here is None or there is None:
        raise AbaloError(f"{case.id}: one of the runs has no evidence of it")
    asked, from_model = task.metrics()[metric], case.probe.variants_from_model(case)
    try:
        paired(here, there, asked, case.view, from_model=from_model)
    except NotComparable as error:
        raise AbaloError(f"{case.id}: not comparable: {error}") from error
    worse = [each for each in differing(here, there, asked, case.view) if each.worse > 0]
    return [(each.example, each.seed, each.place) for each in sorted(worse, key=lambda each: -each.worse)]


def _distinct(found: Sequence[Json]) -> list[Json]:
    """The first of each example: the first of each case, then the second and so on, `OF_EACH`, and up to `MOST`.

    A case of which other cases have all examples has its first one all the same.
    """
    first: dict[str, Json] = {}
    for each in found:
        first.setdefault(each["sentence_id"], each)
    by_case: dict[str, list[Json]] = {}
    for each in first.values():
        by_case.setdefault(each["case"], []).append(each)
    for each in found:
        by_case.setdefault(each["case"], [each])
    rounds = zip_longest(*by_case.values())
    enough = max(MOST, sum(min(OF_EACH, len(of_case)) for of_case in by_case.values()))
    return [each for together in rounds for each in together if each is not None][:enough]


def _add_texts(found: Mapping[str, Json], kind: str, records: Iterable[str]) -> None:
    """Gives each unit of a kind, those that got worse or better, its text, where the run that is wrong in it has it."""
    wanted = {key_of(each): (name, each) for name, own in found.items() for each in own[kind]}
    if not wanted:
        return
    for line in records:
        try:
            record = json.loads(line)
            name, each = wanted.get(key_of(record), ("", {}))
            if name:
                each["text"] = tasks()[name].report.line(record)
        except (ValueError, KeyError, TypeError, IndexError):  # no record of ours: the sentence is told by its id
            continue
