"""One way to put a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perturbations.text import Edit, Perturbed

ORIGINAL = "orig"


@dataclass(frozen=True, slots=True)
class QuestionRewording:
    """One way to put a question.

    ``id`` says which: ``orig``, ``para1``, …, ``pert:punct``, …. ``kind`` is a friendlier name: the rule of a
    paraphrase, or ``punct``, ``order:swap``, …. ``question`` is what became of the normalised question. ``moves`` are
    the edits of the options, those of a Sentence whose tokens they are.
    """

    id: str
    kind: str
    question: Perturbed
    moves: tuple[Edit, ...] = ()

    @property
    def text(self) -> str:
        """The question as it is put."""
        return self.question.sentence.text


def check_count(k: int) -> int:
    """``k`` itself; raises TypeError or ValueError where it is no number of variants."""
    if isinstance(k, bool) or not isinstance(k, int):
        raise TypeError(f"k is {k!r}; expected a whole number")
    if k < 0:
        raise ValueError(f"k is {k}; expected 0 or more variants")
    return k


def check_options(options: Sequence[str]) -> tuple[str, ...]:
    """The options as a tuple; raises TypeError or ValueError unless they are two or more, none blank."""
    if isinstance(options, str) or not all(isinstance(option, str) for option in options):
        raise TypeError(f"options are {options!r}; expected a list of strings")
    if len(options) < 2:
        raise ValueError(f"{len(options)} options; expected at least 2")
    if blank := [place for place, option in enumerate(options) if not option.strip()]:
        raise ValueError(f"option {blank[0]} is {options[blank[0]]!r}; expected at least one visible character")
    return tuple(options)
