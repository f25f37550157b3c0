"""Compares a low-precision model with its original."""

from __future__ import annotations

from abalo.core.protocols.preflight import differing
from abalo.core.records.example import JsonObject
from abalo.core.running.engine import Engine
from abalo.core.statistics.numbers import estimate_of

FULL_PRECISION = "full_precision"


def agreement(engine: Engine, exact: Engine) -> JsonObject:
    """The full-precision model with its clean score, and how many clean labels differ."""
    both = [[each.predictor.labels(prediction) for prediction in each.predictor.clean()] for each in (engine, exact)]
    _, judged = exact.judge(exact.baseline())
    return {
        "name": exact.model.name,
        "fingerprint": exact.model.fingerprint,
        "labels": sum(map(len, both[0])),
        "differing": differing(*both),
        "floor": estimate_of(judged.bound_view.estimate(exact.task.floor)),
    }
