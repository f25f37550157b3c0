"""TextBugger [Li et al., 2019].

J. Li, S. Ji, T. Du, B. Li and T. Wang, TextBugger: Generating Adversarial Text Against Real-world Applications, NDSS
2019.

Published: the model's confidence in each single sentence orders the sentences, deletion their words. Each word gets the
worst of five bugs: a space in a word of fewer than 6 letters; a letter deleted, or two swapped in a word of more than
4, first and last letter kept; a letter replaced by a look-alike or a neighbour on the keyboard; one of the 5 nearest
words by GloVe vectors. Texts stay at least 0.8 similar by the Universal Sentence Encoder.

Here words are ordered over the whole text; look-alike and neighbouring key are two bugs. Near words come from the
reviewed list unless word vectors are named (``synonyms = "vectors:FILE"``). Stop words stay. Similarity is measured by
characters unless an encoder is named (``similarity = "encoder:FOLDER"``). Keyboards follow the language. Without
such lists, a language has four bugs, and its stop words may change.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from abalo.attacks.attack import NONE
from abalo.attacks.candidates.slips import Slips, check_layout
from abalo.attacks.candidates.spaces import Spaces
from abalo.attacks.candidates.together import Together
from abalo.attacks.candidates.words import SourceWords
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import RecipeSettings, recipe
from abalo.attacks.substitution import LISTS
from abalo.core.records.configuring import Lists, Ranges
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
"""Keyboard and word lists by language."""

_LONGEST_SPLIT = 5
_SHORTEST_SWAPPED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBugger(RecipeSettings):
    """The published settings; ``synonyms = "none"`` leaves four bugs."""

    least_similarity: float = 0.8
    synonyms: str = "lexicon:near_synonyms_pt"
    most_synonyms: int = 5
    layout: str = "qwerty"

    ranges: ClassVar[Ranges] = {**RecipeSettings.ranges, "most_synonyms": (1, 10**9)}

    def __post_init__(self) -> None:
        RecipeSettings.__post_init__(self)
        check_synonyms(self.synonyms, lists=True)
        check_layout(self.layout)


def candidates(settings: TextBugger, seed: int) -> Candidates:
    """Puts five bugs into words: a space, a deleted letter, two swapped, a look-alike, a near word."""
    typos = find("typos")
    near = [] if settings.synonyms == NONE else [load_synonyms(settings.synonyms, most=settings.most_synonyms, least=0)]
    return Together(
        Spaces(seed, _LONGEST_SPLIT),
        Slips(typos.configured(mode="delete"), seed),
        Slips(typos.configured(mode="swap"), seed, shortest=_SHORTEST_SWAPPED),
        Slips(find("ocr"), seed),
        Slips(find("keyboard").configured(layout=settings.layout, min_length=1), seed),
        *map(SourceWords, near),
    )


ATTACK = recipe("textbugger", TextBugger, candidates, title="TextBugger", drawn=True, lists=TYPED)
