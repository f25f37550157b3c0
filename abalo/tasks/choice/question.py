"""Multiple choice: a question with its options and the right one, and its prompts."""

from __future__ import annotations

from dataclasses import dataclass

from perturbations import Edit
from perturbations.families.choice import (
    FORMATTINGS,
    LANGUAGES,
    Language,
    normalised,
)
from perturbations.families.choice import PARAPHRASES as RULES
from perturbations.families.choice.rewording import checked_options

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The names of the options, in their order; no question has more."""

BASELINE, PARAPHRASES, FORMS = "baseline", "paraphrase_consistency", "perturbation_stability"
"""The tasks in logs: originals alone, with paraphrases, with changes of form; Inspect's tasks have these names."""

SEED = 123
"""The usual seed of models that draw."""

MOST_PARAPHRASES = max(map(len, RULES.values()))

VARIANTS = ("orig", *(f"para{number}" for number in range(1, MOST_PARAPHRASES + 1)), *FORMATTINGS)
"""All variants that there are, in their order."""


def reorders(variant: str) -> bool:
    """Whether a variant of this name has its options in another order."""
    return variant.startswith("pert:order")


def in_order(variant: str) -> tuple[int, str]:
    """Sorts the original first, then the variants that ship in their order, then others by name."""
    return VARIANTS.index(variant) if variant in VARIANTS else len(VARIANTS), variant


@dataclass(frozen=True, slots=True)
class Choice:
    """A question with its options, of which the one at ``target``, counted from 0, is right.

    ``id`` names it in logs: visible, on one line. ``language`` is its ISO 639-1 code, None where its words tell.

    Raises TypeError or ValueError for a question or an option without a visible character, fewer than two options or
    more than `LETTERS`, and a target that is none of them.
    """

    id: str
    question: str
    options: tuple[str, ...]
    target: int
    language: Language | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.id, str) or not isinstance(self.options, tuple):
            raise TypeError(f"id is {self.id!r}, options are {self.options!r}; expected a string and a tuple")
        if not self.id or self.id != " ".join(self.id.split()):
            raise ValueError(f"id is {self.id!r}; expected visible characters on one line, with single spaces")
        normalised(self.question)
        checked_options(self.options)
        if len(self.options) > len(LETTERS):
            raise ValueError(f"{len(self.options)} options; expected at most {len(LETTERS)}, one for each letter")
        if isinstance(self.target, bool) or not isinstance(self.target, int):
            raise TypeError(f"target is {self.target!r}; expected the place of an option, a whole number")
        if not 0 <= self.target < len(self.options):
            raise ValueError(f"target is {self.target}; expected 0 to {len(self.options) - 1}")
        if self.language not in (None, *LANGUAGES):
            raise ValueError(f"language is {self.language!r}; expected {' or '.join(map(repr, LANGUAGES))} or None")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A choice as it is put to a model once.

    ``item`` is the id of the choice, ``variant`` that of the variant: ``orig``, ``para1``, …, ``pert:punct``, …;
    ``kind`` a friendlier name. ``options`` are in the order shown, ``target`` is the place of the right one among them.
    ``order`` holds for each place shown the place in the choice. ``task`` names the task in logs, ``seed`` is for
    models that draw. ``edits`` made ``question`` of the normalised one.
    """

    item: str
    variant: str
    kind: str
    question: str
    options: tuple[str, ...]
    target: int
    order: tuple[int, ...]
    task: str
    seed: int
    edits: tuple[Edit, ...] = ()

    def original(self, place: int | None) -> int | None:
        """The place in the choice of the option shown at ``place``; None for an answer that names none.

        Raises ValueError for a place at which no option is shown.
        """
        if place is None:
            return None
        if not 0 <= place < len(self.order):
            raise ValueError(f"answer {place}; expected 0 to {len(self.order) - 1}, or None")
        return self.order[place]

    @property
    def labels(self) -> dict[str, str | None]:
        """The columns of the variant in a log: ``variant``, ``paraphrase_id`` and ``perturbation_kind``."""
        reworded = self.task == PARAPHRASES
        return {
            "variant": self.variant,
            "paraphrase_id": self.variant if reworded else None,
            "perturbation_kind": None if reworded else self.kind,
        }
