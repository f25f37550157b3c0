"""What a case demands of its variants: a validator and the limit that each must keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from abalo.corpora import Corpus
from abalo.validators.catalogue import validators
from abalo.validators.validator import Pairs, Score, Validator
from perturbations.suggestions import did_you_mean

LIMIT = "limit"
"""The key of the limit where a demand has settings too: ``{limit = 0.8, source = "encoder:FOLDER"}``."""

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Demand:
    """A limit on a validator, inclusive, with the settings of that."""

    validator: Validator[Any]
    limit: float
    settings: Any

    def kept(self, value: float) -> bool:
        """Whether a score keeps the limit; one that is NaN does not."""
        beyond = value - self.limit if self.validator.side == "max" else self.limit - value
        return beyond <= _ROUNDING


def demands(require: Any) -> list[Demand]:
    """The demands of a table: by the name of a validator a limit, or a table with the limit and settings.

    Raises TypeError or ValueError that says what is wrong.
    """
    if not isinstance(require, Mapping):
        raise TypeError(f"{require!r}; expected limits by validator, such as {{similarity = 0.8}}")
    return [_demand(name, value) for name, value in require.items()]


def _demand(name: str, value: Any) -> Demand:
    known = validators()
    if name not in known:
        raise ValueError(f"{name!r}: no such validator{did_you_mean(name, known)}; there are {', '.join(known)}")
    validator = known[name]
    settings = dict(value) if isinstance(value, Mapping) else {LIMIT: value}
    limit = settings.pop(LIMIT, None)
    fits = isinstance(limit, int | float) and not isinstance(limit, bool) and isfinite(limit)
    if not fits or not validator.low <= limit <= validator.high:
        most = f" to {validator.high:g}" if isfinite(validator.high) else ""
        which = {"min": "the least", "max": "the most"}[validator.side]
        raise ValueError(f"{name} is {value!r}; expected {which} it may be, a number from {validator.low:g}{most}")
    return Demand(validator, float(limit), validator.configured(**settings))


Required = Sequence[tuple[Demand, Score]]
"""Demands with their scores, ready for the variants of a corpus."""


def passing(required: Required, pairs: Pairs) -> list[bool]:
    """Which variants keep every limit. Equal pairs are measured once, and not where another limit is broken already."""
    left = list(dict.fromkeys(pairs))
    for demand, score in required:
        left = [pair for pair, value in zip(left, score.of(left), strict=True) if demand.kept(float(value))]
    kept = set(left)
    return [pair in kept for pair in pairs]


def prepared(require: Mapping[str, Any], corpus: Corpus) -> Required:
    """The demands of a table, with their scores."""
    return [(demand, demand.validator.prepare(corpus, demand.settings)) for demand in demands(require)]
