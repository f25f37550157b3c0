"""A run beside the run of an accepted model, as the document has it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from abalo.config.options import Options
from abalo.config.thresholds import Thresholds
from abalo.core.case import BASELINE, Case
from abalo.core.comparison import STATES, Loss, Runs, compared
from abalo.core.evidence import Evidence
from abalo.core.example import Json
from abalo.core.numbers import interval_of, number_of
from abalo.core.pairing import differing
from abalo.core.session import baseline_of
from abalo.core.task import Task, tasks
from abalo.errors import AbaloError, WouldOverwriteError
from abalo.reporting.files import ACCEPTED, JSON_NAME
from abalo.reporting.finished import Run, read_run

MOST = 10
"""How many sentences are named that got worse, and that got better."""


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """The run of an accepted model; ``accepted`` says when it was accepted, empty where nobody did."""

    name: str
    run: Run
    accepted: Mapping[str, Any]


def reference_of(options: Options, thresholds: Thresholds) -> Reference | None:
    """The accepted run that the command line or the thresholds file names; None where neither does.

    Raises `AbaloError` for one that cannot be read, `WouldOverwriteError` for one whose folder this run writes to.
    """
    named = options.against or (Path(thresholds.gate.against) if thresholds.gate.against else None)
    if named is None:
        return None
    if folder_of(named).resolve() == options.reports.resolve():
        raise WouldOverwriteError(
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
    folder = folder_of(path)
    try:
        run = read_run(folder)
        accepted = folder / ACCEPTED
        said = json.loads(accepted.read_text(encoding="utf-8")) if accepted.is_file() else {}
    except AbaloError as error:
        raise AbaloError(f"the reference to judge against: {error}") from error
    except (OSError, ValueError, RecursionError) as error:
        raise AbaloError(f"the reference to judge against: {accepted}: cannot be read: {error}") from error
    if not run.document["complete"]:
        raise AbaloError(f"the reference to judge against: {folder}: the run did not finish; accept one that did")
    for name, own in (run.document.get("tasks") or {}).items():
        if not isinstance(own["model"].get("fingerprint"), str) or not isinstance(own["model"].get("name"), str):
            raise AbaloError(
                f"the reference to judge against: {folder}: the model of {name} has no name or fingerprint"
            )
    accepted_by = {name: said.get(name) for name in ("date", "commit")} if isinstance(said, dict) and said else {}
    return Reference(folder.resolve().name, run, accepted_by)


def comparison(
    facts: Mapping[str, Any],
    evidence: Mapping[str, Evidence],
    thresholds: Thresholds,
    reference: Reference,
    today: date,
    records: Iterable[str] = (),
) -> Json:
    """The losses of the run against the reference, task by task.

    ``facts`` are those of the tasks of the run by name, ``records`` the lines of its examples.jsonl. Tasks that the
    reference did not judge are named, and make the whole not comparable at best.
    """
    theirs = reference.run.document.get("tasks") or {}
    found = {
        name: _of_task(tasks()[name], own, theirs[name], _of(name, evidence), _of(name, reference), thresholds, today)
        for name, own in facts.items()
        if name in theirs
    }
    _add_texts(found, records)
    missing = sorted(facts.keys() - found.keys())
    states = {own["state"] for own in found.values()} | ({"not comparable"} if missing else set())
    return {
        "reference": {"name": reference.name, **reference.accepted},
        "state": next((state for state in STATES if state in states), "not comparable"),
        "decided": not missing and all(own["decided"] for own in found.values()),
        "missing": missing,
        "level": number_of((1 - thresholds.gate.confidence) / 2),
        "tasks": found,
    }


def _of(task: str, run: Mapping[str, Evidence] | Reference) -> Mapping[str, Evidence]:
    evidence = run.run.evidence if isinstance(run, Reference) else run
    return {case: each for case, each in evidence.items() if case.startswith(f"{task}/")}


def _of_task(
    task: Task,
    own: Json,
    theirs: Json,
    new: Mapping[str, Evidence],
    reference: Mapping[str, Evidence],
    thresholds: Thresholds,
    today: date,
) -> Json:
    deep = any(case.deep and case.id in new for case in thresholds.cases)
    cases = [case for case in thresholds.cases if case.task == task.name and (deep or not case.deep)]
    runs = Runs(new, reference, own["model"]["fingerprint"] == theirs["model"]["fingerprint"])
    found = compared(task, cases, runs, thresholds.gate, today)
    told = {loss.case for loss in found.all if loss.state != "not comparable"}
    worse, better = _differences(task, [case for case in cases if case.id in told], runs)
    return {
        "state": found.state,
        "decided": found.decided,
        "metric": task.floor,
        "model": theirs["model"]["name"],
        "corpus": theirs["corpus"]["name"],
        "hypotheses": found.hypotheses,
        "judged": found.present,
        "baseline": _loss(found.baseline, today),
        "mean": None if found.mean is None else _loss(found.mean, today),
        "losses": [_loss(loss, today) for loss in found.losses],
        "only_new": list(found.only_new),
        "only_reference": list(found.only_reference),
        "newly_worse": worse,
        "newly_better": better,
    }


def _loss(loss: Loss, today: date) -> Json:
    waiver = loss.waiver
    return {
        "id": loss.case or None,
        "type": loss.group,
        "metric": loss.metric,
        "state": loss.state,
        "reason": loss.reason or None,
        "blocking": loss.blocking,
        "limit": number_of(loss.limit),
        "paired_by": loss.by,
        "reference": number_of(loss.reference),
        "new": number_of(loss.new),
        **interval_of(loss.loss),
        "p": number_of(loss.p),
        "sight": number_of(loss.sight),
        "n": loss.loss.n,
        "discordant": loss.discordant,
        "compared": number_of(loss.share),
        "waiver": None
        if waiver is None
        else {
            "accepted_loss": waiver.accepted_loss,
            "until": waiver.until.isoformat(),
            "why": waiver.why,
            "over": today > waiver.until,
        },
    }


def _differences(task: Task, cases: Sequence[Case], runs: Runs) -> tuple[list[Json], list[Json]]:
    """The units that got most worse and those that got most better, clean ones first among equals."""
    found: list[Json] = []
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


def _distinct(found: Sequence[Json]) -> list[Json]:
    """The first of each example, at most `MOST`."""
    first: dict[str, Json] = {}
    for each in found:
        first.setdefault(each["sentence_id"], each)
    return [*first.values()][:MOST]


def _add_texts(found: Mapping[str, Json], records: Iterable[str]) -> None:
    """Gives each unit that got worse its text, where the records have it."""
    wanted = {_key(each): (name, each) for name, own in found.items() for each in own["newly_worse"]}
    if not wanted:
        return
    for line in records:
        record = json.loads(line)
        if _key(record) in wanted:
            name, each = wanted[_key(record)]
            each["text"] = tasks()[name].line(record)


def _key(record: Mapping[str, Any]) -> tuple[str, str, int, str]:
    return record["case"], record["sentence_id"], record["seed"], record.get("place", "")
