"""TextFooler [Jin et al., 2020].

D. Jin, Z. Jin, J. T. Zhou and P. Szolovits, Is BERT Really Robust? A Strong Baseline for Natural Language Attack on
Text Classification and Entailment, AAAI 2020.

Published: deletion orders the words; stop words stay. One of the 50 nearest words by counter-fitted vectors replaces
each, with a cosine of at least 0.7 and the same part of speech. Sentences stay at least 0.7 similar by the Universal
Sentence Encoder. The released code (jind11/TextFooler) differs: an unknown token orders the words, the cosine is at
least 0.5, and nouns and verbs may replace each other. Similarity, 1 less the angle in radians, compares the 15 words
around a change before and after it, with no limit on shorter texts.

Here the numbers are the paper's. The whole text is compared with the original, by characters unless an encoder is named
(``similarity = "encoder:FOLDER"``). An encoder gives a cosine; the code's 0.7 is a cosine of 0.955. Parts of speech
come from the corpus, if it has any, unless a tagger is named (``parts_of_speech = "spacy:NAME"``), and a noun stays a
noun.
"""

from __future__ import annotations

from dataclasses import dataclass

from abalo.attacks.neighbours import NEEDED, NeighbourSettings, nearest
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import recipe


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFooler(NeighbourSettings):
    """The published settings."""

    least_similarity: float = 0.7
    parts_of_speech: str = "auto"


def candidates(settings: TextFooler, _seed: int) -> Candidates:
    """Replaces words by near words by counter-fitted vectors, the most important word first."""
    return nearest(settings)


ATTACK = recipe(
    "textfooler",
    TextFooler,
    candidates,
    title="TextFooler",
    needs=NEEDED,
)
