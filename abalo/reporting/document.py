"""The document behind every report: plain JSON values, as docs/schema.md describes them."""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from abalo import __version__
from abalo.corpora import Corpus
from abalo.core.judging import Decided, Judged
from abalo.tasks.ner.metrics import metrics
from abalo.tasks.ner.metrics.entities import entity_counts, f1
from abalo.models import TokenModel
from abalo.core.example import Outcome
from abalo.reporting.campaigns import attack_facts
from abalo.reporting.examples import examples
from abalo.reporting.promises import promise_facts
from abalo.sources.resources import MASK_FALLBACK
from abalo.core.case import OF, CaseRun
from abalo.models.scores import Scale
from abalo.core.statistics import Estimate, Measurement, cluster_count, entity_types
from abalo.models.prediction import Prediction
from abalo.tasks.ner.alignment import VIEWS
from abalo.config.thresholds import OVERALL, Gate, Thresholds
from abalo.core.verdicts import Judgement, Verdict
from perturbations import sentence_id

SCHEMA = "abalo-robustness/1"

_PACKAGES = ("hypothesis", "numpy", "pytest", "seqeval", "torch", "transformers")

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class RunFacts:
    """What holds for the whole run, whichever case is looked at."""

    thresholds: Thresholds
    seeds: tuple[int, ...]
    corpus: Corpus
    limit: int | None
    model: TokenModel
    bundled_model: bool
    clean: Sequence[Prediction]
    mask_token: str | None
    blocking_bounds: int
    scale: Scale | None
    profile: str = "dev"


def results_of(judged: Judged, gate: Gate, blocking_bounds: int, command: str, with_text: bool) -> list[Json]:
    """One result per view of a case, the bound view first; examples only there, and only ``with_text``."""
    run = judged.run
    case, outcomes = run.case, run.outcomes
    shared: Json = {
        "id": case.id,
        "task": case.task,
        "perturbation": case.name,
        "kind": None if case.perturbation is None else case.perturbation.kind,
        "params": dict(run.params),
        "span_source": case.span_source,
        "blocking": case.blocking,
        "seeds": list(run.seeds),
        **_sentences(run),
        "variants": sum(outcome.changed for outcome in outcomes),
        "unscored": _unscored_tokens(run),
        "seconds": round(run.seconds, 3),
        "forwards": run.forwards,
        "shared_forwards": run.shared_forwards,
        "attack": None if run.campaign is None else attack_facts(run.campaign, run.params),
        "promise": None if run.promised is None else promise_facts(run.promised, with_text=with_text),
        "questions": None,
        "slice": _slice(run, judged.rest),
        "require": [
            {"validator": demand.validator.name, "side": demand.validator.side, "limit": demand.limit, "by": score.name}
            for demand, score in run.required
        ],
        "filtered": run.filtered,
        "command": command,
    }
    bound_view = {
        **shared,
        "view": case.view,
        **_measured(judged.bound_view),
        **(judged_of(judged, gate, blocking_bounds) if case.bounds else NOT_BOUND),
        "examples": examples(outcomes, case.view) if with_text else [],
    }
    other_views = [
        {**shared, "view": view, **_measured(judged.measurements[view]), **NOT_BOUND, "examples": []}
        for view in VIEWS
        if view != case.view
    ]
    return [bound_view, *other_views]


def facts_of(facts: RunFacts, baseline: Measurement) -> Json:
    """The parts of the document that are about the run, not about a case."""
    model, corpus = facts.model, facts.corpus
    return {
        "notice": _notice(facts),
        "versions": versions(),
        "model": {
            "name": "the bundled model" if facts.bundled_model else model.name,
            "fingerprint": model.fingerprint,
            "labels": list(model.labels),
            "mask_token": facts.mask_token if facts.mask_token is not None else MASK_FALLBACK,
            "mask_fallback": facts.mask_token is None,
            "settings": dict(model.settings),
            "wordless": sum(prediction.wordless for prediction in facts.clean),
            "temperature": facts.scale.temperature if facts.scale is not None else None,
            "temperature_at_limit": facts.scale.at_limit if facts.scale is not None else None,
        },
        "corpus": {
            "name": corpus.name,
            "sha256": corpus.sha256,
            "sentences": len(corpus.sentences),
            "distinct": len({sentence_id(sentence) for sentence in corpus.sentences}),
            "tokens": sum(map(len, corpus.sentences)),
            "entities": corpus.entity_counts,
            "scheme": corpus.scheme,
            "repairs": corpus.repairs,
            "limit": facts.limit,
        },
        "device": model.device,
        "forwards": {"clean": _clean_windows(facts)},
        "seeds": list(facts.seeds),
        "gate": gate_of(facts.thresholds, facts.blocking_bounds, facts.profile),
        "baseline": _baseline(facts, baseline),
    }


