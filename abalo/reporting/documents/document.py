"""The JSON document behind every report (docs/reference/report.md)."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeVar

from abalo.bundled import LEADING, USUAL_LANGUAGE
from abalo.capabilities.blocks import overview
from abalo.comparison.document.foresight import FORESEEN
from abalo.config.thresholds import OVERALL, Thresholds
from abalo.core.documents.document import SCHEMA, CaseError, Document, GateFacts, Regression, TaskFacts
from abalo.core.documents.found import Result, WorstExample
from abalo.core.documents.losses_found import Comparison
from abalo.core.documents.parts import DEVICES, SAMPLED
from abalo.core.protocols.results import NOISE
from abalo.core.protocols.task import Task
from abalo.core.records.example import JsonObject
from abalo.core.records.gate import AUTO, UNDETERMINED, Gate
from abalo.core.records.json_records import read
from abalo.core.running.clean_score import LEAST, CleanScore
from abalo.core.running.judging import Judged
from abalo.core.running.noise import noise_facts
from abalo.core.statistics.estimates import Measurement
from abalo.core.statistics.numbers import estimate_of, interval_of, number_of
from abalo.core.statistics.verdicts import Judgement, Verdict
from abalo.reporting.documents.conclusion import conclude
from abalo.version import __version__

T = TypeVar("T")

SHARD = "shard"

_PACKAGES = ("hypothesis", "numpy", "pytest", "seqeval", "spacy", "torch", "transformers")


def results_of(
    judged: Judged,
    task: Task,
    gate: Gate,
    facts: Mapping[str, object],
    examples: Sequence[JsonObject] | Sequence[WorstExample],
) -> list[Result]:
    """Returns a result per view, the bound view with examples first."""
    case = judged.case
    fresh = case.probe.refreshed(dict(facts), case, judged.evidence, task, gate)
    shared = {
        **fresh,
        "blocking": case.blocking,
        "reach": number_of(case.probe.reach(case, judged.evidence, task)),
        **({NOISE: found} if (found := noise_facts(judged.evidence, task, gate)) else {}),
    }
    bound_view = {
        **shared,
        "view": case.view or None,
        **_measured_fields(judged.bound_view, task),
        **(bound_fields(judged, gate) if judged.judgements else {**NOT_BOUND, "reason": judged.impossible}),
        "examples": list(examples),
    }
    other_views = [
        {**shared, "view": view, **_measured_fields(judged.measurements[view], task), **NOT_BOUND, "examples": []}
        for view in task.views
        if view != case.view
    ]
    return [read(Result, each) for each in (bound_view, *other_views)]


def gate_of(thresholds: Thresholds, profile: str, *, deep: bool) -> JsonObject:
    """Returns how the run is judged, with deep cases if ``deep``."""
    gate = thresholds.gate
    return {
        "thresholds": thresholds.path.name,
        "confidence": gate.confidence,
        "inconclusive": gate.inconclusive,
        "correction": gate.correction,
        "bounds": sum(len(case.bounds) for case in thresholds.blocking(deep=deep)),
        "resamples": gate.resamples,
        "language": gate.language,
        "seeds": list(gate.seeds),
        "profile": profile,
    }


def applying(thresholds: Thresholds, task: Task, *, deep: bool) -> JsonObject:
    """Counts a task's blocking bounds, and lists the cases that lack a language or resource."""
    language = thresholds.language_of(task.name)
    return {
        "bounds": sum(len(case.bounds) for case in thresholds.blocking(deep=deep) if case.task == task.name),
        "skipped": [
            {
                "id": case.id,
                "reason": reason,
                "lacks": "resource" if case.probe.entries.lacks_resource(case.plan, language) else "language",
            }
            for case, reason in thresholds.left_out(task.name, deep=deep)
        ],
    }


NOT_BOUND: JsonObject = {
    "bound": None,
    "verdict": None,
    "reason": None,
    "p": None,
    "m": None,
    "verdict_uncorrected": None,
    "judgements": [],
}


def bound_fields(judged: Judged, gate: Gate) -> JsonObject:
    """Returns the bound fields of a case."""
    deciding = judged.deciding
    assert deciding is not None
    return {
        "bound": bounds_in((each.bound.name, each.bound.type, each.bound.limit) for each in judged.judgements),
        "verdict": judged.verdict,
        "reason": deciding.reason,
        "p": number_of(deciding.p),
        "m": _correction_count(judged, gate),
        "verdict_uncorrected": deciding.uncorrected,
        "judgements": [*map(judgement_of, judged.judgements)],
    }


def _correction_count(judged: Judged, gate: Gate) -> int:
    return judged.blocking_bounds if gate.correction != "none" else 1


def judgement_of(judgement: Judgement) -> JsonObject:
    """Returns a judgement as stored."""
    return {
        "bound": judgement.bound.name,
        "type": judgement.bound.type,
        "limit": judgement.bound.limit,
        **interval_of(judgement.estimate),
        "p": number_of(judgement.p),
        "verdict": judgement.verdict,
        "verdict_uncorrected": judgement.uncorrected,
        "reason": judgement.reason,
        "needed": judgement.needed,
        "detectable_loss": number_of(judgement.detectable_loss),
        **({} if judgement.noise is None else {NOISE: judgement.noise}),
    }


def languages_of(tasks: Mapping[str, TaskFacts], gate: GateFacts) -> dict[str, str]:
    """Returns corpus languages by task; older runs stored one in the gate."""
    usual = gate.language or USUAL_LANGUAGE
    known = {name: own.corpus.language or usual for name, own in tasks.items()}
    return {name: UNDETERMINED if language == AUTO else language for name, language in known.items()}


