"""Input reduction [Feng et al., 2018].

S. Feng, E. Wallace, A. Grissom II, M. Iyyer, P. Rodriguez and J. Boyd-Graber, Pathologies of Neural Models Make
Interpretations Difficult, EMNLP 2018.

Published: words are taken away one by one, the least important first, with a beam of 5, for as long as the prediction
stays; the model is wrong to be sure of what is left. The importance of a word is the confidence that goes with it,
which the paper approximates by gradients; here the model is asked. Other implementations have a beam of 3 (AllenNLP) or
none, and leave stop words alone (TextAttack). A success is a text of which no more than ``left`` words are needed, so
bounds on the success rate limit how often a model decides by a single word.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from abalo.attacks.candidates.deletions import Deletions
from abalo.attacks.limits import changed_words
from abalo.attacks.parts import Candidates, Tuning
from abalo.attacks.recipe import RecipeSettings, recipe
from abalo.core.configuring import Ranges
from abalo.core.targets import Target
from perturbations import Perturbed


@dataclass(frozen=True, slots=True, kw_only=True)
class InputReduction(RecipeSettings):
    """The published settings. ``left`` is how many words are left at least, and at most in a success.

    Words of labelled spans, such as an aspect, stay and are not counted.
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
        """The settings of rankings and searches, and how many words are left."""
        return replace(RecipeSettings.tuning(self), left=self.left)


def candidates(_settings: InputReduction, _seed: int) -> Candidates:
    """Words taken away for as long as the prediction holds; a success leaves one."""
    return Deletions()


def reached(settings: InputReduction, target: Target, prediction: Any, made: Perturbed | None) -> bool:
    """Whether few enough words are left, and the prediction holds."""
    gone = 0 if made is None else changed_words(made)
    return len(target.free) - gone <= settings.left and not any(target.read(prediction, made).turned)


ATTACK = recipe("input_reduction", InputReduction, candidates, of_spans=False, lists={}, reached=reached)
