"""Numbers as the report has them: plain JSON values."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from abalo.core.example import Json
from abalo.core.statistics import Estimate

DECIMALS = 6
"""Places that numbers keep in robustness.json: finer than any interval of a few hundred sentences."""

STORED = 1.001 * 10**-DECIMALS
"""Stored numbers that lie at most so far apart may be the same before they were rounded."""


def estimate_of(estimate: Estimate) -> Json | None:
    """A measured number, over several trainings with that of each; None where it has no meaning."""
    if math.isnan(estimate.value):
        return None
    found = {**interval_of(estimate), "n": estimate.n}
    if estimate.by_training:
        found |= {"sd": number_of(estimate.sd), "trainings": [number_of(value) for value in estimate.by_training]}
    return found


def interval_of(estimate: Estimate) -> Json:
    """The number with the ends of its interval."""
    return {"value": number_of(estimate.value), "low": number_of(estimate.low), "high": number_of(estimate.high)}


def number_of(value: float | None) -> float | None:
    """The number; None for NaN, which JSON lacks."""
    return None if value is None or math.isnan(value) else value


def plain_fields(pairs: Iterable[tuple[str, Any]]) -> Json:
    """The fields of a dataclass, as `asdict` gives them to its ``dict_factory``; None for NaN."""
    return {name: None if value != value else value for name, value in pairs}
