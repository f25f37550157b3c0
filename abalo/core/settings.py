"""Values that the settings of thresholds.toml can have, and a list of those that do not fit."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any, get_args

from abalo.core.gate import AUTO, Correction, Gate, Inconclusive
from abalo.errors import AbaloError, visible

LANGUAGE = "language"
"""The setting, the option and the parameter that give a language, an ISO 639-1 code."""


@dataclass
class Problems:
    """Collects the problems of one file, so that one error can list them all."""

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
    """The values that a setting can have, and these in words.

    ``meaning`` says what the setting does; ``schema`` is a JSON Schema of its values, as far as one can say it.
    """

    fits: Callable[[Any], bool]
    words: str
    meaning: str = ""
    schema: Mapping[str, Any] = field(default_factory=dict)

    def described(self) -> dict[str, Any]:
        """The schema with the meaning."""
        return {**self.schema, "description": self.meaning} if self.meaning else dict(self.schema)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a table of thresholds.toml: its ``values`` by key.

    ``settings`` are those that any entry can have, taken out of the values. ``number`` is its place in the table from
    0, ``place`` the table or entry as errors name it. ``gate`` is what the file says of the run. Problems are added,
    never raised.
    """

    task: str
    name: str
    values: Mapping[str, Any]
    settings: Mapping[str, Any]
    number: int
    place: str
    gate: Gate
    problems: Problems

    def problem(self, problem: str, key: str = "") -> None:
        """One problem more, of the entry or of one of its keys."""
        self.problems.add(f"{self.place} {key}".rstrip(), problem)


def checked(wanted: Wanted, key: str, value: Any, place: str, problems: Problems) -> dict[str, Any]:
    """The setting if its value fits, a list as a tuple; else nothing, and one problem more."""
    if wanted.fits(value):
        return {key: tuple(value) if isinstance(value, list) else value}
    problems.add(place, f"{value!r}; expected {wanted.words}")
    return {}


def is_number(value: Any) -> bool:
    """Whether it is a whole or decimal number that a float can hold; true and false are none, nor are nan and inf."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def is_whole(value: Any) -> bool:
    """Whether it is a whole number; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def one_of(values: Sequence[str], meaning: str = "") -> Wanted:
    """One of these strings."""
    return Wanted(lambda value: value in values, f"one of {', '.join(values)}", meaning, {"enum": list(values)})


def _are_seeds(value: Any) -> bool:
    whole = isinstance(value, list) and all(is_whole(seed) and 0 <= seed < 10**18 for seed in value)
    return whole and 0 < len(value) == len(set(value))


_TEXT = {"type": "string", "pattern": r"\S"}

SEEDS = Wanted(
    _are_seeds,
    "a list of distinct whole numbers from 0, of 18 digits at most, such as [1, 2, 4]",
    "Seeds of the random draws. Each seed gives every example another variant.",
    {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 1, "uniqueItems": True},
)
"""Seeds of a run or a case."""

_LOSS = Wanted(
    lambda value: is_number(value) and value >= 0,
    "a number from 0",
    "Largest loss of this metric against the accepted run of `--abalo-against`.",
    {"type": "number", "minimum": 0},
)

LEAST = Wanted(
    lambda value: is_number(value) and 0 <= value <= 1,
    "a number from 0 to 1, such as 0.3",
    "Smallest clean score. The run fails if the score of the model is significantly lower.",
    {"type": "number", "minimum": 0, "maximum": 1},
)
"""The smallest clean score."""


def _largest_loss(example: str, meaning: str) -> Wanted:
    return Wanted(
        lambda value: is_number(value) and 0 <= value < 1,
        f"a number from 0 to below 1, such as {example}",
        meaning,
        {"type": "number", "minimum": 0, "exclusiveMaximum": 1},
    )


