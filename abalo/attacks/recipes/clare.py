"""CLARE [Li et al., 2021].

D. Li, Y. Zhang, H. Peng, L. Chen, C. Brockett, M.-T. Sun and B. Dolan, Contextualized Perturbation for Textual
Adversarial Attack, NAACL 2021.

Published: a masked language model (a distilled RoBERTa) replaces a word, inserts one, or merges two. Each place keeps
the single action that hurts most; actions follow by their effect until the label is wrong. Texts stay at least 0.7
similar by the Universal Sentence Encoder, in windows of 15 words. The released code (cookielee77/CLARE) takes words
above a probability and merges by parts of speech, such as an adjective and a noun. TextAttack's recipe tries all
actions again after each step, with the 50 likeliest words of a probability of at least 0.0005 to replace, 0.005 to
merge, and any to insert.

Here the search is the published one, with the words and probabilities of TextAttack. Insertions follow a word and are
whole words, as in `bae`. Any two words merge if neither is a stop word. The whole text is compared, by characters
unless an encoder is named (``similarity = "encoder:FOLDER"``).

Experimental: with the shipped Portuguese model, two readers rated the grammar of 20 successes 2.4 of 5, and nine keep
their label.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from abalo.attacks.attack import NONE
from abalo.attacks.candidates.insertions import Insertions
from abalo.attacks.candidates.merges import Merges
from abalo.attacks.candidates.together import Together
from abalo.attacks.candidates.words import SourceWords
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import RecipeSettings, recipe
from abalo.attacks.recipes.bae import MASKED, NEEDED, folder, stop_word_language
from abalo.core.records.configuring import Ranges
from abalo.models.auxiliary.masked_lm import load_masked_lm
from abalo.sources.masked import MaskedSynonyms

LEAST_TO_REPLACE, LEAST_TO_MERGE = 5e-4, 5e-3
"""Smallest probabilities of a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clare(RecipeSettings):
    """The published settings, and a budget that suffices."""

    budget: int = 10_000
    least_similarity: float = 0.7
    ranking: str = "best_edit"
    model: str = NONE
    most_candidates: int = 50

    ranges: ClassVar[Ranges] = {**RecipeSettings.ranges, "most_candidates": (1, 10**9)}


def candidates(settings: Clare, _seed: int) -> Candidates:
    """Replaces a word, inserts one after it, or merges two, with words from a masked language model."""
    model, most, language = (
        load_masked_lm(folder(settings.model)),
        settings.most_candidates,
        stop_word_language(settings),
    )
    return Together(
        SourceWords(MaskedSynonyms(model, most, language, LEAST_TO_REPLACE)),
        Insertions(model, most, language, sides=(1,)),
        Merges(model, most, language, LEAST_TO_MERGE),
    )


ATTACK = recipe(
    "clare",
    Clare,
    candidates,
    title="CLARE",
    lists=MASKED,
    needs={"model": NEEDED},
    experimental="experimental: readers gave its sentences 2.4 of 5",
)
