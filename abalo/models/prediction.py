"""Predictions of models that label the tokens of a sentence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float32]
"""Raw logits, one row per token, one column per label of the model."""


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """The labels of one sentence, one per token, in the names of the corpus.

    ``scores`` are raw logits, (tokens × labels of the model), or None from a model that gives none. ``alternative`` are
    the tags that the other aggregation of word pieces would have given in the same forward, None where there is no such
    choice. ``windows`` is how many inputs the model needed for the sentence; ``wordless`` how many of its tokens had no
    piece and were sent as the unknown token. ``full_tags`` are the tags before the entity types that are not judged
    became O, None where all are judged. ``own_tags`` are those of the model itself where it does not list its labels
    and they are renamed, else None.
    """

    tags: tuple[str, ...]
    scores: Scores | None = None
    alternative: tuple[str, ...] | None = None
    windows: int = 1
    wordless: int = 0
    full_tags: tuple[str, ...] | None = None
    own_tags: tuple[str, ...] | None = None
