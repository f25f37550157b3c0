"""CheckList [Ribeiro et al., 2020].

M. T. Ribeiro, T. Wu, C. Guestrin and S. Singh, Beyond Accuracy: Behavioral Testing of NLP Models with CheckList, ACL
2020.

Published: three kinds of tests; invariance tests change persons, places, numbers and contractions, which should not
matter. TextAttack makes an attack of them: it makes or expands contractions and draws three replacements for each name,
place and number, greedily over all words, each changed at most once, without further constraint. A tagger finds names,
any name may follow any other, and any digit may become another number.

Here names and places come from the shipped lists; capitals identify them without labels. Women stay women, towns towns,
and articles right. Numbers are amounts that keep their length, as in ``number``; words of labelled entities stay.

Two readers rated the grammar of 32 successes, English and Portuguese, 5.0 of 5; 31 keep their label.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from abalo.attacks.candidates.names import given_names, places
from abalo.attacks.candidates.sentence_edits import SentenceEdits
from abalo.attacks.candidates.together import Together
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import RecipeSettings, recipe
from abalo.core.records.configuring import Lists, Ranges
from perturbations import find
from perturbations.languages import with_parts

SPOKEN: Lists = {code: {"language": code} for code in with_parts("contractions", "given_names", "places")}


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckList(RecipeSettings):
    """The settings of TextAttack's recipe."""

    search: str = "greedy_all"
    stop_words: str = ""
    language: str = "pt"
    draws: int = 3

    ranges: ClassVar[Ranges] = {**RecipeSettings.ranges, "draws": (1, 1000)}

    def __post_init__(self) -> None:
        RecipeSettings.__post_init__(self)
        if self.language not in SPOKEN:
            raise ValueError(f"language is {self.language!r}; expected one of {', '.join(map(repr, SPOKEN))}")


def candidates(settings: CheckList, seed: int) -> Candidates:
    """Exchanges names, places and numbers, and makes or expands contractions: changes that should not matter."""
    language = settings.language
    kinds = {
        "contractions": find("contraction").configured(language=language, which="both").sites,
        "names": given_names(language),
        "places": places(language),
        "numbers": find("number").configured(language=language).sites,
    }
    return Together(*(SentenceEdits(name, sites, seed, settings.draws) for name, sites in kinds.items()))


ATTACK = recipe("checklist", CheckList, candidates, title="CheckList", drawn=True, lists=SPOKEN)