def gate_of(thresholds: Thresholds, blocking_bounds: int, profile: str) -> Json:
    """How the run is judged."""
    gate = thresholds.gate
    return {
        "thresholds": thresholds.path.name,
        "confidence": gate.confidence,
        "inconclusive": gate.inconclusive,
        "correction": gate.correction,
        "bounds": blocking_bounds,
        "resamples": gate.resamples,
        "language": gate.language,
        "profile": profile,
    }


def _slice(run: CaseRun, rest: Measurement | None) -> Json | None:
    """What is in a slice, and the sentences that are not."""
    if run.sliced is None or rest is None:
        return None
    return {
        "of": run.case.params[OF],
        "text": run.sliced.text,
        "rest": {
            "sentences": len(run.sliced.rest),
            "distinct": cluster_count(run.sliced.rest),
            "f1": estimate_of(rest.estimate("f1")) if any(rest.support.values()) else None,
        },
    }


def _sentences(run: CaseRun) -> Json:
    """How many sentences there were, copies counted, how many distinct ones, and how many changed under any seed."""
    changed = {outcome.sentence_id for outcome in run.outcomes if outcome.changed}
    distinct = cluster_count(run.outcomes)
    if run.campaign is not None:
        return {"sentences": run.campaign.sentences, "distinct": distinct, "changed": len(changed)}
    seen = [sentence_id(sentence) for sentence in run.corpus.sentences]
    return {"sentences": len(seen), "distinct": distinct, "changed": sum(each in changed for each in seen)}


def _unscored_tokens(run: CaseRun) -> int | None:
    """Tokens in gold entities, counted once, whose label is none of the model's; None where there are no scores."""
    once = {id(outcome.gold): outcome for outcome in run.outcomes}.values()
    if any(outcome.scale is None or outcome.clean.scores is None for outcome in once):
        return None
    labels = {label for outcome in once if outcome.scale is not None for label in outcome.scale.labels}
    return sum(tag != "O" and tag not in labels for outcome in once for tag in outcome.gold.tags or ())


def _clean_windows(facts: RunFacts) -> int:
    """Distinct model inputs of the clean corpus: equal sentences share one prediction."""
    return sum({id(prediction): prediction.windows for prediction in facts.clean}.values())


NOT_BOUND: Json = {
    "bound": None,
    "verdict": None,
    "reason": None,
    "p": None,
    "m": None,
    "verdict_uncorrected": None,
    "judgements": [],
}
"""What a result without bounds has in their place."""


def judged_of(judged: Decided, gate: Gate, blocking_bounds: int) -> Json:
    """What the bounds of a case say, for its result."""
    deciding = judged.deciding
    assert deciding is not None
    return {
        "bound": _bounds(judged.judgements),
        "verdict": judged.verdict,
        "reason": deciding.reason,
        "p": number_of(deciding.p),
        "m": blocking_bounds if gate.correction != "none" else 1,
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
            }
            for judgement in judged.judgements
        ],
    }


def _bounds(judgements: Iterable[Judgement]) -> Json:
    """Limits by name as in thresholds.toml: a number, or a table where there are limits per type."""
    limits: dict[str, dict[str, float]] = {}
    for judgement in judgements:
        limits.setdefault(judgement.bound.name, {})[judgement.bound.type or OVERALL] = judgement.bound.limit
    return {name: table[OVERALL] if list(table) == [OVERALL] else table for name, table in limits.items()}


