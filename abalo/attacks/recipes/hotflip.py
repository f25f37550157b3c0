"""HotFlip for pieces of words [Ebrahimi et al., 2018].

J. Ebrahimi, A. Rao, D. Lowd and D. Dou, HotFlip: White-Box Adversarial Examples for Text Classification, ACL 2018.

Published: the gradient chooses characters, or whole words, to flip in a beam of 10. At most two words of a text change;
stop words stay. New words have the same part of speech and a cosine of at least 0.8.

Here one piece of a word is flipped, because networks read pieces: *un##fair* becomes *un##kind* or *dis##fair*. The
tokenizer must cut the new word in the same way, and only letters are used. Gradients come from the original text; the
model decides between the 10 best flips of each word. Cosines are measured in the network's own embeddings: at 0.8 only
one piece in 18 has a neighbour (MiniLM), at 0.35 half of them have five. Parts of speech come from the corpus, if it
has any, unless a tagger is named. A case must allow gradients (``gradients = "model"``), and the model must be a
PyTorch checkpoint that labels texts or pairs of texts.

Two readers rated the grammar of 29 English successes on MiniLM 3.4 of 5; 22 keep their label.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from abalo.attacks.attack import Aims, Attack, Started
from abalo.attacks.candidates.flips import Flips
from abalo.attacks.recipe import STOP_WORDS, RecipeSettings, is_seeded, start_recipe
from abalo.core.records.configuring import Ranges


@dataclass(frozen=True, slots=True, kw_only=True)
class HotFlip(RecipeSettings):
    """The published settings, except for cosines; ``gradients = "none"`` skips the attack."""

    gradients: Literal["none", "model"] = "none"
    parts_of_speech: str = "auto"
    search: str = "beam"
    width: int = 10
    most_words: int = 2
    most_candidates: int = 10
    least_piece_similarity: float = 0.35

    ranges: ClassVar[Ranges] = {
        **RecipeSettings.ranges,
        "most_candidates": (1, 10**6),
        "least_piece_similarity": (-1, 1),
    }


def start(aims: Aims, settings: HotFlip) -> Started:
    """Flips pieces of words to the ones that cost the right label most by the model's own gradient."""
    flips = Flips("hotflip", aims, settings.most_candidates, settings.least_piece_similarity)
    return start_recipe("hotflip", aims, settings, flips)


ATTACK = Attack(
    "hotflip",
    HotFlip,
    start,
    is_seeded,
    of_spans=False,
    lists=STOP_WORDS,
    needs={"gradients": 'those of a text classifier of transformers in PyTorch: gradients = "model"'},
    title="HotFlip",
)
