"""Bad Characters [Boucher et al., 2022].

N. Boucher, I. Shumailov, R. Anderson and N. Papernot, Bad Characters: Imperceptible NLP Attacks, IEEE S&P 2022.

Published: 1 to 5 invisible characters, homoglyphs, reorderings or deletions (a visible ASCII character and a backspace)
leave the text looking the same. Differential evolution with a population factor of 32 chooses places and characters,
over 3 generations in the released code (nickboucher/imperceptible), 10 in TextAttack's recipe.

Here ``draws`` characters of each kind are drawn for each word, and tried in the ``most_words`` most important words.
It shares characters with ``invisible`` and ``homoglyph``: Unicode's confusable letters, where the code uses those that
Unicode calls intentional.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from abalo.attacks.candidates.imperceptible import KINDS, Imperceptible
from abalo.attacks.candidates.together import Together
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import RecipeSettings, recipe
from abalo.core.records.configuring import Ranges


@dataclass(frozen=True, slots=True, kw_only=True)
class BadCharacters(RecipeSettings):
    """The published budget of 5 changes."""

    most_words: int = 5
    kind: Literal["all", "invisible", "homoglyph", "reordering", "deletion"] = "all"
    draws: int = 2
    stop_words: str = ""

    ranges: ClassVar[Ranges] = {**RecipeSettings.ranges, "draws": (1, 1000)}


def candidates(settings: BadCharacters, seed: int) -> Candidates:
    """Adds changes that no reader sees: invisible characters, homoglyphs, reorderings and deletions."""
    kinds = list(KINDS) if settings.kind == "all" else [settings.kind]
    return Together(*(Imperceptible(kind, seed, settings.draws) for kind in kinds))


ATTACK = recipe("bad_characters", BadCharacters, candidates, drawn=True, lists={})
