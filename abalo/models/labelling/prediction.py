"""Predictions of token-labelling models."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """The labels of one sentence, one per token, in corpus names.

    * ``scores``: raw logits (tokens × labels), or None.
    * ``alternative``: tags by the other aggregation, or None.
    * ``inputs``: number of model inputs.
    * ``wordless``: tokens sent as the unknown token.
    * ``full_tags``: tags before unjudged types became O, or None.
    * ``own_tags``: the model's tags, if renamed without a label list, or None.

    Only from language models:
    * ``reply``: the answer; ``answered``: False if unreadable.
    * ``ungrounded``: words and types that are not in the sentence.
    * ``ambiguous``: entities placed at the first of several matches.
    """

    tags: tuple[str, ...]
    scores: Scores | None = None
    alternative: tuple[str, ...] | None = None
    inputs: int = 1
    wordless: int = 0
    full_tags: tuple[str, ...] | None = None
    own_tags: tuple[str, ...] | None = None
    reply: str | None = None
    answered: bool = True
    ungrounded: tuple[tuple[str, str], ...] = ()
    ambiguous: int = 0
