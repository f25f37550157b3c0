"""TextBugger [Li et al., 2019].

J. Li, S. Ji, T. Du, B. Li and T. Wang, TextBugger: Generating Adversarial Text Against Real-world Applications, NDSS
2019.

Published: sentences by how sure the model is of each alone, in them words by their importance when left out; of each
the bug that hurts most of five: a space in a word of fewer than 6 letters; a letter left out, or two swapped in a word
of more than 4, first and last letter kept; a letter replaced by one that looks like it or by a neighbour on the
keyboard; one of the 5 nearest words by GloVe vectors. Texts are at least 0.8 similar by the Universal Sentence Encoder.

Here words are ranked over the whole text, the look-alike and the neighbouring key are two bugs, near words are those of
the reviewed list unless word vectors are named (``synonyms = "vectors:FILE"``), stop words are left alone, and
similarity is that of characters unless an encoder is named (``similarity = "encoder:FOLDER"``). Keyboards are those of
the language. In a language without such lists there are four bugs, and stop words are not left alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from abalo.attacks.attack import NONE
from abalo.attacks.candidates.slips import Slips
from abalo.attacks.candidates.spaces import Spaces
from abalo.attacks.candidates.together import Together
from abalo.attacks.candidates.words import Words
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import RecipeSettings, recipe
from abalo.attacks.substitution import LISTS
from abalo.core.configuring import Lists, Ranges
from abalo.sources.loading import check_synonyms, load_synonyms
from perturbations import find
from perturbations.languages import language_named, with_parts

TYPED: Lists = {
    code: {
        **LISTS.get(code, {"synonyms": NONE, "stop_words": ""}),
        "layout": next(iter(language_named(code).keyboard)),
    }
    for code in with_parts("keyboard")
}
"""The keyboard by language, and the word lists of those that have them."""

_LONGEST_SPLIT = 5
_SHORTEST_SWAPPED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBugger(RecipeSettings):
    """The published settings. ``synonyms`` names the source of near words, of which ``most_synonyms`` are tried.

    With "none" there are four bugs. ``layout`` is that of the keyboard, where a case gives none that of the language.
    """

    least_similarity: float = 0.8
    synonyms: str = "lexicon:near_synonyms_pt"
    most_synonyms: int = 5
    layout: str = "qwerty"

    ranges: ClassVar[Ranges] = {**RecipeSettings.ranges, "most_synonyms": (1, 10**9)}

    def __post_init__(self) -> None:
        RecipeSettings.__post_init__(self)
        check_synonyms(self.synonyms, lists=True)


def candidates(settings: TextBugger, seed: int) -> Candidates:
    """Five bugs in words: a space, a letter gone, two swapped, one that looks alike, a near word."""
    typos = find("typos")
    near = [] if settings.synonyms == NONE else [load_synonyms(settings.synonyms, most=settings.most_synonyms, least=0)]
    return Together(
        Spaces(seed, _LONGEST_SPLIT),
        Slips(typos.configured(mode="delete"), seed),
        Slips(typos.configured(mode="swap"), seed, shortest=_SHORTEST_SWAPPED),
        Slips(find("ocr"), seed),
        Slips(find("keyboard").configured(layout=settings.layout, min_length=1), seed),
        *map(Words, near),
    )


ATTACK = recipe("textbugger", TextBugger, candidates, title="TextBugger", drawn=True, lists=TYPED)
