"""A2T [Yoo and Qi, 2021].

J. Y. Yoo and Y. Qi, Towards Improving Adversarial Training of NLP Models, Findings of EMNLP 2021.

Published: the gradient of the loss orders the words; one of the 20 nearest by counter-fitted vectors replaces each,
with a cosine of at least 0.8 and the same part of speech. At most 10 % of the words change; TextAttack's recipe, the
authors' code, allows 4 in short texts. Texts stay at least 0.9 similar by DistilBERT trained on STS-B. A variant takes
its words from a masked language model: here `bae` with ``most_candidates = 20``.

Here deletion orders the words, which works for any model and takes one query a word. ``similarity`` names the encoder.
Parts of speech come from the corpus, if it has any, unless a tagger is named.

Two readers rated the grammar of 20 English successes 4.4 of 5; all keep their label.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from abalo.attacks.attack import NONE
from abalo.attacks.limits import Limit, most_changed
from abalo.attacks.neighbours import ENCODED, NEEDED, NeighbourSettings, nearest
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import RecipeSettings, recipe
from abalo.core.records.configuring import Ranges


@dataclass(frozen=True, slots=True, kw_only=True)
class A2T(NeighbourSettings):
    """The published settings."""

    similarity: str = NONE
    least_similarity: float = 0.9
    parts_of_speech: str = "auto"
    most_changed: float = 0.1
    words_allowed: int = 4
    most_synonyms: int = 20
    least_synonym_similarity: float = 0.8

    ranges: ClassVar[Ranges] = {**NeighbourSettings.ranges, "words_allowed": (0, 10**9)}

    def limits(self) -> list[Limit]:
        others = replace(self, most_changed=1.0)
        return [most_changed(self.most_changed, self.words_allowed), *RecipeSettings.limits(others)]


def candidates(settings: A2T, _seed: int) -> Candidates:
    """Replaces a tenth of the words by near words by counter-fitted vectors, the most important word first."""
    return nearest(settings)


ATTACK = recipe("a2t", A2T, candidates, title="A2T", needs={**NEEDED, **ENCODED})
