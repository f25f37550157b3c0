"""Allowed values of settings in thresholds.toml."""

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


@dataclass
class Problems:
    """Collects a file's problems for one error."""

    path: Path
    found: list[str] = field(default_factory=list)

    def add(self, place: str, problem: str) -> None:
        """Adds a problem; ``place`` is a table or key."""
        self.found.append(visible(f"{self.path.name} {place}: {problem}"))

    def raise_any(self) -> None:
        """Raises `AbaloError` with one line per problem, if any."""
        if self.found:
            raise AbaloError("\n".join(self.found))


@dataclass(frozen=True, slots=True)
class Wanted:
    """The allowed values of a setting."""

    fits: Callable[[Any], bool]
    words: str
    meaning: str = ""
    schema: Mapping[str, object] = field(default_factory=dict)

    def described(self) -> dict[str, object]:
        """The schema with the meaning."""
        return {**self.schema, "description": self.meaning} if self.meaning else dict(self.schema)


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a table in thresholds.toml: its ``values`` by key.

    ``settings``, common to all entries, are separate. ``number`` counts from 0; ``place`` names the entry in errors.
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
        """Adds a problem with the entry or a key."""
        self.problems.add(f"{self.place} {key}".rstrip(), problem)


def check_setting(wanted: Wanted, key: str, value: object, place: str, problems: Problems) -> dict[str, Any]:
    """The setting if valid; else empty, with a problem added."""
    if wanted.fits(value):
        return {key: tuple(value) if isinstance(value, list) else value}
    problems.add(place, f"{value!r}; expected {wanted.words}")
    return {}


def is_number(value: object) -> bool:
    """Whether it is a finite number; booleans are not."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def is_whole(value: object) -> bool:
    """Whether it is a whole number; booleans are not."""
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


REPEATS = Wanted(
    lambda value: is_whole(value) and 1 <= value <= 100,
    "a whole number from 1 to 100, such as 3",
    "How often a model that draws its outputs is asked about each input.",
    {"type": "integer", "minimum": 1, "maximum": 100},
)


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
    "max_label_loss": _largest_loss(
        "0.05",
        "Largest loss of the F1 of a label, on the clean corpus and over the perturbed cases together. The default is "
        "0.05, or `max_loss` if that is larger.",
    ),
    "least": LEAST,
    "repeats": REPEATS,
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


def _true_or_false(meaning: str, *, usual: bool) -> Wanted:
    values = {"type": "boolean", "default": usual}
    return Wanted(lambda value: isinstance(value, bool), "true or false", meaning, values)


def case_settings(views: Sequence[str]) -> Mapping[str, Wanted]:
    """The settings of any entry."""
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


def loss_settings(metrics: Iterable[str]) -> Mapping[str, Wanted]:
    """The settings that limit losses by metric."""
    return {loss_key(name): _LOSS for name in metrics}


def loss_key(metric: str) -> str:
    """The key that limits a metric's loss."""
    return f"max_{metric}_loss"
