"""Multiple-choice questions and their prompts."""

from __future__ import annotations

from dataclasses import dataclass

from perturbations import Edit
from perturbations.families.choice import FORMATTINGS, normalise, question_languages
from perturbations.families.choice import PARAPHRASES as RULES
from perturbations.families.choice.rewording import check_options

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

BASELINE, PARAPHRASES, FORMS = "baseline", "paraphrase_consistency", "perturbation_stability"

SEED = 123

MOST_PARAPHRASES = max(map(len, RULES.values()))

VARIANT_NAMES = {
    **{f"para{number}": f"paraphrase {number}" for number in range(1, MOST_PARAPHRASES + 1)},
    "pert:punct": "other final sign",
    "pert:space": "other spaces",
    "pert:preamble": "instruction in front",
    "pert:order_swap": "two options swapped",
    "pert:order_rev": "options reversed",
}

VARIANTS = ("orig", *(f"para{number}" for number in range(1, MOST_PARAPHRASES + 1)), *FORMATTINGS)


def reorders(variant: str) -> bool:
    """True if a variant reorders options."""
    return variant.startswith("pert:order")


def in_order(variant: str) -> tuple[int, str]:
    """Sort key: the original, bundled variants, others by name."""
    return VARIANTS.index(variant) if variant in VARIANTS else len(VARIANTS), variant


@dataclass(frozen=True, slots=True)
class Choice:
    """A question with options; the right one is at ``target``, from 0.

    ``language`` is an ISO 639-1 code; None detects it. Raises TypeError or ValueError for invisible text, fewer than
    two options, more than `LETTERS` allows, or a target out of range.
    """

    id: str
    question: str
    options: tuple[str, ...]
    target: int
    language: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.id, str) or not isinstance(self.options, tuple):
            raise TypeError(f"id is {self.id!r}, options are {self.options!r}; expected a string and a tuple")
        if not self.id or self.id != " ".join(self.id.split()):
            raise ValueError(f"id is {self.id!r}; expected visible characters on one line, with single spaces")
        normalise(self.question)
        check_options(self.options)
        if len(self.options) > len(LETTERS):
            raise ValueError(f"{len(self.options)} options; expected at most {len(LETTERS)}, one for each letter")
        if isinstance(self.target, bool) or not isinstance(self.target, int):
            raise TypeError(f"target is {self.target!r}; expected the place of an option, a whole number")
        if not 0 <= self.target < len(self.options):
            raise ValueError(f"target is {self.target}; expected 0 to {len(self.options) - 1}")
        known = question_languages()
        if self.language not in (None, *known):
            raise ValueError(f"language is {self.language!r}; expected {' or '.join(map(repr, known))} or None")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A choice as shown to a model once.

    ``item`` and ``variant`` are ids, such as ``orig``, ``para1`` or ``pert:punct``; ``kind`` is a readable name.
    ``options`` and ``target`` are as shown, ``order`` gives the original places. ``edits`` turned the normalised
    question into ``question``.
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
        """The original place of the option at ``place``, if any. Raises ValueError for other places."""
        if place is None:
            return None
        if not 0 <= place < len(self.order):
            raise ValueError(f"answer {place}; expected 0 to {len(self.order) - 1}, or None")
        return self.order[place]

    @property
    def labels(self) -> dict[str, str | None]:
        """The columns of the variant in a log."""
        reworded = self.task == PARAPHRASES
        return {
            "variant": self.variant,
            "paraphrase_id": self.variant if reworded else None,
            "perturbation_kind": None if reworded else self.kind,
        }
