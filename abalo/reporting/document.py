"""The document behind every report: plain JSON values, as docs/schema.md describes them."""

from __future__ import annotations

import math
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from abalo.corpora import Corpus
from abalo.judging import Judged
from abalo.models import TokenModel
from abalo.outcomes import Outcome
from abalo.reporting.examples import examples
from abalo.runs import MASK_FALLBACK
from abalo.statistics import Estimate, Judgement, Measurement
from abalo.tasks.ner import VIEWS, Prediction
from abalo.thresholds import Gate, Thresholds
from perturbations import entity_spans, sentence_id

SCHEMA = "abalo-robustness/1"

_PACKAGES = ("abalo", "hypothesis", "numpy", "pytest", "seqeval", "torch", "transformers")

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


def results_of(judged: Judged, gate: Gate, blocking_bounds: int, command: str, with_text: bool) -> list[Json]:
    """One result per view of a case, the bound view first; examples only there, and only ``with_text``."""
    case = judged.run.case
    views = sorted(VIEWS, key=lambda view: view != case.view)
    shared: Json = {
        "id": case.id,
        "task": case.task,
        "perturbation": case.name,
        "params": _plain(judged.run.params),
        "span_source": None,
        "blocking": case.blocking,
        "seeds": list(judged.run.seeds),
        "sentences": len(judged.run.corpus.sentences),
        "distinct": len({outcome.sentence_id for outcome in judged.run.outcomes}),
        "changed": _changed_sentences(judged.run.outcomes, judged.run.seeds),
        "variants": sum(outcome.changed for outcome in judged.run.outcomes),
        "seconds": round(judged.run.seconds, 3),
        "forwards": judged.run.forwards,
        "command": command,
    }
    results = []
    for view in views:
        bound = view == case.view and bool(case.bounds)
        results.append(
            shared
            | {"view": view}
            | _measured(judged.measurements[view])
            | (_judgement(judged, blocking_bounds, gate) if bound else _NOT_BOUND)
            | {"examples": examples(judged.run.outcomes) if view == case.view and with_text else []}
        )
    return results


def facts_of(facts: RunFacts, baseline: Measurement) -> Json:
    """The parts of the document that are about the run, not about a case."""
    model, corpus = facts.model, facts.corpus
    return {
        "notice": _notice(facts),
        "versions": {"python": platform.python_version()}
        | {name: found for name in _PACKAGES if (found := _version(name))},
        "model": {
            "name": model.name,
            "fingerprint": model.fingerprint,
            "labels": list(model.labels),
            "mask_token": facts.mask_token if facts.mask_token is not None else MASK_FALLBACK,
            "mask_fallback": facts.mask_token is None,
            "settings": dict(model.settings),
            "wordless": sum(prediction.wordless for prediction in facts.clean),
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
        "seeds": list(facts.seeds),
        "gate": {
            "thresholds": facts.thresholds.path.name,
            "confidence": facts.thresholds.gate.confidence,
            "inconclusive": facts.thresholds.gate.inconclusive,
            "correction": facts.thresholds.gate.correction,
            "bounds": facts.blocking_bounds,
            "resamples": facts.thresholds.gate.resamples,
        },
        "baseline": _baseline(facts, baseline),
    }


def _changed_sentences(outcomes: Sequence[Outcome], seeds: Sequence[int]) -> int:
    """Sentences, copies counted, that changed under at least one seed; outcomes come seed by seed in corpus order."""
    count = len(outcomes) // len(seeds) if seeds else 0
    return sum(any(outcomes[s * count + i].changed for s in range(len(seeds))) for i in range(count))


_NOT_BOUND: Json = {
    "bound": None,
    "verdict": None,
    "reason": None,
    "p": None,
    "m": None,
    "verdict_uncorrected": None,
    "judgements": [],
}


def _judgement(judged: Judged, blocking_bounds: int, gate: Gate) -> Json:
    deciding = judged.deciding
    assert deciding is not None
    return {
        "bound": _bounds(judged.judgements),
        "verdict": judged.verdict,
        "reason": deciding.reason,
        "p": _number(deciding.p),
        "m": blocking_bounds if gate.correction != "none" else 1,
        "verdict_uncorrected": deciding.uncorrected,
        "judgements": [
            {
                "bound": judgement.bound.name,
                "type": judgement.bound.type,
                "limit": judgement.bound.limit,
                **_estimate(judgement.estimate),
                "p": _number(judgement.p),
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
        limits.setdefault(judgement.bound.name, {})[judgement.bound.type or "overall"] = judgement.bound.limit
    return {name: table["overall"] if list(table) == ["overall"] else table for name, table in limits.items()}


def _measured(measurement: Measurement) -> Json:
    return {
        "metrics": {name: _estimate(estimate) for name, estimate in measurement.overall.items()},
        "per_type": {
            kind: {name: _estimate(estimate) for name, estimate in estimates.items()}
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
    found = predicted = expected = 0
    for sentence, prediction in zip(facts.corpus.sentences, facts.clean, strict=True):
        if prediction.alternative is None:
            return None
        gold, other = set(entity_spans(sentence.tags or ())), entity_spans(prediction.alternative)
        found += len(gold.intersection(other))
        predicted += len(other)
        expected += len(gold)
    return 2 * found / (predicted + expected) if predicted + expected else 0.0


def _notice(facts: RunFacts) -> str | None:
    if facts.bundled_model or not facts.thresholds.calibrated_elsewhere:
        return None
    return (
        "These bounds were measured on the bundled model, not on this one: "
        "measure your own with `abalo calibrate --model MODEL --corpus CORPUS`."
    )


def _estimate(estimate: Estimate) -> Json | None:
    if math.isnan(estimate.value):
        return None
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high, "n": estimate.n}


def _number(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


def _plain(params: Mapping[str, Any]) -> Json:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in params.items()}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def assemble(
    facts: Json, results: Iterable[Json], missing: Iterable[str], errors: Iterable[Json], complete: bool
) -> Json:
    """The whole document, from what the tests sent, with the verdict on the run."""
    results, missing, errors = list(results), sorted(missing), list(errors)
    verdicts = [(result["verdict"], result["blocking"]) for result in results if result["verdict"] is not None]
    counts = {
        "pass": verdicts.count(("pass", True)) + verdicts.count(("pass", False)),
        "fail": verdicts.count(("fail", True)),
        "inconclusive": verdicts.count(("inconclusive", True)) + verdicts.count(("inconclusive", False)),
        "not_blocking": verdicts.count(("fail", False)),
    }
    complete = complete and not missing and not errors
    return {
        "schema": SCHEMA,
        "complete": complete,
        "missing": missing,
        "errors": errors,
        "verdict": _run_verdict(counts, errors, facts, complete),
        "counts": counts,
        **facts,
        "results": results,
    }


def _run_verdict(counts: Mapping[str, int], errors: Sequence[Json], facts: Json, complete: bool) -> str:
    if counts["fail"] or errors:
        return "fail"
    judged_nothing = counts["pass"] + counts["not_blocking"] == 0
    undecided = counts["inconclusive"] > 0 and facts.get("gate", {}).get("inconclusive") == "fail"
    return "inconclusive" if judged_nothing or undecided or not complete else "pass"
