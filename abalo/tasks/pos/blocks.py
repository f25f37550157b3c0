"""The tagged sentences that suffered most."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.core.documents.blocks import Block, Mark, Piece
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result, WorstExample
from abalo.tasks.tokens.marked import EDITS, Marking, original_words, perturbed_words, worst
from perturbations.layers import UNLABELLED

VIEW_MEANINGS = {
    "projected": "each original word against the first word that replaced it; removed words are not counted",
    "structural": "the words of the perturbed sentence against the gold tags moved to them",
    "padded": "position by position; past the end of the perturbed sentence every tag is wrong",
}

_LEGEND = (
    (Mark("lost", ("word",), "✗ GOLD → predicted"), "tagged right on the clean sentence, wrong now"),
    (Mark("missed", ("word",), "– GOLD → predicted"), "tagged wrong on the clean sentence too"),
    *EDITS,
)


def sentences(result: Result, document: Document) -> Sequence[Block]:
    """The worst examples of a result."""
    return worst(result, Marking(_original, _perturbed_pieces, "wrong tag", "a tag"), _LEGEND)


def _original(example: WorstExample) -> list[Piece]:
    rows = zip(original_words(example), example.gold, example.clean, strict=True)
    return [
        word if gold in (UNLABELLED, clean) else Mark("missed", (word,), f"– {gold} → {clean}")
        for word, gold, clean in rows
    ]


def _perturbed_pieces(example: WorstExample) -> list[Piece]:
    pieces: list[Piece] = []
    rows = zip(perturbed_words(example), example.new_gold, example.predicted, example.origins, strict=True)
    for word, gold, predicted, origin in rows:
        if gold in (UNLABELLED, predicted):
            pieces.append(word)
        elif any(example.clean[old] == example.gold[old] for old in origin):
            pieces.append(Mark("lost", (word,), f"✗ {gold} → {predicted}"))
        else:
            pieces.append(Mark("missed", (word,), f"– {gold} → {predicted}"))
    return pieces
