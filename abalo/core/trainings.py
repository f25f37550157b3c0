"""Several trainings of one model, such as with other seeds, judged as one: bounds are about their mean."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence

from abalo.core.agreement import FULL_PRECISION
from abalo.core.engine import CaseRun
from abalo.core.evidence import Evidence, joined
from abalo.core.example import Json
from abalo.core.metrics import Metric
from abalo.core.task import Task
from abalo.errors import AbaloError


def together(runs: Sequence[CaseRun], task: Task) -> CaseRun:
    """The runs of one case by each training as one, with the evidence of all.

    Windows and seconds are summed. Examples, and facts that are about single searches, are those of the training that
    fares worst: ``training`` in the facts, counted from 0.
    """
    case = runs[0].case
    metric = task.metrics()[case.probe.headline(task)]
    values = [_value(run.evidence, metric, case.view) for run in runs]
    worst = values.index(max(values))
    sums = {name: sum(run.facts[name] for run in runs) for name in ("forwards", "shared_forwards")}
    seconds = round(sum(run.facts["seconds"] for run in runs), 3)
    facts = {**runs[worst].facts, **sums, "seconds": seconds, "training": worst}
    evidence = joined([run.evidence for run in runs])
    return CaseRun(case, evidence, facts, runs[worst].examples, runs[worst].records)


def _value(evidence: Evidence, metric: Metric, view: str) -> float:
    """How badly a training fares: the metric, negative where more is better; lowest where it has no value."""
    if not len(evidence):
        return -math.inf
    chosen = evidence.changed | (not metric.changed_only)
    value = float(metric.value(evidence.counts(metric, view)[chosen, 0].sum(axis=0)))
    return -math.inf if math.isnan(value) else -value if metric.more_is_better else value


def fingerprint_of(trainings: Sequence[str]) -> str:
    """The fingerprint of a model with that of each of its trainings: of a single one its own."""
    return trainings[0] if len(trainings) == 1 else hashlib.sha256("\n".join(trainings).encode()).hexdigest()


def _most_unanswered(models: Sequence[Json]) -> Json:
    """The largest share without a valid prediction and the inputs it is of, if any training has one."""
    found = max(models, key=lambda model: model.get("unanswered", 0.0))
    return {name: found[name] for name in ("unanswered", "asked") if name in found}


def _least_agreeing(models: Sequence[Json]) -> Json:
    """The field on lower precision of the training that it changes most; empty where none has it."""
    told = [model[FULL_PRECISION] for model in models if FULL_PRECISION in model]
    return {FULL_PRECISION: max(told, key=lambda each: each["differing"] / max(1, each["labels"]))} if told else {}


def _types_of_all(facts: Sequence[Json]) -> Json:
    """The field on labels that do not fit, with those that any training never predicts, or predicts beyond the corpus.

    Empty for a task without labels.
    """
    told = [own["types"] for own in facts if "types" in own]
    if not told:
        return {}
    never: dict[str, int] = {}
    outside: dict[str, int] = {}
    for types in told:
        never |= types["never_predicted"]
        outside |= {label: max(number, outside.get(label, 0)) for label, number in types["outside"].items()}
    return {"types": {**told[0], "never_predicted": _sorted(never), "outside": _sorted(outside)}}


def _sorted(counts: dict[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def facts_together(facts: Sequence[Json]) -> Json:
    """The facts about each training as one: models by name and fingerprint, further fields those of the first.

    Raises `AbaloError` where two trainings are the same model.
    """
    models = [own["model"] for own in facts]
    prints = [model["fingerprint"] for model in models]
    for k, each in enumerate(prints):
        if each in prints[:k]:
            twin = models[prints.index(each)]["name"]
            raise AbaloError(
                f"the models {twin} and {models[k]['name']} are the same, fingerprint {each[:12]}: give each training "
                f"once, or one model alone"
            )
    model = {
        **models[0],
        "name": ", ".join(model["name"] for model in models),
        "fingerprint": fingerprint_of(prints),
        "predictions": fingerprint_of([model["predictions"] for model in models]),
        "differing": max((each for model in models if (each := model["differing"]) is not None), default=None),
        **_least_agreeing(models),
        **_most_unanswered(models),
        "trainings": [{"name": model["name"], "fingerprint": model["fingerprint"]} for model in models],
    }
    windows = sum(own["forwards"]["clean"] for own in facts)
    types = _types_of_all(facts)
    return {**facts[0], **types, "model": model, "forwards": {**facts[0]["forwards"], "clean": windows}}
