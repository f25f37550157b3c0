"""DeepWordBug [Gao et al., 2018].

J. Gao, J. Lanchantin, M. L. Soffa and Y. Qi, Black-box Generation of Adversarial Text Sequences to Evade Deep Learning
Classifiers, IEEE Security and Privacy Workshops 2018.

Published: four scores of words, by an unknown token in the place of each (Replace-1), by what stands before it, behind
it, or both (the combined score); one of four slips in the words with the highest score, a swap, a substitution, a
deletion or an insertion of a random letter; at most 30 characters changed. The main numbers are by the combined score
and substitutions.

Here, as in TextAttack's recipe, words are ranked by Replace-1, since the other scores are for models that read from
left to right, and of each word the slip that hurts most of the four is taken. Slips are drawn once for each word, and
stop words are left alone, as there.
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
    """Slips in words: two letters swapped, one replaced, left out or put in, the most important word first."""
    typos = find("typos").configured(keep_first=False, keep_last=False)
    modes = ("swap", "replace", "delete", "insert")
    return Together(*(Slips(typos.configured(mode=mode), seed) for mode in modes))


ATTACK = recipe("deepwordbug", DeepWordBug, candidates, title="DeepWordBug", drawn=True)
