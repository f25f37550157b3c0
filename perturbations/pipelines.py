"""Perturbations in turn as one, and which of them can be combined."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from heapq import nsmallest
from itertools import permutations
from typing import ClassVar

from perturbations.catalogue import members
from perturbations.composition import in_turn
from perturbations.perturbation import Cost, Perturbation, sample_pipeline
from perturbations.streams import lot
from perturbations.text import Perturbed, Relation, Sentence


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Perturbations made in turn."""

    steps: tuple[Perturbation, ...]

    name: ClassVar[str] = "pipeline"
    kind: ClassVar[None] = None
    """It touches what each of its steps does."""

    @property
    def joins(self) -> bool:
        """Whether a step joins other sentences to one."""
        return any(step.joins for step in self.steps)

    @property
    def resizes(self) -> bool:
        """Whether a step may make whole entities longer or shorter."""
        return any(step.resizes for step in self.steps)

    @property
    def relation(self) -> Relation:
        """The effect of all steps on how a sentence relates to another."""
        return in_turn(step.relation for step in self.steps)

    @property
    def cost(self) -> Cost:
        """A model, if a step asks one."""
        return "model" if any(step.cost == "model" for step in self.steps) else "text"

    @property
    def may_miss(self) -> bool:
        """Whether chance can leave a sentence alone in which a step fits."""
        return any(step.may_miss for step in self.steps)

    def fits(self, sentence: Sentence) -> bool:
        """Whether a step fits: where none does, none changes what the next one finds."""
        return any(step.fits(sentence) for step in self.steps)

    def sample(self, sentence: Sentence, *, seed: int) -> Perturbed | None:
        """One variant of the sentence, as one step from it, the same for the same seed; None where nothing changes."""
        return sample_pipeline(self.steps, sentence, seed=seed)


def languages() -> list[str]:
    """The languages that perturbations of the catalogue are for."""
    return sorted({language for member in members().values() for language in member.languages})


Accepts = Callable[[Perturbation], bool]
"""Whether a task accepts a perturbation."""


def combinations(of: int, language: str, accepts: Accepts) -> Iterator[tuple[Perturbation, ...]]:
    """Every way to make ``of`` perturbations of the catalogue in turn, in alphabetical order.

    They are different, fit the task and the language, and need no model.
    """
    fitting = [
        member
        for member in members().values()
        if member.cost == "text" and accepts(member) and member.unfit(language) is None
    ]
    return permutations(fitting, of)


def sampled_combinations(
    count: int, of: int, language: str, accepts: Accepts, *, seed: int
) -> list[tuple[Perturbation, ...]]:
    """``count`` of them, or all where there are fewer, each set equally likely.

    Another perturbation in the catalogue takes the place of few of those that were drawn before.
    """
    return nsmallest(
        count,
        combinations(of, language, accepts),
        key=lambda steps: lot(seed, "combinations", *(step.name for step in steps)),
    )
