"""A part of the corpus, compared with the rest of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

from abalo.metrics import metrics
from abalo.runs import CaseRun
from abalo.statistics import UNDEFINED, Bootstrap, Estimate, Measurement, cluster_count, measure
from abalo.tasks.ner import View
from abalo.verdicts import FEWEST_SENTENCES, Bound


def compared(
    run: CaseRun, measured: Mapping[View, Measurement], bootstrap: Callable[[int], Bootstrap], confidence: float
) -> tuple[dict[View, Measurement], Measurement]:
    """What was measured of a slice together with how it compares to the rest, and F1 of that rest.

    A comparison is resampled over all distinct sentences; its n is how many of them are in the slice.
    """
    assert run.sliced is not None
    every, view = [*run.outcomes, *run.sliced.rest], run.case.view
    sided = [metric for metric in metrics().values() if metric.sliced]
    gaps = measure(every, view, sided, bootstrap(cluster_count(every)), confidence)
    clusters = cluster_count(run.sliced.rest)
    rest = measure(run.sliced.rest, view, [metrics()["f1"]], bootstrap(clusters), confidence)
    return {each: _joined(own, gaps) for each, own in measured.items()}, rest


def _joined(own: Measurement, gaps: Measurement) -> Measurement:
    """With the numbers of both; for types, of those that the slice knows."""
    per_type = {kind: {**row, **_sized(gaps.per_type.get(kind, {}), row)} for kind, row in own.per_type.items()}
    return replace(own, overall={**own.overall, **_sized(gaps.overall, own.overall)}, per_type=per_type)


def _sized(gaps: Mapping[str, Estimate], own: Mapping[str, Estimate]) -> dict[str, Estimate]:
    n = own.get("f1", UNDEFINED).n
    return {name: gap if math.isnan(gap.value) else replace(gap, n=n) for name, gap in gaps.items()}


def untold(bound: Bound, run: CaseRun) -> str | None:
    """Why nothing can be told of a slice, or of how it compares; None where something can, and for any other case."""
    if run.sliced is None:
        return None
    if not run.outcomes:
        return f"fewer than {FEWEST_SENTENCES} distinct sentences in the slice (0)"
    rest = cluster_count(run.sliced.rest)
    if metrics()[bound.metric].sliced and rest < FEWEST_SENTENCES:
        return f"fewer than {FEWEST_SENTENCES} distinct sentences outside of the slice ({rest})"
    return None
