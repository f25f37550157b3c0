"""The labelled texts that a change hurt most."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.core.documents.blocks import Block, Mark, Piece
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result, WorstExample
from abalo.tasks.labels.examples import in_words
from abalo.tasks.tokens.marked import EDITS, Marking, original_words, perturbed_words, worst

_LEGEND = (
    (Mark("lost", ("label",), "✗ GOLD → predicted"), "labelled wrongly"),
    (Mark("found", ("label",), "✓"), "labelled correctly"),
    (Mark("lost", ("label",), "↑"), "the meaning is reversed, but the model's confidence in the old label rose"),
    *EDITS,
)


def sentences(result: Result, document: Document) -> Sequence[Block]:
    """The worst examples of a result."""
    return worst(result, Marking(_original, _perturbed_pieces, "wrong label", "its label"), _LEGEND)


def _original(example: WorstExample) -> list[Piece]:
    return [*original_words(example), _label(example.gold, example.clean)]


def _perturbed_pieces(example: WorstExample) -> list[Piece]:
    predicted = example.predicted
    if example.turned:
        return [*perturbed_words(example), Mark("lost", (in_words(predicted),), "↑")]
    return [*perturbed_words(example), _label(example.new_gold, predicted)]


def _label(gold: Sequence[str], predicted: Sequence[str]) -> Mark:
    words = (in_words(predicted),)
    return Mark("found", words, "✓") if gold == predicted else Mark("lost", words, f"✗ {in_words(gold)} → {words[0]}")
