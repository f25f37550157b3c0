"""Virtual boundary attack [Yang et al., 2024].

Y. Yang, H. Wu and H. Zhao, Attack Named Entity Recognition by Entity Boundary Interference, LREC-COLING 2024 (arXiv
2305.05253).

Published: a single inserted word, a new boundary, makes the model wrong about it or about other words. Here it is the
first or last word of the entity, inserted anywhere except in or right beside an entity. A success loses the entity
itself; labels of the new word do not count. With ``to = "invented"``, boundary words of all entities are tried, and a
success labels the new word, or any other word outside entities, as an entity. Written from the paper's abstract, not
its code, so numbers may differ.
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
    """Inserts one boundary word of the entity elsewhere, wherever it breaks the entity."""
    return Boundaries()


ATTACK = recipe("viba", Viba, candidates, title="ViBA", of_spans=True, lists={})
