"""The document behind every report: plain JSON values, as docs/schema.md describes them."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeVar

from abalo import __version__
from abalo.bundled import USUAL_LANGUAGE
from abalo.capabilities.blocks import overview
from abalo.config.thresholds import OVERALL, Thresholds
from abalo.core.example import Json
from abalo.core.gate import AUTO, UNDETERMINED, Gate
from abalo.core.judging import Judged, shown
from abalo.core.numbers import estimate_of, interval_of, number_of
from abalo.core.parts import DEVICES, SAMPLED
from abalo.core.statistics import Measurement
from abalo.core.task import Task, tasks
from abalo.core.verdicts import Judgement, Verdict

T = TypeVar("T")

SCHEMA = "abalo-robustness/2"

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
    shared = {**task.refreshed(fresh, judged.bound_view), "blocking": case.blocking}
    bound_view = {
        **shared,
        "view": case.view or None,
        **_measured(judged.bound_view, task),
        **(judged_of(judged, gate) if case.bounds else NOT_BOUND),
        "examples": list(examples),
    }
    other_views = [
        {**shared, "view": view, **_measured(judged.measurements[view], task), **NOT_BOUND, "examples": []}
        for view in task.views
        if view != case.view
    ]
    return [bound_view, *other_views]


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
    """Of a task whose language is known, how many blocking bounds apply to its corpus, and which cases do not."""
    return {
        "bounds": sum(len(case.bounds) for case in thresholds.blocking(deep=deep) if case.task == task.name),
        "skipped": [{"id": case.id, "reason": reason} for case, reason in thresholds.left_out(task.name, deep=deep)],
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
        "bound": _bounds(judged.judgements),
        "verdict": judged.verdict,
        "reason": deciding.reason,
        "p": number_of(deciding.p),
        "m": judged.blocking_bounds if gate.correction != "none" else 1,
        "verdict_uncorrected": deciding.uncorrected,
        "judgements": [
            {
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
            }
            for judgement in judged.judgements
        ],
    }


def languages_of(document: Mapping[str, Any]) -> dict[str, str]:
    """The language of the corpus by task; where a run of an earlier version did not tell it, that of its gate."""
    usual = (document.get("gate") or {}).get("language", USUAL_LANGUAGE)
    known = {name: own["corpus"].get("language", usual) for name, own in (document.get("tasks") or {}).items()}
    return {name: UNDETERMINED if language == AUTO else str(language) for name, language in known.items()}


def baseline_verdict(judged: Judged, task: Task) -> Json:
    """The verdict on the clean corpus, and the reason where it is no pass.

    Without a bound it is decided where the interval of the floor metric lies above 0.
    """
    if judged.judgements:
        verdict, reason = judged.verdict, judged.explanation
    else:
        floor = judged.bound_view.estimate(task.floor)
        verdict = "pass" if floor.low > 0 else "inconclusive"
        reason = f"{task.metrics()[task.floor].words} {shown(floor)} may be 0, and no bound says how good it must be"
    return {"verdict": verdict, "reason": None if verdict == "pass" else reason, "blocking": judged.case.blocking}


def _bounds(judgements: Iterable[Judgement]) -> Json:
    """Limits by name as in thresholds.toml: a number, or a table where there are limits per type."""
    limits: dict[str, dict[str, float]] = {}
    for judgement in judgements:
        limits.setdefault(judgement.bound.name, {})[judgement.bound.type or OVERALL] = judgement.bound.limit
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
    facts = _with_top_level(_with_bounds(facts), results)
    complete = complete and not missing and not errors
    return {
        "schema": SCHEMA,
        "complete": complete,
        "missing": missing,
        "errors": errors,
        "not_run": list(not_run),
        "verdict": _verdict(results, facts, complete, errors, regressions, comparison),
        "counts": {
            "pass": _count(results, "pass"),
            "fail": _count(results, "fail", blocking=True),
            "inconclusive": _count(results, "inconclusive"),
            "not_blocking": _count(results, "fail", blocking=False),
        },
        **facts,
        "comparison": comparison,
        "capabilities": overview(results),
        "results": results,
        "regressions": list(regressions),
    }


def in_order(clean: Mapping[str, T], cases: Mapping[str, T], order: Iterable[str]) -> dict[str, T]:
    """All that there is about the clean corpora, by id, and then about the cases, in their order; each id once."""
    return {**dict(sorted(clean.items())), **{case: cases[case] for case in order if case in cases}}


def verdict_of(document: Json) -> Verdict:
    """The verdict on a run that follows from what its document holds."""
    results, complete, errors, regressions = (
        document[name] for name in ("results", "complete", "errors", "regressions")
    )
    return _verdict(results, document, complete, errors, regressions, document.get("comparison"))


def _verdict(
    results: Sequence[Json],
    facts: Json,
    complete: bool,
    errors: Sequence[Json],
    regressions: Sequence[Json],
    comparison: Json | None,
) -> Verdict:
    failed, decided = bool(errors) or _broken(regressions), comparison is not None and comparison["decided"]
    by_bounds = _run_verdict(results, facts, complete, failed, bool(regressions), decided)
    return with_losses(by_bounds, comparison, facts)


def _with_bounds(facts: Json) -> Json:
    """With the number of bounds that apply in all tasks of the run, where each says its own."""
    own = [each.get("bounds") for each in facts.get("tasks", {}).values()]
    if not own or None in own or "gate" not in facts:
        return facts
    return {**facts, "gate": {**facts["gate"], "bounds": sum(own)}}


def _with_top_level(facts: Json, results: Sequence[Json]) -> Json:
    found = {name: _with_windows(name, own, results) for name, own in facts.get("tasks", {}).items()}
    leading = next((name for name in found if len(found) == 1 or tasks()[name].leads), None)
    top: Json = {} if leading is None else {key: value for key, value in found[leading].items() if key not in _OF_TASK}
    for name, own in found.items():
        top |= tasks()[name].top_level(own)
    return {**facts, **top, **({"tasks": found} if found else {})}


_OF_TASK = ("bounds", "skipped", "types", DEVICES, SAMPLED)
"""Facts that stand with each task alone."""


def _with_windows(task: str, own: Json, results: Sequence[Json]) -> Json:
    cases = _case_windows(result for result in results if result["task"] == task)
    return {**own, "forwards": {**own["forwards"], "cases": cases}}


def _broken(regressions: Iterable[Json]) -> bool:
    return any(regression["status"] != "fixed" for regression in regressions)


def _case_windows(results: Iterable[Json]) -> int:
    """Model inputs that the cases needed; what attacks share, and cases that make the same, counted once."""
    same = ("perturbation", "params", "span_source", "seeds", "sentences", "require")
    by_inputs = {json.dumps([result.get(name) for name in same]): result for result in results}
    return sum(result["forwards"] - result["shared_forwards"] for result in by_inputs.values())


def _count(results: Iterable[Json], verdict: Verdict, blocking: bool | None = None) -> int:
    """How many results have the verdict; with ``blocking``, of cases that block, or do not."""
    return sum(result["verdict"] == verdict and blocking in (None, result["blocking"]) for result in results)


def with_losses(verdict: Verdict, comparison: Json | None, facts: Json) -> Verdict:
    """The verdict on a run by its bounds, or that by its losses against a reference where this is worse.

    Of the ``facts`` the setting ``inconclusive`` of the gate is read.
    """
    state = None if comparison is None else comparison["state"]
    if state == "regressed" or verdict == "fail":
        return "fail"
    undecided = state in ("can't tell", "not comparable") and facts["gate"]["inconclusive"] == "fail"
    idle = comparison is not None and nothing_compared(comparison)
    return "inconclusive" if undecided or idle else verdict


def nothing_compared(comparison: Json) -> bool:
    """Whether no loss at all could be compared with the reference."""
    every = [each for own in comparison["tasks"].values() for each in (own["baseline"], own["mean"], *own["losses"])]
    return all(each is None or each["state"] == "not comparable" for each in every)


def _run_verdict(
    results: Sequence[Json], facts: Json, complete: bool, failed: bool, replayed: bool, decided: bool
) -> Verdict:
    """The verdict by bounds; where nothing was judged, a comparison with a reference may have ``decided``."""
    clean = {
        own["baseline"].get("verdict") for own in facts.get("tasks", {}).values() if own["baseline"].get("blocking")
    }
    if failed or _count(results, "fail", blocking=True) or "fail" in clean:
        return "fail"
    nothing_judged = _count(results, "pass") + _count(results, "fail") == 0 and not replayed
    open_still = (nothing_judged or "inconclusive" in clean) and not decided
    undecided = _count(results, "inconclusive", blocking=True) and facts["gate"]["inconclusive"] == "fail"
    return "inconclusive" if open_still or undecided or not complete else "pass"
