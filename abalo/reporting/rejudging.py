"""A finished run judged anew: the same evidence, other bounds, another gate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from abalo.config.options import recorded_thresholds
from abalo.config.thresholds import Thresholds
from abalo.core.clean_score import CleanScore, clean_score
from abalo.core.engine import baseline_of
from abalo.core.evidence import Evidence
from abalo.core.example import Json
from abalo.core.gate import AUTO
from abalo.core.judging import Judged, judged
from abalo.core.plan import BASELINE
from abalo.core.probe import Case
from abalo.core.results import NOISE
from abalo.core.sequential import may_stop
from abalo.core.task import Task, tasks
from abalo.errors import AbaloError
from abalo.files import write_bytes
from abalo.reporting.comparing import Reference, comparison
from abalo.reporting.document import (
    NOT_BOUND,
    SHARD,
    applying,
    assemble,
    baseline_verdict,
    gate_of,
    languages_of,
    results_of,
    versions,
)
from abalo.reporting.files import EVIDENCE_NAME, EXAMPLES_NAME, PACKED_NAME, remove_examples
from abalo.reporting.finished import Run
from abalo.reporting.foresight import with_foresight
from abalo.reporting.made import made_in

_JUDGED = {*NOT_BOUND, "view", "metrics", "per_type", "reach", "examples", NOISE}
"""The fields of a result that judging makes; all others are facts."""


def rejudged(run: Run, thresholds: Thresholds, reference: Reference | None = None, today: date | None = None) -> Json:
    """The document of the run as it would be under these thresholds; raises `AbaloError` where no case is left.

    It also raises for a shard of a run, and where the file draws otherwise than the run did, by its language or by
    seeds. Cases of the file that were not run are named under ``not_run``; cases of the run that the file does not have
    are left out. A run that did not come to its end stays incomplete. With a ``reference`` losses are judged too,
    waivers as of ``today``.
    """
    run = run.with_examples()
    old, by_id = run.document, _facts_by_id(run)
    thresholds = thresholds.spoken(languages_of(old))
    cases = {case.id: case for case in thresholds.cases}
    order = [cases[key] for key in by_id if key in cases]
    if SHARD in old:
        raise AbaloError(f"{run.path}: is one shard of a run; judge all its shards with abalo merge first")
    if not by_id:
        raise AbaloError("no case of the run has a result; run the gate again")
    if not order:
        name = thresholds.path.name
        raise AbaloError(
            f"{name}: has none of the cases of the run: {', '.join(by_id)}; give another file with --thresholds FILE"
        )
    _check_draws(run, order, thresholds)
    missing = [key for key in old["missing"] if key in cases]
    awaited = {*by_id, *missing, *(error["id"] for error in old["errors"])}
    by_rule = _Rules(thresholds, old.get("tasks") or {}, deep=any(case.deep for case in order))
    results = [each for case in order for each in _results(case, by_id[case.id], run.evidence[case.id], by_rule)]
    profile = str((old.get("gate") or {}).get("profile", "dev"))
    facts = {
        **made_in(old),
        "versions": versions(),
        **_options(old, thresholds),
        "gate": gate_of(thresholds, profile, deep=by_rule.deep),
        "tasks": {
            name: _of_task(tasks()[name], own, run, by_rule)
            for name, own in (old.get("tasks") or {}).items()
            if old["regressions"] or any(case.task == name for case in order)
        },
    }
    losses = None
    if old["complete"]:
        facts = with_foresight(facts, run.evidence, thresholds)
    if reference is not None and old["complete"]:
        day = today or date.today()
        losses = comparison(facts["tasks"], run.evidence, thresholds, reference, day, run.records(), results)
    return assemble(
        facts,
        results,
        missing,
        old["errors"],
        old["complete"],
        old["regressions"],
        losses,
        _not_run(awaited, thresholds, old),
    )


def _options(old: Mapping[str, Any], thresholds: Thresholds) -> Json:
    """The options of the run, with the file that it is judged by now; nothing where the run did not record any."""
    found = old.get("options")
    return {"options": {**found, "thresholds": recorded_thresholds(thresholds.path)}} if found else {}


def _check_draws(run: Run, cases: Sequence[Case], thresholds: Thresholds) -> None:
    """Raises `AbaloError` where the file asks for draws that the run did not make."""
    name, told = thresholds.path.name, thresholds.gate.language
    for language in languages_of(run.document).values():
        if told not in (AUTO, language):
            raise AbaloError(f"{name}: the run was in the language {language!r}, not {told!r}; run the gate again")
    before = (run.document.get("gate") or {}).get("seeds")
    for case in cases:
        drawn = {int(seed) for seed in run.evidence[case.id].seeds}
        own = ((run.document.get("tasks") or {}).get(case.task) or {}).get("seeds")
        wanted = case.seeds
        if wanted is None:  # those of the run, which are those of the gate unless an option said others
            wanted = thresholds.gate.seeds if own is not None and own == before else own
        under = case.probe.drawn_under(case, wanted or ())
        part = may_stop(run.evidence[case.id].notes) and drawn <= set(under)
        if under and drawn and drawn != set(under) and not part:
            was, now = (", ".join(map(str, sorted(seeds))) for seeds in (drawn, under))
            raise AbaloError(f"{name}: {case.id}: was run under the seeds {was}, not {now}; run the gate again")


def _not_run(tried: Set[str], thresholds: Thresholds, old: Mapping[str, Any]) -> list[Json]:
    """The cases of the file, of the tasks of the run, that it did not try, each with what was run in their place.

    Deep cases and those for other languages, which a run leaves out unless told otherwise, are not named.
    """
    return [
        {"id": case.id, "message": _beside(case, tried)}
        for case in thresholds.cases
        if case.id not in tried
        and case.task in (old.get("tasks") or {})
        and not case.deep
        and thresholds.skipped(case) is None
    ]


def _beside(case: Case, tried: Set[str]) -> str:
    """The same case with bounds in another view, if it was run; empty where there is none."""
    views = (replace(case, view=view).id for view in tasks()[case.task].views)
    found = next((other for other in views if other in tried), None)
    return "" if found is None else f"run as {found}, with its bounds in another view; run the gate again"


@dataclass(frozen=True, slots=True)
class _Rules:
    """The file to judge by, with the facts of the run by task; ``deep`` says whether it held deep cases."""

    thresholds: Thresholds
    facts: Mapping[str, Json]
    deep: bool

    def judged(self, case: Case, evidence: Evidence) -> Judged:
        """The case, judged by the file."""
        task, family = tasks()[case.task], self.thresholds.bounds_beside(case, deep=self.deep)
        return judged(case, task, evidence, self.thresholds.gate, family)

    def clean_score(self, task: Task, evidence: Evidence) -> CleanScore:
        """The clean score of a task by the evidence of its clean corpus."""
        case, corpus = self.thresholds.clean(task), self.facts[task.name]["corpus"]
        return clean_score(task, case, evidence, self.thresholds.gate, corpus)


def _of_task(task: Task, own: Json, run: Run, rules: _Rules) -> Json:
    """The facts of a task, with the notice as it is under these bounds and the baseline measured as the gate asks.

    The baseline stays as it was where the run has no evidence of it.
    """
    found = {**own, "notice": task.report.notice(own), **applying(rules.thresholds, task, deep=rules.deep)}
    clean = baseline_of(task)
    if clean.id in run.evidence:
        again = rules.judged(rules.thresholds.clean(task), run.evidence[clean.id])
        measured = task.report.baseline_facts(again.bound_view)
        score = rules.clean_score(task, run.evidence[clean.id])
        found["baseline"] = {**own["baseline"], **measured, **baseline_verdict(again, score, rules.thresholds.gate)}
    return found


def _facts_by_id(run: Run) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for result in run.document["results"]:
        found.setdefault(result["id"], []).append(result)
    return found


def _results(case: Case, old: Sequence[Mapping[str, Any]], evidence: Evidence, rules: _Rules) -> list[Json]:
    task = tasks()[case.task]
    facts = {name: value for name, value in old[0].items() if name not in _JUDGED}
    examples: Sequence[Json] = next((result["examples"] for result in old if result["view"] == (case.view or None)), [])
    found = rules.judged(case, evidence)
    if case.name == BASELINE:
        found = rules.clean_score(task, evidence).failing(found)
    return results_of(found, task, rules.thresholds.gate, facts, examples)


def copied(source: Path, target: Path) -> None:
    """Copies the evidence and the examples of a run; nothing where both are the same folder.

    Examples that the run does not have are not left there from an earlier one.
    """
    if source.resolve() == target.resolve():
        return
    for name in (EVIDENCE_NAME, PACKED_NAME, EXAMPLES_NAME):
        if (source / name).is_file():
            write_bytes(target / name, (source / name).read_bytes())
        elif name == EXAMPLES_NAME:
            remove_examples(target)
