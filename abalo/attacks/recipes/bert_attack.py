"""BERT-Attack [Li et al., 2020].

L. Li, R. Ma, Q. Guo, X. Xue and X. Qiu, BERT-ATTACK: Adversarial Attack Against BERT Using BERT, EMNLP 2020.

Published: words by the effect of a mask in their place; of each the 48 likeliest by a masked language model that reads
the sentence with the word in it, which of a word of several pieces are combinations of pieces; at most 40 % of the
words changed; stop words left alone. The released code (LinyangLee/BERT-Attack) ranks words by an unknown token, offers
no stop words, none whose logit is below a threshold, and none whose counter-fitted cosine is below 0.4, against
antonyms. Similarity is measured when all is done, with thresholds from 0 to 0.7 by data set, as the authors told
TextAttack, whose 0.2 is ours.

Here the word is masked where words are proposed, words are proposed that are one piece of the vocabulary, stop words
and antonyms among them, but no marks and no parts of words, and similarity, of characters unless an encoder is named
(``similarity = "encoder:FOLDER"``), is a constraint on every candidate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from abalo.attacks.attack import NONE
from abalo.attacks.candidates.words import Words
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import RecipeSettings, recipe
from abalo.attacks.recipes.bae import MASKED, NEEDED, folder, spoken
from abalo.core.configuring import Ranges
from abalo.models.masked_lm import load_masked_lm
from abalo.sources.masked import MaskedSynonyms
from perturbations.families.word.masking import MASK


@dataclass(frozen=True, slots=True, kw_only=True)
class BertAttack(RecipeSettings):
    """The published settings.

    ``model`` names the masked language model; of each word ``most_candidates`` words are tried.
    """

    least_similarity: float = 0.2
    ranking: str = "unknown"
    unknown: str = MASK
    most_changed: float = 0.4
    model: str = NONE
    most_candidates: int = 48

    ranges: ClassVar[Ranges] = {**RecipeSettings.ranges, "most_candidates": (1, 10**9)}


def candidates(settings: BertAttack, _seed: int) -> Candidates:
    """Words that a masked language model would put in the place of a word, in at most 40 % of the words."""
    model = load_masked_lm(folder(settings.model))
    return Words(MaskedSynonyms(model, settings.most_candidates, spoken(settings)))


ATTACK = recipe("bert_attack", BertAttack, candidates, title="BERT-Attack", lists=MASKED, needs={"model": NEEDED})