GATE_SETTINGS: Mapping[str, Wanted] = {
    "confidence": Wanted(
        lambda value: is_number(value) and 0.5 <= value < 1,
        "a number from 0.5 to below 1",
        "Confidence of every interval.",
        {"type": "number", "minimum": 0.5, "exclusiveMaximum": 1},
    ),
    "seeds": SEEDS,
    "inconclusive": one_of(
        get_args(Inconclusive), 'Effect of an undecided bound or loss: "fail" ends the run with exit code 10.'
    ),
    "correction": one_of(get_args(Correction), "Correction of the level for the number of blocking bounds."),
    "resamples": Wanted(
        lambda value: is_whole(value) and 100 <= value <= 1_000_000,
        "a whole number from 100 to 1,000,000",
        "Bootstrap draws behind each interval.",
        {"type": "integer", "minimum": 100, "maximum": 1_000_000},
    ),
    "max_loss": _largest_loss(
        "0.01", "Largest loss of the clean score, and of the score of each case, against the accepted run."
    ),
    "max_mean_loss": _largest_loss(
        "0.005", "Largest mean loss over the perturbed cases. The default is half of `max_loss`."
    ),
    "least": LEAST,
    "against": Wanted(
        lambda value: isinstance(value, str) and bool(value.strip()) and "\0" not in value,
        'the folder of an accepted run, such as "references/1.0"',
        "Folder of the accepted run to compare with, relative to this file; same as `--abalo-against`.",
        _TEXT,
    ),
    LANGUAGE: Wanted(
        lambda value: value == AUTO or (isinstance(value, str) and re.fullmatch("[a-z]{2,3}", value) is not None),
        '"auto", or the code of a language, such as "pt" or "en"',
        'Language of the corpora. "auto" finds it for each corpus. Cases for other languages are skipped.',
        {"type": "string", "pattern": "^[a-z]{2,3}$|^auto$"},
    ),
}
"""The keys of ``[gate]``."""


def _true_or_false(meaning: str, *, usual: bool) -> Wanted:
    values = {"type": "boolean", "default": usual}
    return Wanted(lambda value: isinstance(value, bool), "true or false", meaning, values)


def case_settings(views: Sequence[str]) -> Mapping[str, Wanted]:
    """The settings that an entry can have besides its parameters and bounds; ``views`` are those of its task."""
    return {
        "view": one_of(views, "How predictions are compared with gold if the length has changed."),
        "blocking": _true_or_false("false: a failure is reported but does not fail the run.", usual=True),
        "deep": _true_or_false('true: the case runs only if `-m` names it, as in `-m "deep"`.', usual=False),
        "seeds": SEEDS,
        "limit": Wanted(
            lambda value: is_whole(value) and value > 0,
            "a whole number from 1",
            "The case uses only the first examples of the corpus, so many.",
            {"type": "integer", "minimum": 1},
        ),
    }


CLEAN_SETTINGS: Mapping[str, Wanted] = {
    "least": LEAST,
    "guesses": _true_or_false(
        "true: the clean score is not compared with that of a model that ignores its input.", usual=False
    ),
}
"""The settings that the entry of the clean corpus has besides."""


WAIVER_SETTINGS: Mapping[str, Wanted] = {
    "accepted_loss": _largest_loss("0.03", "Loss of this case that is accepted until a date. Needs `until` and `why`."),
    "until": Wanted(
        lambda value: isinstance(value, date) and not isinstance(value, datetime),
        "a date, such as 2027-03-01",
        "Last day on which `accepted_loss` holds.",
        {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
    ),
    "why": Wanted(
        lambda value: isinstance(value, str) and bool(value.strip()),
        "the reason, in words",
        "Reason for `accepted_loss`, shown in the report.",
        _TEXT,
    ),
}
"""The settings of an entry that accept a loss against the reference for some time; all or none are given."""


def loss_settings(metrics: Iterable[str]) -> Mapping[str, Wanted]:
    """The settings of an entry that limit losses against the reference, one for each of the metrics."""
    return {loss_key(name): _LOSS for name in metrics}


def loss_key(metric: str) -> str:
    """The key that limits the loss of a metric, ``max_`` and ``_loss`` around its name."""
    return f"max_{metric}_loss"
