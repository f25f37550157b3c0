"""Requirements on variants: validators with limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from abalo.core.records.rounding import ROUNDING
from abalo.core.records.settings import Problems
from abalo.corpora import Corpus
from abalo.validators.validator import Score, SentencePairs, Validator, validators
from perturbations.suggestions import did_you_mean

REQUIRE = "require"

LIMIT = "limit"
"""Key beside settings: ``{limit = 0.8, source = "encoder:FOLDER"}``."""


@dataclass(frozen=True, slots=True, eq=False)
class Requirement:
    """A validator with settings and an inclusive limit."""

    validator: Validator[Any]
    limit: float
    settings: Any

    def kept(self, value: float) -> bool:
        """Whether a score keeps the limit; False for NaN."""
        beyond = value - self.limit if self.validator.side == "max" else self.limit - value
        return beyond <= ROUNDING


def requirements(require: object) -> list[Requirement]:
    """Parses a table of limits, or of limits with settings; raises TypeError or ValueError."""
    if not isinstance(require, Mapping):
        raise TypeError(f"{require!r}; expected limits by validator, such as {{similarity = 0.8}}")
    return [_requirement(name, value) for name, value in require.items()]


def _requirement(name: str, value: Any) -> Requirement:
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
    return Requirement(validator, float(limit), validator.configured(**settings))


Required = Sequence[tuple[Requirement, Score]]


def passing(required: Required, pairs: SentencePairs) -> list[bool]:
    """Which variants keep all limits; measures equal pairs once."""
    left = list(dict.fromkeys(pairs))
    for requirement, score in required:
        left = [pair for pair, value in zip(left, score.of(left), strict=True) if requirement.kept(float(value))]
    kept = set(left)
    return [pair in kept for pair in pairs]


def prepare_scores(require: Mapping[str, object], corpus: Corpus) -> Required:
    """The requirements with prepared scores."""
    return [(each, each.validator.prepare(corpus, each.settings)) for each in requirements(require)]


def check_required(require: Any, place: str, problems: Problems) -> Mapping[str, object]:
    """The table of limits; reports invalid ones."""
    try:
        requirements(require)
    except (TypeError, ValueError) as error:
        problems.add(place, str(error))
        return {}
    return dict(require)


def shown_requirements(require: Mapping[str, object]) -> dict[str, object]:
    """The limits as shown in a case's slug."""
    return {f"{REQUIRE}_{name}": limit for name, limit in require.items()}


def required_facts(required: Required) -> list[dict[str, object]]:
    """The requirements as stored in reports."""
    return [
        {"validator": each.validator.name, "side": each.validator.side, "limit": each.limit, "by": score.name}
        for each, score in required
    ]
