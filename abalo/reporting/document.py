"""The document behind every report: plain JSON values, as docs/reference/report.md describes them."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeVar

from abalo.bundled import LEADING, USUAL_LANGUAGE
from abalo.capabilities.blocks import overview
from abalo.config.thresholds import OVERALL, Thresholds
from abalo.core.clean_score import LEAST, CleanScore
from abalo.core.example import Json
from abalo.core.gate import AUTO, UNDETERMINED, Gate
from abalo.core.judging import Judged
from abalo.core.noise import flip_metric, noise
from abalo.core.numbers import estimate_of, interval_of, number_of
from abalo.core.parts import DEVICES, SAMPLED
from abalo.core.results import NOISE
from abalo.core.statistics import Measurement
from abalo.core.task import Task
from abalo.core.verdicts import Judgement, Verdict
from abalo.reporting.conclusion import concluded
from abalo.reporting.foresight import FORESEEN
from abalo.version import __version__

T = TypeVar("T")

SCHEMA = "abalo-robustness/3"

SHARD = "shard"
"""The field about a shard, which the documents of no others have."""

_PACKAGES = ("hypothesis", "numpy", "pytest", "seqeval", "spacy", "torch", "transformers")


def results_of(
    judged: Judged, task: Task, gate: Gate, facts: Mapping[str, Any], examples: Sequence[Json]
) -> list[Json]:
    """One result per view of a case, the bound view first; examples only there.

    ``facts`` are the fields that do not depend on how the case is judged.
    """
    case = judged.case
    fresh = case.probe.refreshed(dict(facts), case, judged.evidence, task, gate)
    shared = {
        **fresh,
        "blocking": case.blocking,
        "reach": number_of(case.probe.reach(case, judged.evidence, task)),
        **_noise(judged, task, gate),
    }
    bound_view = {
        **shared,
        "view": case.view or None,
        **_measured(judged.bound_view, task),
        **(judged_of(judged, gate) if judged.judgements else {**NOT_BOUND, "reason": judged.impossible}),
        "examples": list(examples),
    }
    other_views = [
        {**shared, "view": view, **_measured(judged.measurements[view], task), **NOT_BOUND, "examples": []}
        for view in task.views
        if view != case.view
    ]
    return [bound_view, *other_views]


def _noise(judged: Judged, task: Task, gate: Gate) -> Json:
    """The field `NOISE` of a case that measures flips; nothing if the model gave the same labels twice."""
    found, metric = noise(judged.evidence.notes, None, gate.confidence), flip_metric(task)
    return {} if found is None or metric is None else {NOISE: {"metric": metric.name, **interval_of(found)}}


def gate_of(thresholds: Thresholds, profile: str, *, deep: bool) -> Json:
    """How the run is judged; ``deep`` says whether it holds deep cases."""
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


def applying(thresholds: Thresholds, task: Task, *, deep: bool) -> Json:
    """Of a task whose language is known, how many blocking bounds apply to its corpus, and which cases do not.

    What no corpus could mend is for want of a resource, all else is because of the language.
    """
    return {
        "bounds": sum(len(case.bounds) for case in thresholds.blocking(deep=deep) if case.task == task.name),
        "skipped": [
            {
                "id": case.id,
                "reason": reason,
                "lacks": "language" if case.probe.entries.skipped(case.plan, AUTO) is None else "resource",
            }
            for case, reason in thresholds.left_out(task.name, deep=deep)
        ],
    }


NOT_BOUND: Json = {
    "bound": None,
    "verdict": None,
    "reason": None,
    "p": None,
    "m": None,
    "verdict_uncorrected": None,
    "judgements": [],
}
"""The fields about bounds, as a result without bounds has them."""


def judged_of(judged: Judged, gate: Gate) -> Json:
    """The fields about bounds in the result of a case that has bounds."""
    deciding = judged.deciding
    assert deciding is not None
    return {
        "bound": bounds_in(map(judgement_of, judged.judgements)),
        "verdict": judged.verdict,
        "reason": deciding.reason,
        "p": number_of(deciding.p),
        "m": _corrected_for(judged, gate),
        "verdict_uncorrected": deciding.uncorrected,
        "judgements": [*map(judgement_of, judged.judgements)],
    }


def _corrected_for(judged: Judged, gate: Gate) -> int:
    """The number of bounds that those of a case are corrected for."""
    return judged.blocking_bounds if gate.correction != "none" else 1


def judgement_of(judgement: Judgement) -> Json:
    """A judgement as it stands in a result."""
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
        "sight": number_of(judgement.sight),
        **({} if judgement.noise is None else {NOISE: judgement.noise}),
    }


def languages_of(document: Mapping[str, Any]) -> dict[str, str]:
    """The language of the corpus by task; where a run of an earlier version did not tell it, that of its gate."""
    usual = (document.get("gate") or {}).get("language", USUAL_LANGUAGE)
    known = {name: own["corpus"].get("language", usual) for name, own in (document.get("tasks") or {}).items()}
    return {name: UNDETERMINED if language == AUTO else str(language) for name, language in known.items()}


def baseline_verdict(judged: Judged, score: CleanScore, gate: Gate) -> Json:
    """The verdict on the clean corpus by its bounds and its clean score, None without a bound, and the reason."""
    found = score.failing(judged)
    verdict = found.verdict
    return {
        "verdict": verdict,
        "reason": None if verdict in ("pass", None) else found.explanation,
        "blocking": found.case.blocking,
        "m": _corrected_for(judged, gate),
        "judgements": [*map(judgement_of, found.judgements)],
        LEAST: score.facts,
    }


def bounds_in(judgements: Iterable[Json]) -> Json:
    """Limits by name as in thresholds.toml: a number, or a table where there are limits per type."""
    limits: dict[str, dict[str, float]] = {}
    for judgement in judgements:
        limits.setdefault(judgement["bound"], {})[judgement["type"] or OVERALL] = judgement["limit"]
    return {name: table[OVERALL] if list(table) == [OVERALL] else table for name, table in limits.items()}


def _measured(measurement: Measurement, task: Task) -> Json:
    metrics = task.metrics()
    return {
        "metrics": {name: estimate_of(estimate) for name, estimate in measurement.overall.items()},
        "per_type": {
            group: {name: estimate_of(estimate) for name, estimate in estimates.items() if metrics[name].per_group}
            | {"support": measurement.support[group]}
            for group, estimates in measurement.per_group.items()
        },
    }


def versions() -> Json:
    """Python and the packages that matter."""
    found = {"abalo": __version__, "python": platform.python_version()}
    for name in _PACKAGES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def assemble(
    facts: Json,
    results: Iterable[Json],
    missing: Iterable[str],
    errors: Iterable[Json],
    complete: bool,
    regressions: Sequence[Json] = (),
    comparison: Json | None = None,
    not_run: Iterable[Json] = (),
) -> Json:
    """The whole document, from what the tests sent, with the verdict on the run.

    A case that says nothing about the corpus is not missing.

    ``facts`` are those of the run and, under ``tasks``, of each of its tasks; those of the only task, or of the one
    that leads, stand at the top too. ``comparison`` is that with the reference, None where there is none. ``not_run``
    are cases that a run was judged anew without, each with the reason.
    """
    skipped = {each["id"] for own in facts.get("tasks", {}).values() for each in own.get("skipped", ())}
    results, missing, errors = list(results), sorted(set(missing) - skipped), list(errors)
    facts = with_top_level(_with_bounds(facts), results)
    document = {
        "schema": SCHEMA,
        "complete": complete and not missing and not errors,
        "missing": missing,
        "errors": errors,
        "not_run": list(not_run),
        "verdict": None,
        "counts": counts_of(results),
        **facts,
        "comparison": comparison,
        "capabilities": overview(results),
        "results": results,
        "regressions": list(regressions),
    }
    return {**document, "verdict": concluded(document).verdict}


def counts_of(results: Sequence[Json]) -> dict[str, int]:
    """How many results have each verdict; a failure that does not block counts apart."""
    return {
        "pass": _count(results, "pass"),
        "fail": _count(results, "fail", blocking=True),
        "inconclusive": _count(results, "inconclusive"),
        "not_blocking": _count(results, "fail", blocking=False),
    }


def in_order(clean: Mapping[str, T], cases: Mapping[str, T], order: Iterable[str]) -> dict[str, T]:
    """All that there is about the clean corpora, by id, and then about the cases, in their order; each id once."""
    return {**dict(sorted(clean.items())), **{case: cases[case] for case in order if case in cases}}


def _with_bounds(facts: Json) -> Json:
    """With the number of bounds that apply in all tasks of the run, where each says its own."""
    own = [each.get("bounds") for each in facts.get("tasks", {}).values()]
    if not own or None in own or "gate" not in facts:
        return facts
    return {**facts, "gate": {**facts["gate"], "bounds": sum(own)}}


def with_top_level(facts: Json, results: Sequence[Json]) -> Json:
    """The facts of a run with what its tasks repeat at the top, and the model inputs that the cases needed."""
    found = {name: _with_windows(name, own, results) for name, own in facts.get("tasks", {}).items()}
    leading = next((name for name in found if len(found) == 1 or name == LEADING), None)
    top: Json = {} if leading is None else {key: value for key, value in found[leading].items() if key not in _OF_TASK}
    return {**facts, **top, **({"tasks": found} if found else {})}


_OF_TASK = ("bounds", "skipped", "types", FORESEEN, DEVICES, SAMPLED)
"""Facts that stand with each task alone."""


def _with_windows(task: str, own: Json, results: Sequence[Json]) -> Json:
    cases = _case_windows(result for result in results if result["task"] == task)
    return {**own, "forwards": {**own["forwards"], "cases": cases}}


def _case_windows(results: Iterable[Json]) -> int:
    """Model inputs that the cases needed; what attacks share, and cases that make the same, counted once."""
    same = ("perturbation", "params", "span_source", "seeds", "sentences", "require")
    by_inputs = {json.dumps([result.get(name) for name in same]): result for result in results}
    return sum(result["forwards"] - result["shared_forwards"] for result in by_inputs.values())


def _count(results: Iterable[Json], verdict: Verdict, blocking: bool | None = None) -> int:
    """How many results have the verdict; with ``blocking``, of cases that block, or do not."""
    return sum(result["verdict"] == verdict and blocking in (None, result["blocking"]) for result in results)
