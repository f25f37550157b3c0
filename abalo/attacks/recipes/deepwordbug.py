"""DeepWordBug [Gao et al., 2018].

J. Gao, J. Lanchantin, M. L. Soffa and Y. Qi, Black-box Generation of Adversarial Text Sequences to Evade Deep Learning
Classifiers, IEEE Security and Privacy Workshops 2018.

Published: four scores order the words: by an unknown token in the word's place (Replace-1), by the text before it,
after it, or both (the combined score). The highest words get a swap, or a substitution, deletion or insertion of a
random letter. At most 30 characters change. The main numbers use the combined score and substitutions.

Here, as in TextAttack's recipe, Replace-1 orders the words, since the other scores are for models that read from left
to right. Each word gets the worst of four slips, each drawn once; stop words stay.
"""

from __future__ import annotations

from dataclasses import dataclass

from abalo.attacks.candidates.slips import Slips
from abalo.attacks.candidates.together import Together
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import RecipeSettings, recipe
from perturbations import find


@dataclass(frozen=True, slots=True, kw_only=True)
class DeepWordBug(RecipeSettings):
    """The published settings."""

    ranking: str = "unknown"
    most_edits: int = 30


def candidates(_settings: DeepWordBug, seed: int) -> Candidates:
    """Swaps, replaces, deletes or inserts letters in words, the most important word first."""
    typos = find("typos").configured(keep_first=False, keep_last=False)
    modes = ("swap", "replace", "delete", "insert")
    return Together(*(Slips(typos.configured(mode=mode), seed) for mode in modes))


ATTACK = recipe("deepwordbug", DeepWordBug, candidates, title="DeepWordBug", drawn=True)