def baseline_verdict(judged: Judged, score: CleanScore, gate: Gate) -> JsonObject:
    """Returns the verdict on the clean corpus, None if it has no bound, and the reason."""
    found = score.failing(judged)
    verdict = found.verdict
    return {
        "verdict": verdict,
        "reason": None if verdict in ("pass", None) else found.explanation,
        "blocking": found.case.blocking,
        "m": _correction_count(judged, gate),
        "judgements": [*map(judgement_of, found.judgements)],
        LEAST: score.facts,
    }


def bounds_in(bounds: Iterable[tuple[str, str | None, float]]) -> JsonObject:
    """Returns limits by name as in thresholds.toml, in a table if per type."""
    limits: dict[str, dict[str, float]] = {}
    for name, group, limit in bounds:
        limits.setdefault(name, {})[group or OVERALL] = limit
    return {name: table[OVERALL] if list(table) == [OVERALL] else table for name, table in limits.items()}


def _measured_fields(measurement: Measurement, task: Task) -> JsonObject:
    metrics = task.metrics()
    return {
        "metrics": {name: estimate_of(estimate) for name, estimate in measurement.overall.items()},
        "per_type": {
            group: {name: estimate_of(estimate) for name, estimate in estimates.items() if metrics[name].per_group}
            | {"support": measurement.support[group]}
            for group, estimates in measurement.per_group.items()
        },
    }


def versions() -> JsonObject:
    """Returns the versions of Python and the main packages."""
    found = {"abalo": __version__, "python": platform.python_version()}
    known = {name: _version_of(name) for name in _PACKAGES}
    return found | {name: each for name, each in known.items() if each is not None}


@cache
def _version_of(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def assemble(
    facts: JsonObject,
    results: Iterable[Result],
    missing: Iterable[str],
    errors: Iterable[JsonObject] | Iterable[CaseError],
    complete: bool,
    regressions: Iterable[JsonObject] | Iterable[Regression] = (),
    comparison: Comparison | None = None,
    not_run: Iterable[JsonObject] = (),
) -> Document:
    """Assembles the document, with its verdict, from what the tests sent.

    A case that does not apply to the corpus is not missing. ``facts`` has a task's facts under ``tasks``; ``not_run``
    lists
    cases that a rejudged run lacks, with reasons.
    """
    skipped = {each["id"] for own in facts.get("tasks", {}).values() for each in own.get("skipped", ())}
    results, missing, failed = list(results), sorted(set(missing) - skipped), list[Any](errors)
    facts = with_top_level(_with_bounds(facts), results)
    parts = {
        "schema": SCHEMA,
        "complete": complete and not missing and not failed,
        "missing": missing,
        "errors": failed,
        "not_run": list(not_run),
        "verdict": "measured",
        "counts": counts_of(results),
        **facts,
        "comparison": comparison,
        "capabilities": overview(results),
        "results": results,
        "regressions": list(regressions),
    }
    document = read(Document, parts)
    return replace(document, verdict=conclude(document).verdict)


def counts_of(results: Sequence[Result]) -> dict[str, int]:
    """Counts results by verdict, non-blocking failures separately."""
    return {
        "pass": _count(results, "pass"),
        "fail": _count(results, "fail", blocking=True),
        "inconclusive": _count(results, "inconclusive"),
        "not_blocking": _count(results, "fail", blocking=False),
    }


def in_order(clean: Mapping[str, T], cases: Mapping[str, T], order: Iterable[str]) -> dict[str, T]:
    """Merges clean corpora, sorted by id, with cases in the given order."""
    return {**dict(sorted(clean.items())), **{case: cases[case] for case in order if case in cases}}


def _with_bounds(facts: JsonObject) -> JsonObject:
    own = [each.get("bounds") for each in facts.get("tasks", {}).values()]
    if not own or None in own or "gate" not in facts:
        return facts
    return {**facts, "gate": {**facts["gate"], "bounds": sum(own)}}


def with_top_level(facts: JsonObject, results: Sequence[Result]) -> JsonObject:
    """Adds the top-level copies of task facts, and the model inputs."""
    found = {name: _with_inputs(name, own, results) for name, own in facts.get("tasks", {}).items()}
    leading = next((name for name in found if len(found) == 1 or name == LEADING), None)
    top: JsonObject = (
        {} if leading is None else {key: value for key, value in found[leading].items() if key not in _OF_TASK}
    )
    return {**facts, **top, **({"tasks": found} if found else {})}


_OF_TASK = ("bounds", "skipped", "types", "design", FORESEEN, DEVICES, SAMPLED)


def _with_inputs(task: str, own: JsonObject, results: Sequence[Result]) -> JsonObject:
    cases = _case_inputs(result for result in results if result.task == task)
    return {**own, "inputs": {**own["inputs"], "cases": cases}}


def _case_inputs(results: Iterable[Result]) -> int:
    by_inputs = {
        json.dumps(
            [each.name, each.params, each.seeds, each.sentences, *map(each.more.get, ("span_source", "require"))]
        ): each
        for each in results
    }
    return sum(result.inputs - result.shared_inputs for result in by_inputs.values())


def _count(results: Iterable[Result], verdict: Verdict, blocking: bool | None = None) -> int:
    return sum(result.verdict == verdict and blocking in (None, result.blocking) for result in results)
