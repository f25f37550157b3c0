"""BAE [Garg and Ramakrishnan, 2020].

S. Garg and G. Ramakrishnan, BAE: BERT-based Adversarial Examples for Text Classification, EMNLP 2020.

Published: words by their importance when left out; of each, masked, the 50 likeliest whole words by a masked language
model, of the same part of speech (BAE-R), or of a new word put in right before or after it (BAE-I), or of either
(BAE-R/I); sentences at least 0.8 similar by the Universal Sentence Encoder. As the authors told TextAttack, their code
is TextFooler's: similarity by windows of 15 words against the text right before a change, hardly any limit on shorter
texts, and nouns and verbs may stand for each other.

Here similarity is that of the whole text to the original, by characters unless an encoder is named (``similarity =
"encoder:FOLDER"``). It is a cosine then; the code measures the angle, and its 0.8 is a cosine of 0.98. Parts of speech
are those of the corpus, if it has any, unless a tagger is named, and a noun stays a noun. Words take the place of
words alone, never of marks, and are whole words, by the list of word classes of the language of the stop words. The
fourth variant, a replacement and an insertion at one word (BAE-R+I), is not there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from abalo.attacks.attack import NONE
from abalo.attacks.candidates.insertions import Insertions
from abalo.attacks.candidates.together import Together
from abalo.attacks.candidates.words import Words
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import STOP_WORDS, RecipeSettings, recipe
from abalo.core.configuring import Lists, Ranges
from abalo.errors import AbaloError
from abalo.models.masked_lm import load_masked_lm
from abalo.sources.masked import MaskedSynonyms

Moves = Literal["replace", "insert", "both"]

PREFIX = "masked-lm:"

MASKED: Lists = {**STOP_WORDS, "pt": {**STOP_WORDS["pt"], "model": f"{PREFIX}bundled"}}
"""The stop words by language, and in Portuguese the masked language model that ships."""

NEEDED = f'a masked language model: model = "{PREFIX}FOLDER"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Bae(RecipeSettings):
    """The published settings.

    ``model`` names the masked language model, ``moves`` the variant of the attack, BAE-R, BAE-I or BAE-R/I;
    ``most_candidates`` is how many words are tried of each.
    """

    least_similarity: float = 0.8
    parts_of_speech: str = "auto"
    model: str = NONE
    moves: Moves = "replace"
    most_candidates: int = 50

    ranges: ClassVar[Ranges] = {**RecipeSettings.ranges, "most_candidates": (1, 10**9)}


def candidates(settings: Bae, _seed: int) -> Candidates:
    """Words that a masked language model would put in the place of a word, or beside it."""
    model = load_masked_lm(folder(settings.model))
    parts: list[Candidates] = []
    if settings.moves != "insert":
        parts.append(Words(MaskedSynonyms(model, settings.most_candidates, spoken(settings))))
    if settings.moves != "replace":
        parts.append(Insertions(model, settings.most_candidates, spoken(settings)))
    return Together(*parts)


def spoken(settings: RecipeSettings) -> str:
    """The language that the list of stop words is of, such as "pt" for ``stop_words_pt``; "" without a list."""
    return settings.stop_words.rpartition("_")[2]


def folder(spec: str) -> str:
    """The model in the value of ``model``; raises `AbaloError` for anything else."""
    if not spec.startswith(PREFIX) or spec == PREFIX:
        raise AbaloError(f"model {spec!r}: expected {NEEDED}")
    return spec.removeprefix(PREFIX)


ATTACK = recipe("bae", Bae, candidates, title="BAE", lists=MASKED, needs={"model": NEEDED})
