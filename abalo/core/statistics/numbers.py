"""Numbers as JSON values."""

from __future__ import annotations

import math
from collections.abc import Iterable

from abalo.core.records.example import JsonObject
from abalo.core.records.words import DECIMALS
from abalo.core.statistics.estimates import Estimate

STORED = 1.001 * 10**-DECIMALS
"""Largest difference between numbers rounded alike."""


def estimate_of(estimate: Estimate) -> JsonObject | None:
    """An estimate with each training's number; None if undefined."""
    if math.isnan(estimate.value):
        return None
    found = {**interval_of(estimate), "n": estimate.n}
    if estimate.by_training:
        found |= {"sd": number_of(estimate.sd), "trainings": [number_of(value) for value in estimate.by_training]}
    return found


def interval_of(estimate: Estimate) -> JsonObject:
    """A number and its interval."""
    return {"value": number_of(estimate.value), "low": number_of(estimate.low), "high": number_of(estimate.high)}


def number_of(value: float | None) -> float | None:
    """The number; None for NaN."""
    return None if value is None or math.isnan(value) else value


def plain_fields(pairs: Iterable[tuple[str, object]]) -> JsonObject:
    """A ``dict_factory`` for `asdict`; NaN becomes None."""
    return {name: None if value != value else value for name, value in pairs}
