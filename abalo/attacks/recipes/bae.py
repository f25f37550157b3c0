"""BAE [Garg and Ramakrishnan, 2020].

S. Garg and G. Ramakrishnan, BAE: BERT-based Adversarial Examples for Text Classification, EMNLP 2020.

Published: deletion orders the words. A masked language model proposes the 50 likeliest whole words of the same part of
speech to replace a word (BAE-R), to stand right before or after it (BAE-I), or either (BAE-R/I). Sentences stay at
least 0.8 similar by the Universal Sentence Encoder. The authors told TextAttack that their code is TextFooler's: it
compares windows of 15 words before and after each change, hardly limits shorter texts, and exchanges nouns and verbs.

Here the whole text is compared with the original, by characters unless an encoder is named (``similarity =
"encoder:FOLDER"``). An encoder gives a cosine; the angle of 0.8 in the code is a cosine of 0.98. Parts of speech come
from the corpus, if it has any, unless a tagger is named, and a noun stays a noun. Only whole words replace words, by
the word classes of the stop words' language. BAE-R+I, a replacement and an insertion at one word, is missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from abalo.attacks.attack import NONE
from abalo.attacks.candidates.insertions import Insertions
from abalo.attacks.candidates.together import Together
from abalo.attacks.candidates.words import SourceWords
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import STOP_WORDS, RecipeSettings, recipe
from abalo.core.records.configuring import Lists, Ranges
from abalo.errors import AbaloError
from abalo.models.auxiliary.masked_lm import load_masked_lm
from abalo.sources.masked import MaskedSynonyms

BaeMoves = Literal["replace", "insert", "both"]

PREFIX = "masked-lm:"

MASKED: Lists = {**STOP_WORDS, "pt": {**STOP_WORDS["pt"], "model": f"{PREFIX}bundled"}}
"""Stop words; for Portuguese also the bundled masked language model."""

NEEDED = f'a masked language model: model = "{PREFIX}FOLDER"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Bae(RecipeSettings):
    """The published settings; ``moves`` is BAE-R, BAE-I or BAE-R/I."""

    least_similarity: float = 0.8
    parts_of_speech: str = "auto"
    model: str = NONE
    moves: BaeMoves = "replace"
    most_candidates: int = 50

    ranges: ClassVar[Ranges] = {**RecipeSettings.ranges, "most_candidates": (1, 10**9)}


def candidates(settings: Bae, _seed: int) -> Candidates:
    """Replaces a word by words that a masked language model proposes, or inserts them beside it."""
    model = load_masked_lm(folder(settings.model))
    parts: list[Candidates] = []
    if settings.moves != "insert":
        parts.append(SourceWords(MaskedSynonyms(model, settings.most_candidates, stop_word_language(settings))))
    if settings.moves != "replace":
        parts.append(Insertions(model, settings.most_candidates, stop_word_language(settings)))
    return Together(*parts)


def stop_word_language(settings: RecipeSettings) -> str:
    """Language of the stop word list, such as "pt"; "" without a list."""
    return settings.stop_words.rpartition("_")[2]


def folder(spec: str) -> str:
    """Folder in the value of ``model``; raises `AbaloError` for anything else."""
    if not spec.startswith(PREFIX) or spec == PREFIX:
        raise AbaloError(f"model {spec!r}: expected {NEEDED}")
    return spec.removeprefix(PREFIX)


ATTACK = recipe("bae", Bae, candidates, title="BAE", lists=MASKED, needs={"model": NEEDED})
