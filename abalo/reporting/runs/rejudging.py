"""Judges a finished run by other bounds or another gate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from abalo.config.options import recorded_thresholds
from abalo.config.thresholds import Thresholds
from abalo.core.documents.document import Document, TaskFacts
from abalo.core.documents.found import Result, WorstExample
from abalo.core.protocols.probe import Case, baseline_of
from abalo.core.protocols.results import NOISE
from abalo.core.protocols.task import Task, tasks
from abalo.core.protocols.task_report import baseline_facts
from abalo.core.records.example import JsonObject
from abalo.core.records.gate import AUTO
from abalo.core.records.json_records import as_json
from abalo.core.running.clean_score import CleanScore, clean_score
from abalo.core.running.judging import Judged, judge_case
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.panel import notes_of
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.sequential import may_stop
from abalo.errors import AbaloError
from abalo.files import write_bytes
from abalo.reporting.documents.document import (
    NOT_BOUND,
    applying,
    baseline_verdict,
    gate_of,
    languages_of,
    results_of,
    versions,
)
from abalo.reporting.documents.origin import origin_in, run_in
from abalo.reporting.formats.files import EVIDENCE_NAME, EXAMPLES_NAME, PACKED_NAME, remove_examples
from abalo.reporting.runs.finished import Run
from abalo.reporting.runs.judging import RunFindings, judge
from abalo.reporting.runs.reference import Reference

_JUDGED = {*NOT_BOUND, "view", "metrics", "per_type", "reach", "examples", NOISE}


def rejudge(
    run: Run, thresholds: Thresholds, reference: Reference | None = None, today: date | None = None
) -> Document:
    """Returns the document of the run under these thresholds, with waivers as of ``today``.

    Cases that were not run are listed under ``not_run``; cases that the file lacks are dropped. Raises `AbaloError` for
    a
    shard, if no case is left, or if language or seeds require other draws.
    """
    run = run.with_examples()
    old, by_id = run.document, _facts_by_id(run)
    thresholds = thresholds.spoken(languages_of(old.tasks, old.gate))
    cases = {case.id: case for case in thresholds.cases}
    order = [cases[key] for key in by_id if key in cases]
    if old.shard is not None:
        raise AbaloError(f"{run.path}: is one shard of a run; judge all its shards with abalo merge first")
    if not by_id:
        raise AbaloError("no case of the run has a result; run the gate again")
    if not order:
        name = thresholds.path.name
        raise AbaloError(
            f"{name}: has none of the cases of the run: {', '.join(by_id)}; give another file with --thresholds FILE"
        )
    _check_draws(run, order, thresholds)
    missing = [key for key in old.missing if key in cases]
    awaited = {*by_id, *missing, *(error.id for error in old.errors)}
    by_rule = _FileRules(thresholds, old.tasks, deep=any(case.deep for case in order))
    results = [each for case in order for each in _results(case, by_id[case.id], run.evidence[case.id], by_rule)]
    profile = old.gate.profile or "dev"
    facts = {
        **origin_in(old),
        **run_in(old),
        "versions": versions(),
        **_options(old, thresholds),
        "gate": gate_of(thresholds, profile, deep=by_rule.deep),
        "tasks": {
            name: _of_task(tasks()[name], own, run, by_rule)
            for name, own in old.tasks.items()
            if old.regressions or any(case.task == name for case in order)
        },
    }
    measured = RunFindings(
        facts=facts,
        results=results,
        evidence=run.evidence,
        lines=run.records() if reference is not None and old.complete else None,
        missing=missing,
        errors=old.errors,
        regressions=old.regressions,
        complete=old.complete,
        not_run=_not_run(awaited, thresholds, old),
    )
    return judge(measured, thresholds, reference, today)


def _options(old: Document, thresholds: Thresholds) -> JsonObject:
    told = {**old.options, "thresholds": recorded_thresholds(thresholds.path)}
    return {"options": told} if old.options else {}


def _check_draws(run: Run, cases: Sequence[Case], thresholds: Thresholds) -> None:
    name, told = thresholds.path.name, thresholds.gate.language
    for language in languages_of(run.document.tasks, run.document.gate).values():
        if told not in (AUTO, language):
            raise AbaloError(f"{name}: the run was in the language {language!r}, not {told!r}; run the gate again")
    before = run.document.gate.seeds
    for case in cases:
        drawn = {int(seed) for seed in run.evidence[case.id].seeds}
        own = run.document.tasks[case.task].seeds if case.task in run.document.tasks else ()
        wanted = case.seeds
        if wanted is None:  # those of the run, which are those of the gate unless an option said others
            wanted = thresholds.gate.seeds if own and own == before else tuple(own)
        under = case.probe.drawn_under(case, wanted or ())
        notes = run.evidence[case.id].notes
        part = (may_stop(notes) or notes_of(notes) is not None) and drawn <= set(under)
        if under and drawn and drawn != set(under) and not part:
            was, now = (", ".join(map(str, sorted(seeds))) for seeds in (drawn, under))
            raise AbaloError(f"{name}: {case.id}: was run under the seeds {was}, not {now}; run the gate again")


def _not_run(tried: Set[str], thresholds: Thresholds, old: Document) -> list[JsonObject]:
    return [
        {"id": case.id, "message": _beside(case, tried)}
        for case in thresholds.cases
        if case.id not in tried and case.task in old.tasks and not case.deep and thresholds.skipped(case) is None
    ]


def _beside(case: Case, tried: Set[str]) -> str:
    views = (replace(case, view=view).id for view in tasks()[case.task].views)
    found = next((other for other in views if other in tried), None)
    return "" if found is None else f"run as {found}, with its bounds in another view; run the gate again"


@dataclass(frozen=True, slots=True)
class _FileRules:
    thresholds: Thresholds
    facts: Mapping[str, TaskFacts]
    deep: bool

    def judged(self, case: Case, evidence: Evidence) -> Judged:
        task, family = tasks()[case.task], self.thresholds.bounds_beside(case, deep=self.deep)
        return judge_case(case, task, evidence, self.thresholds.gate, family)

    def clean_score(self, task: Task, evidence: Evidence) -> CleanScore:
        case, corpus = self.thresholds.clean(task), as_json(self.facts[task.name].corpus)
        return clean_score(task, case, evidence, self.thresholds.gate, corpus)


def _of_task(task: Task, told: TaskFacts, run: Run, rules: _FileRules) -> JsonObject:
    own = as_json(told)
    found = {**own, "notice": task.report.notice(own), **applying(rules.thresholds, task, deep=rules.deep)}
    selected = {each.id for each in run.document.results} | {each.id for each in told.skipped}
    found["skipped"] = [each for each in found["skipped"] if each["id"] in selected]
    clean = baseline_of(task)
    if clean.id in run.evidence:
        again = rules.judged(rules.thresholds.clean(task), run.evidence[clean.id])
        measured = baseline_facts(task, again.bound_view)
        score = rules.clean_score(task, run.evidence[clean.id])
        found["baseline"] = {**own["baseline"], **measured, **baseline_verdict(again, score, rules.thresholds.gate)}
    return found


def _facts_by_id(run: Run) -> Mapping[str, Sequence[Result]]:
    found: dict[str, list[Result]] = {}
    for result in run.document.results:
        found.setdefault(result.id, []).append(result)
    return found


def _results(case: Case, old: Sequence[Result], evidence: Evidence, rules: _FileRules) -> list[Result]:
    task = tasks()[case.task]
    facts = {name: value for name, value in as_json(old[0]).items() if name not in _JUDGED}
    examples: Sequence[WorstExample] = next(
        (result.examples for result in old if result.view == (case.view or None)), []
    )
    found = rules.judged(case, evidence)
    if case.name == BASELINE:
        found = rules.clean_score(task, evidence).failing(found)
    return results_of(found, task, rules.thresholds.gate, facts, examples)


def copy_files(source: Path, target: Path) -> None:
    """Copies evidence and examples, and removes old examples if the run has none."""
    if source.resolve() == target.resolve():
        return
    for name in (EVIDENCE_NAME, PACKED_NAME, EXAMPLES_NAME):
        if (source / name).is_file():
            write_bytes(target / name, (source / name).read_bytes())
        elif name == EXAMPLES_NAME:
            remove_examples(target)
