"""TextFooler [Jin et al., 2020].

D. Jin, Z. Jin, J. T. Zhou and P. Szolovits, Is BERT Really Robust? A Strong Baseline for Natural Language Attack on
Text Classification and Entailment, AAAI 2020.

Published: words by their importance when left out, stop words left alone; of each the 50 nearest by counter-fitted word
vectors with a cosine of at least 0.7, of the same part of speech; sentences at least 0.7 similar by the Universal
Sentence Encoder. The released code (jind11/TextFooler) differs: an unknown token stands for the word where words are
ranked, the cosine is at least 0.5, nouns and verbs may stand for each other, and similarity, 1 less the angle in
radians, is that of the 15 words around a change, before it and after it, with no limit on shorter texts.

Here the numbers are those of the paper. Similarity is that of the whole text to the original, by characters unless an
encoder is named (``similarity = "encoder:FOLDER"``). It is a cosine then; 0.7 of the angle in the code is a cosine of
0.955. Parts of speech are those of the corpus, if it has any, unless a tagger is named (``parts_of_speech =
"spacy:NAME"``), and a noun stays a noun. The attacks ``word_attack`` and ``context_attack`` search in the same way,
among the reviewed lists that ship.
"""

from __future__ import annotations

from dataclasses import dataclass

from abalo.attacks.neighbours import NEEDED, Neighbours, nearest
from abalo.attacks.parts import Candidates
from abalo.attacks.recipe import recipe


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFooler(Neighbours):
    """The published settings."""

    least_similarity: float = 0.7
    parts_of_speech: str = "auto"


def candidates(settings: TextFooler, _seed: int) -> Candidates:
    """Nearest words by counter-fitted word vectors, the most important word first."""
    return nearest(settings)


ATTACK = recipe(
    "textfooler",
    TextFooler,
    candidates,
    title="TextFooler",
    needs=NEEDED,
)
