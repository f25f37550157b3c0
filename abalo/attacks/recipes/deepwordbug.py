"""DeepWordBug [Gao et al., 2018].

J. Gao, J. Lanchantin, M. L. Soffa and Y. Qi, Black-box Generation of Adversarial Text Sequences to Evade Deep Learning
Classifiers, IEEE Security and Privacy Workshops 2018.

Published: words by the Replace-1 score, an unknown token in the place of each; of the most important words one by one
the slip that hurts most of four, a swap, a substitution, a deletion and an insertion of a random letter; at most 30
characters changed. Here slips are drawn once for each word, and stop words are left alone.
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


ATTACK = recipe("deepwordbug", DeepWordBug, candidates, drawn=True)
