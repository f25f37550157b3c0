"""A finished run judged anew: the same evidence, other bounds, another gate."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from abalo.config.thresholds import Thresholds
from abalo.core.case import Case
from abalo.core.evidence import Evidence, read
from abalo.core.example import Json
from abalo.core.judging import judged
from abalo.core.session import baseline_of
from abalo.core.task import tasks
from abalo.errors import AbaloError
from abalo.files import write_bytes
from abalo.reporting.archives import EVIDENCE_NAME, EXAMPLES_NAME
from abalo.reporting.document import NOT_BOUND, SCHEMA, assemble, gate_of, results_of, versions

DOCUMENT = "robustness.json"

UNDECIDED = 10
"""The exit code when no bound failed, but some were inconclusive and count as failures, or none was decided."""

_JUDGED = {*NOT_BOUND, "view", "metrics", "per_type", "examples"}
"""The fields of a result that judging makes; all others are facts."""


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """A finished run: its document, and the evidence of its cases."""

    document: Mapping[str, Any]
    evidence: Mapping[str, Evidence]


def read_run(folder: Path) -> Run:
    """The run whose reports are in the folder; raises `AbaloError` where there is none, or no evidence of it."""
    path = folder / DOCUMENT
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise AbaloError(f"{path}: cannot be read: {error.strerror or error}; give the folder of a run") from error
    except (ValueError, RecursionError) as error:
        raise AbaloError(f"{path}: is not JSON: {error}; run the gate again") from error
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise AbaloError(f"{path}: is not the report of a run in the format {SCHEMA}; run the gate again")
    try:
        cases = {str(result["id"]) for result in document["results"]}
    except (KeyError, TypeError) as error:
        raise AbaloError(f"{path}: its results cannot be read ({error!r}); run the gate again") from error
    evidence = read(folder / EVIDENCE_NAME)
    lost = sorted(cases - set(evidence))
    if lost:
        raise AbaloError(f"{folder / EVIDENCE_NAME}: has no evidence of {', '.join(lost)}; run the gate again")
    return Run(document, evidence)


def rejudged(run: Run, thresholds: Thresholds) -> Json:
    """The document of the run as it would be under these thresholds; raises `AbaloError` where no case is left.

    Cases of the file that were not run are left out, and so are cases of the run that the file does not have.
    """
    old, by_id = run.document, _facts_by_id(run)
    cases = [case for case in thresholds.cases if case.id in by_id]
    if not cases:
        raise AbaloError(
            f"{thresholds.path.name}: has none of the cases of the run: {', '.join(by_id) or 'it has none'}"
        )
    bounds = sum(len(case.bounds) for case in cases if case.blocking)
    order = [case for key in by_id for case in cases if case.id == key]
    results = [
        each for case in order for each in _results(case, by_id[case.id], run.evidence[case.id], thresholds, bounds)
    ]
    profile = str(old.get("gate", {}).get("profile", "dev"))
    facts = {
        "versions": versions(),
        "gate": gate_of(thresholds, bounds, profile),
        "tasks": {name: _task_facts(name, own, run, thresholds) for name, own in old.get("tasks", {}).items()},
    }
    kept = [name for name in old["missing"] if any(case.id == name for case in thresholds.cases)]
    return assemble(facts, results, kept, old["errors"], bool(old["complete"]) or bool(kept), old["regressions"])


def _facts_by_id(run: Run) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for result in run.document["results"]:
        found.setdefault(result["id"], []).append(result)
    return found


def _task_facts(name: str, facts: Mapping[str, Any], run: Run, thresholds: Thresholds) -> Json:
    """The facts of a task, the numbers of its clean corpus measured anew where the run had a case for that."""
    task = tasks()[name]
    case = baseline_of(task)
    evidence = run.evidence.get(case.id)
    if evidence is None:
        return dict(facts)
    found = case.probe.measure(case, evidence, task, thresholds.gate)[case.view]
    return {**facts, "baseline": {**facts["baseline"], **task.baseline_facts(found)}}


def _results(
    case: Case, old: Sequence[Mapping[str, Any]], evidence: Evidence, thresholds: Thresholds, bounds: int
) -> list[Json]:
    task = tasks()[case.task]
    facts = {name: value for name, value in old[0].items() if name not in _JUDGED}
    examples: Sequence[Json] = next((result["examples"] for result in old if result["view"] == (case.view or None)), [])
    found = judged(case, task, evidence, thresholds.gate, bounds)
    return results_of(found, task, thresholds.gate, bounds, facts, examples)


def copied(source: Path, target: Path) -> None:
    """Copies the evidence and the examples of a run; nothing where both are the same folder."""
    if source.resolve() == target.resolve():
        return
    for name in (EVIDENCE_NAME, EXAMPLES_NAME):
        if (source / name).is_file():
            write_bytes(target / name, (source / name).read_bytes())


def exit_code(document: Mapping[str, Any]) -> int:
    """The exit code that a run with this document has."""
    return {"pass": 0, "fail": 1}.get(document["verdict"], UNDECIDED)
