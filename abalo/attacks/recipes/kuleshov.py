"""Greedy substitution under a language model [Kuleshov et al., 2018].

V. Kuleshov, S. Thakoor, T. Lau and S. Ermon, Adversarial Examples for Natural Language Classification Problems, 2018
(openreview.net/forum?id=r1QZ3zbAZ).

Published: every step takes the best single replacement by one of the 15 nearest words; at most half of the words
change. A text stays within a distance of 0.2 of the original's thought vector, and its log-probability within 2 nats
for sentiment. The search continues until another label has a probability of 0.7. TextAttack's recipe uses the mean of
word vectors and GPT-2, and limits only a loss of log-probability. It succeeds as soon as the right label falls below
0.7, even if it is still predicted.

Here a success is another label, whatever its probability. ``similarity`` names the encoder of thought vectors; they
have length 1, so the distance is a cosine of 0.98. The language model is n-grams of the corpus unless ``require =
{log_probability_loss = {limit = 2, model = "causal-lm:FOLDER"}}`` names another. As in TextAttack, only a loss is
limited, and stop words stay.

Two readers rated the grammar of 25 English successes 3.9 of 5; all keep their label.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from abalo.attacks.attack import NONE
from abalo.attacks.neighbours import ENCODED, NEEDED, NeighbourSettings, nearest
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import recipe


@dataclass(frozen=True, slots=True, kw_only=True)
class Kuleshov(NeighbourSettings):
    """The published settings."""

    similarity: str = NONE
    least_similarity: float = 0.98
    search: str = "greedy_all"
    most_changed: float = 0.5
    most_synonyms: int = 15
    least_synonym_similarity: float = 0.5
    require: Mapping[str, object] = field(default_factory=lambda: {"log_probability_loss": 2})


def candidates(settings: Kuleshov, _seed: int) -> Candidates:
    """Replaces words by near words by vectors if a language model finds the text likely enough."""
    return nearest(settings)


ATTACK = recipe("kuleshov", Kuleshov, candidates, needs={**NEEDED, **ENCODED})
