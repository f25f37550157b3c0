"""Allowed values of settings in thresholds.toml."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from annotated_types import Ge, Le, Lt, MinLen

from abalo.core.records.gate import AUTO, Correction, Gate, Inconclusive
from abalo.core.records.values import AS_WHOLE, Day, Pattern, Unique, fits, schema_of, valid
from abalo.errors import AbaloError, visible, written

LANGUAGE = "language"


@dataclass
class Problems:
    """Collects a file's problems for one error; ``tried`` if its parameters were tried on sentences already."""

    path: Path
    found: list[str] = field(default_factory=list)
    tried: bool = False

    def add(self, place: str, problem: str) -> None:
        """Adds a problem; ``place`` is a table or key."""
        self.found.append(visible(f"{self.path.name} {place}: {problem}"))

    def raise_any(self) -> None:
        """Raises `AbaloError` with one line per problem, if any."""
        if self.found:
            raise AbaloError("\n".join(self.found))


@dataclass(frozen=True, slots=True)
class Wanted:
    """A setting: annotation, words for it, meaning, default."""

    values: Any
    words: str
    meaning: str = ""
    usual: object = None

    def fits(self, value: object) -> bool:
        """Whether the value is allowed."""
        return fits(value, self.values)

    def described(self) -> dict[str, object]:
        """The JSON Schema with meaning and default."""
        told = {"description": self.meaning, "default": self.usual}
        return schema_of(self.values) | {name: each for name, each in told.items() if each not in ("", None)}


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
    try:
        found = value if problems.tried else valid(value, wanted.values)
    except ValueError:
        problems.add(place, f"{written(value)}; expected {wanted.words}")
        return {}
    return {key: tuple(found) if isinstance(found, list) else found}


def one_of(values: Sequence[str], meaning: str = "") -> Wanted:
    """One of these strings."""
    return Wanted(Literal[*values], f"one of {', '.join(values)}", meaning)


TEXT = Annotated[str, Pattern(r"[^\s\x00]")]
"""Text that is not blank."""

SEEDS = Wanted(
    Annotated[list[Annotated[int, Ge(0), Lt(10**18), AS_WHOLE]], MinLen(1), Unique()],
    "a list of distinct whole numbers from 0, of 18 digits at most, such as [1, 2, 4]",
    "Seeds of the random draws. Each seed gives every example another variant.",
)

_LOSS = Wanted(
    Annotated[float, Ge(0)],
    "a number from 0",
    "Largest loss of this metric against the accepted run of `--abalo-against`.",
)

LEAST = Wanted(
    Annotated[float, Ge(0), Le(1)],
    "a number from 0 to 1, such as 0.3",
    "Smallest clean score. The run fails if the score of the model is significantly lower.",
)


REPEATS = Wanted(
    Annotated[int, Ge(1), Le(100), AS_WHOLE],
    "a whole number from 1 to 100, such as 3",
    "How often a model that draws its outputs is asked about each input.",
)


def _largest_loss(example: str, meaning: str) -> Wanted:
    return Wanted(Annotated[float, Ge(0), Lt(1)], f"a number from 0 to below 1, such as {example}", meaning)


GATE_SETTINGS: Mapping[str, Wanted] = {
    "confidence": Wanted(
        Annotated[float, Ge(0.5), Lt(1)], "a number from 0.5 to below 1", "Confidence of every interval."
    ),
    "seeds": SEEDS,
    "inconclusive": one_of(
        get_args(Inconclusive), 'Effect of an undecided bound or loss: "fail" ends the run with exit code 10.'
    ),
    "correction": one_of(get_args(Correction), "Correction of the level for the number of blocking bounds."),
    "resamples": Wanted(
        Annotated[int, Ge(100), Le(1_000_000), AS_WHOLE],
        "a whole number from 100 to 1,000,000",
        "Bootstrap draws behind each interval.",
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
        Annotated[str, Pattern(r"^[^\x00]*[^\s\x00][^\x00]*$")],
        'the folder of an accepted run, such as "references/1.0"',
        "Folder of the accepted run to compare with, relative to this file; same as `--abalo-against`.",
    ),
    LANGUAGE: Wanted(
        Annotated[str, Pattern(f"^([a-z]{{2,3}}|{AUTO})$")],
        '"auto", or the code of a language, such as "pt" or "en"',
        'Language of the corpora. "auto" finds it for each corpus. Cases for other languages are skipped.',
    ),
}


def _true_or_false(meaning: str, *, usual: bool) -> Wanted:
    return Wanted(bool, "true or false", meaning, usual)


def case_settings(views: Sequence[str]) -> Mapping[str, Wanted]:
    """The settings of any entry."""
    return {
        "view": one_of(views, "How predictions are compared with gold if the length has changed."),
        "blocking": _true_or_false("false: a failure is reported but does not fail the run.", usual=True),
        "deep": _true_or_false('true: the case runs only if `-m` names it, as in `-m "deep"`.', usual=False),
        "seeds": SEEDS,
        "limit": Wanted(
            Annotated[int, Ge(1), AS_WHOLE],
            "a whole number from 1",
            "The case uses only the first examples of the corpus, so many.",
        ),
        "max_newly_wrong": Wanted(
            Annotated[float, Ge(0), Lt(1)],
            "a number from 0 to below 1, such as 0.02",
            "Largest share of the examples that the accepted run gets right and this run gets wrong.",
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
    "until": Wanted(Day, "a date, such as 2027-03-01", "Last day on which `accepted_loss` holds."),
    "why": Wanted(TEXT, "the reason, in words", "Reason for `accepted_loss`, shown in the report."),
}


def loss_settings(metrics: Iterable[str]) -> Mapping[str, Wanted]:
    """The settings that limit losses by metric."""
    return {loss_key(name): _LOSS for name in metrics}


def loss_key(metric: str) -> str:
    """The key that limits a metric's loss."""
    return f"max_{metric}_loss"
