"""Virtual boundary attack [Yang et al., 2024].

Y. Yang, H. Wu and H. Zhao, Attack Named Entity Recognition by Entity Boundary Interference, LREC-COLING 2024 (arXiv
2305.05253).

Published: a single word is put in, a new boundary, that makes the model wrong about it or about other words. Here the
word is the first or the last one of the entity, put in anywhere outside entities but right beside one, and a success is
that the entity itself is lost: labels of the new word are not looked at. Under ``to = "invented"`` they are: a success
is then that it, or any other word outside entities, is taken for one, for the boundary words of all entities. Written
after the abstract of the paper, not after its code, so numbers need not agree.
"""

from __future__ import annotations

from dataclasses import dataclass

from abalo.attacks.candidates.boundaries import Boundaries
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import RecipeSettings, recipe


@dataclass(frozen=True, slots=True, kw_only=True)
class Viba(RecipeSettings):
    """The published budget of one word."""

    search: str = "greedy_all"
    most_words: int = 1
    stop_words: str = ""


def candidates(_settings: Viba, _seed: int) -> Candidates:
    """One boundary word of the entity put in elsewhere, wherever it breaks the entity."""
    return Boundaries()


ATTACK = recipe("viba", Viba, candidates, title="ViBA", of_spans=True, lists={})
