"""Judges several trainings by their mean."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence

from abalo.core.documents.document import Inputs, ModelFacts, TypeFacts
from abalo.core.documents.found import Result
from abalo.core.protocols.task import Task
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import as_json, joins, read
from abalo.core.running.agreement import FULL_PRECISION
from abalo.core.running.engine import CaseRun
from abalo.core.statistics.evidence import Evidence, join_trainings
from abalo.core.statistics.metrics import Metric
from abalo.errors import AbaloError


def together(runs: Sequence[CaseRun], task: Task) -> CaseRun:
    """Joins the runs of one case; examples are the worst training's."""
    case = runs[0].case
    metric = task.metrics()[case.probe.headline(task)]
    values = [_value(run.evidence, metric, case.view) for run in runs]
    worst = values.index(max(values))
    spent = {name: round(sum(run.facts[name] for run in runs), 3) for name in joins([Result], "spent")}
    facts = {**runs[worst].facts, **spent, "training": worst}
    evidence = join_trainings([run.evidence for run in runs])
    return CaseRun(case, evidence, facts, runs[worst].examples, runs[worst].records)


def _value(evidence: Evidence, metric: Metric, view: str) -> float:
    if not len(evidence):
        return -math.inf
    chosen = evidence.changed | (not metric.changed_only)
    value = float(metric.value(evidence.counts(metric, view)[chosen, 0].sum(axis=0)))
    return -math.inf if math.isnan(value) else -value if metric.more_is_better else value


def fingerprint_of(trainings: Sequence[str]) -> str:
    """The fingerprint of all trainings together."""
    return trainings[0] if len(trainings) == 1 else hashlib.sha256("\n".join(trainings).encode()).hexdigest()


def _most_unanswered(models: Sequence[ModelFacts]) -> JsonObject:
    found = max(models, key=lambda model: model.unanswered or 0.0)
    return {name: getattr(found, name) for name in ("unanswered", "asked") if name in found.names}


def _least_agreeing(models: Sequence[ModelFacts]) -> JsonObject:
    told = [model.full_precision for model in models if model.full_precision is not None]
    least = max(told, key=lambda each: each.differing / max(1, each.labels), default=None)
    return {} if least is None else {FULL_PRECISION: as_json(least)}


def _types_of_all(facts: Sequence[JsonObject]) -> JsonObject:
    told = [read(TypeFacts, own["types"]) for own in facts if "types" in own]
    if not told:
        return {}
    never: dict[str, int] = {}
    outside: dict[str, int] = {}
    for types in told:
        never |= types.never_predicted
        outside |= {label: max(number, outside.get(label, 0)) for label, number in types.outside.items()}
    return {"types": {**as_json(told[0]), "never_predicted": _sort_counts(never), "outside": _sort_counts(outside)}}


def _sort_counts(counts: dict[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def facts_together(facts: Sequence[JsonObject]) -> JsonObject:
    """Joins facts; raises `AbaloError` if two models are the same."""
    models = [read(ModelFacts, own["model"]) for own in facts]
    prints = [model.fingerprint for model in models]
    for k, each in enumerate(prints):
        if each in prints[:k]:
            twin = models[prints.index(each)].name
            raise AbaloError(
                f"the models {twin} and {models[k].name} are the same, fingerprint {each[:12]}: give each training "
                f"once, or one model alone"
            )
    model = {
        **as_json(models[0]),
        "name": ", ".join(model.name for model in models),
        "fingerprint": fingerprint_of(prints),
        "predictions": fingerprint_of([model.predictions for model in models]),
        "differing": max((told for model in models if (told := model.differing) is not None), default=None),
        **_least_agreeing(models),
        **_most_unanswered(models),
        "trainings": [{"name": model.name, "fingerprint": model.fingerprint} for model in models],
    }
    inputs = [read(Inputs, own["inputs"]) for own in facts]
    types = _types_of_all(facts)
    return {
        **facts[0],
        **types,
        "model": model,
        "inputs": {**as_json(inputs[0]), "clean": sum(each.clean for each in inputs)},
    }
