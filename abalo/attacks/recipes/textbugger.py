"""TextBugger [Li et al., 2019].

J. Li, S. Ji, T. Du, B. Li and T. Wang, TextBugger: Generating Adversarial Text Against Real-world Applications, NDSS
2019.

Published: words by their importance when left out; of each the bug that hurts most of five: a space in a word of fewer
than 6 letters; a letter left out, or two swapped in a word of more than 4, first and last letter kept; a letter
replaced by one that looks like it or by a neighbour on the keyboard; one of the 5 nearest words by word vectors.
Sentences are at least 0.8 similar by a sentence encoder. Here the look-alike and the neighbouring key are two bugs,
near words are those of the reviewed list unless word vectors are named (``synonyms = "vectors:FILE"``), and similarity
is that of characters unless an encoder is named (``similarity = "encoder:FOLDER"``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from abalo.attacks.candidates.slips import Slips
from abalo.attacks.candidates.spaces import Spaces
from abalo.attacks.candidates.together import Together
from abalo.attacks.candidates.words import Words
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import RecipeSettings, recipe
from abalo.attacks.substitution import LISTS
from abalo.core.configuring import Ranges
from abalo.sources.loading import load_synonyms
from perturbations import find

_LONGEST_SPLIT = 5
_SHORTEST_SWAPPED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBugger(RecipeSettings):
    """The published settings. ``synonyms`` names the source of near words, of which ``most_synonyms`` are tried.

    ``layout`` is that of the keyboard.
    """

    least_similarity: float = 0.8
    synonyms: str = "lexicon:near_synonyms_pt"
    most_synonyms: int = 5
    layout: str = "qwerty"

    ranges: ClassVar[Ranges] = {**RecipeSettings.ranges, "most_synonyms": (1, 10**9)}


def candidates(settings: TextBugger, seed: int) -> Candidates:
    """Five bugs in words: a space, a letter gone, two swapped, one that looks alike, a near word."""
    typos = find("typos")
    return Together(
        Spaces(seed, _LONGEST_SPLIT),
        Slips(typos.configured(mode="delete"), seed),
        Slips(typos.configured(mode="swap"), seed, shortest=_SHORTEST_SWAPPED),
        Slips(find("ocr"), seed),
        Slips(find("keyboard").configured(layout=settings.layout, min_length=1), seed),
        Words(load_synonyms(settings.synonyms, most=settings.most_synonyms, least=0.0)),
    )


ATTACK = recipe("textbugger", TextBugger, candidates, drawn=True, lists=LISTS)
