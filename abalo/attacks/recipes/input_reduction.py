"""Input reduction [Feng et al., 2018].

S. Feng, E. Wallace, A. Grissom II, M. Iyyer, P. Rodriguez and J. Boyd-Graber, Pathologies of Neural Models Make
Interpretations Difficult, EMNLP 2018.

Published: words are deleted one by one, the least important first, with a beam of 5, while the prediction stays; a
model should not be sure of the rest. Importance is the confidence lost with a word. The paper approximates it by
gradients; here the model is asked. Other implementations have a beam of 3 (AllenNLP) or none, and keep stop words
(TextAttack).

A success is a text that needs at most ``left`` words, so bounds on the success rate limit how often a model decides by
a single word.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from abalo.attacks.candidates.deletions import Deletions
from abalo.attacks.limits import changed_words
from abalo.attacks.parts import Candidates, Tuning
from abalo.attacks.recipe import RecipeSettings, recipe
from abalo.core.records.configuring import Ranges
from abalo.core.records.targets import Target
from perturbations import Perturbed


@dataclass(frozen=True, slots=True, kw_only=True)
class InputReduction(RecipeSettings):
    """The published settings. ``left`` is the smallest number of words left, and the largest in a success.

    Words of labelled spans, such as an aspect, stay and do not count.
    """

    search: str = "reduction"
    width: int = 5
    left: int = 1
    stop_words: str = ""

    ranges: ClassVar[Ranges] = {**RecipeSettings.ranges, "left": (1, 10**9)}

    def __post_init__(self) -> None:
        RecipeSettings.__post_init__(self)
        if self.to:
            raise ValueError(f"to is {self.to!r}; what is reduced stays right, so leave it out")

    def tuning(self) -> Tuning:
        return replace(RecipeSettings.tuning(self), left=self.left)


def candidates(_settings: InputReduction, _seed: int) -> Candidates:
    """Removes words while the prediction stays the same; a success leaves one."""
    return Deletions()


def reaches_goal(settings: InputReduction, target: Target, prediction: object, made: Perturbed | None) -> bool:
    """Whether few enough words are left, and the prediction holds."""
    gone = 0 if made is None else changed_words(made)
    return len(target.free) - gone <= settings.left and not any(target.read(prediction, made).turned)


ATTACK = recipe("input_reduction", InputReduction, candidates, of_spans=False, lists={}, reached=reaches_goal)
