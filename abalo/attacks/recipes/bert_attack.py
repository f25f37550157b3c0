"""BERT-Attack [Li et al., 2020].

L. Li, R. Ma, Q. Guo, X. Xue and X. Qiu, BERT-ATTACK: Adversarial Attack Against BERT Using BERT, EMNLP 2020.

Published: masking orders the words. A masked language model that sees the word proposes the 48 likeliest words, or
combinations of pieces for a word of several pieces. At most 40 % of the words change; stop words stay. The released
code (LinyangLee/BERT-Attack) orders words by an unknown token. It proposes no stop words, no words with a logit below a
threshold, and, against antonyms, no counter-fitted cosine below 0.4. Similarity is measured at the end, with thresholds
from 0 to 0.7 by data set, as the authors told TextAttack; its 0.2 is used here.

Here the word is masked. Proposals are single pieces, including stop words and antonyms, but no marks or parts of words.
Similarity limits every candidate, by characters unless an encoder is named (``similarity = "encoder:FOLDER"``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from abalo.attacks.attack import NONE
from abalo.attacks.candidates.words import SourceWords
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import RecipeSettings, recipe
from abalo.attacks.recipes.bae import MASKED, NEEDED, folder, stop_word_language
from abalo.core.records.configuring import Ranges
from abalo.models.auxiliary.masked_lm import load_masked_lm
from abalo.sources.masked import MaskedSynonyms
from perturbations.families.word.masking import MASK


@dataclass(frozen=True, slots=True, kw_only=True)
class BertAttack(RecipeSettings):
    """The published settings."""

    least_similarity: float = 0.2
    ranking: str = "unknown"
    unknown: str = MASK
    most_changed: float = 0.4
    model: str = NONE
    most_candidates: int = 48

    ranges: ClassVar[Ranges] = {**RecipeSettings.ranges, "most_candidates": (1, 10**9)}


def candidates(settings: BertAttack, _seed: int) -> Candidates:
    """Replaces at most 40 % of the words by words that a masked language model proposes."""
    model = load_masked_lm(folder(settings.model))
    return SourceWords(MaskedSynonyms(model, settings.most_candidates, stop_word_language(settings)))


ATTACK = recipe("bert_attack", BertAttack, candidates, title="BERT-Attack", lists=MASKED, needs={"model": NEEDED})