def _measured(measurement: Measurement) -> Json:
    return {
        "metrics": {name: estimate_of(estimate) for name, estimate in measurement.overall.items()},
        "per_type": {
            kind: {name: estimate_of(estimate) for name, estimate in estimates.items() if metrics()[name].per_type}
            | {"support": measurement.support[kind]}
            for kind, estimates in measurement.per_type.items()
        },
    }


def _baseline(facts: RunFacts, baseline: Measurement) -> Json:
    measured = _measured(baseline)
    wanted = ("precision", "recall", "f1")
    return {
        **{name: measured["metrics"][name] for name in wanted},
        "per_type": {
            kind: {name: row[name] for name in (*wanted, "support")} for kind, row in measured["per_type"].items()
        },
        "f1_other_aggregation": _f1_of_alternatives(facts),
    }


def _f1_of_alternatives(facts: RunFacts) -> float | None:
    """Clean F1 under the other aggregation of word pieces, from the same forward; None where there is none."""
    outcomes = []
    for sentence, prediction in zip(facts.corpus.sentences, facts.clean, strict=True):
        if prediction.alternative is None:
            return None
        other = Prediction(prediction.alternative)
        outcomes.append(Outcome(sentence_id(sentence), 0, sentence, other, None, other))
    counts = entity_counts(outcomes, "projected", entity_types(outcomes))
    return float(f1(counts.sum(axis=(0, 1))))


def _notice(facts: RunFacts) -> str | None:
    if facts.bundled_model or "ner" not in facts.thresholds.calibrated_elsewhere:
        return None
    return (
        "These bounds were measured on the bundled model, not on this one: "
        "measure your own with abalo calibrate --model MODEL --corpus CORPUS --out FILE."
    )


def estimate_of(estimate: Estimate) -> Json | None:
    """A measured number; None where it has no meaning."""
    return None if math.isnan(estimate.value) else {**interval_of(estimate), "n": estimate.n}


def interval_of(estimate: Estimate) -> Json:
    """The number with the ends of its interval."""
    return {"value": number_of(estimate.value), "low": number_of(estimate.low), "high": number_of(estimate.high)}


def number_of(value: float | None) -> float | None:
    """The number; None for NaN, which JSON lacks."""
    return None if value is None or math.isnan(value) else value


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
) -> Json:
    """The whole document, from what the tests sent, with the verdict on the run."""
    results, missing, errors = list(results), sorted(missing), list(errors)
    complete = complete and not missing and not errors
    return {
        "schema": SCHEMA,
        "complete": complete,
        "missing": missing,
        "errors": errors,
        "verdict": _run_verdict(results, facts, complete, bool(errors) or _broken(regressions), bool(regressions)),
        "counts": {
            "pass": _count(results, "pass"),
            "fail": _count(results, "fail", blocking=True),
            "inconclusive": _count(results, "inconclusive"),
            "not_blocking": _count(results, "fail", blocking=False),
        },
        **facts,
        **({"forwards": facts["forwards"] | {"cases": _case_windows(results)}} if "forwards" in facts else {}),
        "results": results,
        "regressions": list(regressions),
    }


def _broken(regressions: Iterable[Json]) -> bool:
    return any(regression["status"] != "fixed" for regression in regressions)


def _case_windows(results: Iterable[Json]) -> int:
    """Model inputs that the cases needed; what attacks share, and cases that make the same, counted once."""
    same = ("perturbation", "params", "span_source", "seeds", "sentences", "require")
    by_inputs = {json.dumps([result[name] for name in same]): result for result in results}
    return sum(result["forwards"] - result["shared_forwards"] for result in by_inputs.values())


def _count(results: Iterable[Json], verdict: Verdict, blocking: bool | None = None) -> int:
    """How many results have the verdict; with ``blocking``, of cases that block, or do not."""
    return sum(result["verdict"] == verdict and blocking in (None, result["blocking"]) for result in results)


def _run_verdict(results: Sequence[Json], facts: Json, complete: bool, failed: bool, replayed: bool) -> Verdict:
    if failed or _count(results, "fail", blocking=True):
        return "fail"
    nothing_judged = _count(results, "pass") + _count(results, "fail") == 0 and not replayed
    undecided = _count(results, "inconclusive", blocking=True) and facts["gate"]["inconclusive"] == "fail"
    return "inconclusive" if nothing_judged or undecided or not complete else "pass"
