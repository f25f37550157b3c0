"""Which values the settings of thresholds.toml can have, and a list of those that do not fit."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from abalo.attacks import Attack
from abalo.tasks.choice.asking import Asking
from abalo.errors import AbaloError, visible
from abalo.promises import Promise
from abalo.sources.resources import LANGUAGE, problem_with, unnamed
from abalo.core.case import SpanSource
from abalo.slices import Slice
from abalo.tasks.ner.alignment import VIEWS
from perturbations import Perturbation, parse

Inconclusive = Literal["pass", "fail"]
Correction = Literal["bonferroni", "none"]

Configurable = Perturbation | Attack[Any] | Promise[Any] | Asking[Any] | Slice[Any]
"""What a table can give parameters."""


@dataclass
class Problems:
    """Collects what is wrong in one file, so that one error can tell it all."""

    path: Path
    found: list[str] = field(default_factory=list)

    def add(self, place: str, problem: str) -> None:
        """One problem more; ``place`` is a table or key of the file."""
        self.found.append(visible(f"{self.path.name} {place}: {problem}"))

    def raise_any(self) -> None:
        """Raises `AbaloError` with a line for every problem, if there is one."""
        if self.found:
            raise AbaloError("\n".join(self.found))


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which values a setting can have, and that in words."""

    fits: Callable[[Any], bool]
    words: str


def checked(wanted: Wanted, key: str, value: Any, place: str, problems: Problems) -> dict[str, Any]:
    """The setting if its value fits, a list as a tuple; else nothing, and one problem more."""
    if wanted.fits(value):
        return {key: tuple(value) if isinstance(value, list) else value}
    problems.add(place, f"{value!r}; expected {wanted.words}")
    return {}


def check_parameter(tested: Configurable, key: str, value: Any, place: str, problems: Problems) -> None:
    """A problem more where the value does not fit the parameter ``key`` of what is tested."""
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        problems.add(place, f"{value!r}; expected a value that JSON has too, since it goes into the report")
        return
    resources = tested.resources() if isinstance(tested, Perturbation) else {}
    if key in resources:
        problem = problem_with(value, resources[key])
        if problem is not None:
            problems.add(place, problem)
        return
    try:
        configured = tested.configured(**{key: value})
        if isinstance(configured, Perturbation) and configured.cost != "model":
            list(configured.sites(parse(configured.example.before)))  # what the function itself says of the value
    except (TypeError, ValueError) as error:
        problems.add(place, str(error))


def check_named(tested: object, params: Mapping[str, Any], place: str, problems: Problems) -> None:
    """A problem more for each parameter that has to be given and is not."""
    if isinstance(tested, Perturbation):
        for name, problem in unnamed(tested, params):
            problems.add(f"{place} {name}", problem)


def is_number(value: Any) -> bool:
    """Whether it is a whole or decimal number that a float can hold; true and false are none, nor are nan and inf."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def is_whole(value: Any) -> bool:
    """Whether it is a whole number; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def _are_seeds(value: Any) -> bool:
    whole = isinstance(value, list) and all(is_whole(seed) and seed >= 0 for seed in value)
    return whole and 0 < len(value) == len(set(value))


def _one_of(*values: str) -> Wanted:
    return Wanted(lambda value: value in values, f"one of {', '.join(values)}")


_SEEDS = Wanted(_are_seeds, "a list of distinct whole numbers from 0, such as [1, 2, 4]")

GATE_SETTINGS: Mapping[str, Wanted] = {
    "confidence": Wanted(lambda value: is_number(value) and 0.5 <= value < 1, "a number from 0.5 to below 1"),
    "seeds": _SEEDS,
    "inconclusive": _one_of(*get_args(Inconclusive)),
    "correction": _one_of(*get_args(Correction)),
    "resamples": Wanted(
        lambda value: is_whole(value) and 100 <= value <= 1_000_000, "a whole number from 100 to 1,000,000"
    ),
    LANGUAGE: Wanted(
        lambda value: isinstance(value, str) and re.fullmatch("[a-z]{2,3}", value) is not None,
        'the code of a language, such as "pt" or "en"',
    ),
}
"""The keys of ``[gate]``."""

_TRUE_OR_FALSE = Wanted(lambda value: isinstance(value, bool), "true or false")

CASE_SETTINGS: Mapping[str, Wanted] = {
    "view": _one_of(*VIEWS),
    "blocking": _TRUE_OR_FALSE,
    "deep": _TRUE_OR_FALSE,
    "seeds": _SEEDS,
    "limit": Wanted(lambda value: is_whole(value) and value > 0, "a whole number from 1"),
    "span_source": _one_of(*get_args(SpanSource)),
}
"""What any entry can have besides its parameters and bounds."""
