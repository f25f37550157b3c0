"""How far a model of lower precision says what the same model says in full precision."""

from __future__ import annotations

from abalo.core.engine import Engine
from abalo.core.example import Json
from abalo.core.numbers import estimate_of
from abalo.core.preflight import differing

FULL_PRECISION = "full_precision"
"""The field of a model's facts that says so; absent where none in full precision is at hand."""


def agreement(session: Engine, exact: Engine) -> Json:
    """The model of ``exact``, which is in full precision, and on how many labels of the clean corpus they differ.

    ``floor`` is the metric of the clean corpus that the task asks for first, of the model in full precision.
    """
    both = [[each.predictor.labels(prediction) for prediction in each.predictor.clean()] for each in (session, exact)]
    _, judged = exact.judge(exact.baseline())
    return {
        "name": exact.model.name,
        "fingerprint": exact.model.fingerprint,
        "labels": sum(map(len, both[0])),
        "differing": differing(*both),
        "floor": estimate_of(judged.bound_view.estimate(exact.task.floor)),
    }
