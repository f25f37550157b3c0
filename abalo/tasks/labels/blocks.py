"""The part of reports about labelled texts: those that suffered most."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.core.blocks import Block, Mark, Piece
from abalo.core.results import Json
from abalo.tasks.labels.examples import in_words
from abalo.tasks.tokens.marked import EDITS, Marking, original_words, perturbed_words, worst

_LEGEND = (
    (Mark("lost", ("label",), "✗ GOLD → predicted"), "labelled wrong"),
    (Mark("found", ("label",), "✓"), "labelled right"),
    (Mark("lost", ("label",), "↑"), "says the opposite now, and the model is surer of the old label"),
    *EDITS,
)


def sentences(result: Json, document: Json) -> Sequence[Block]:
    """The examples of a result, worst first; a line where a bound case that perturbs has none."""
    return worst(result, Marking(_original, _perturbed, "wrong label", "its label"), _LEGEND)


def _original(example: Json) -> list[Piece]:
    return [*original_words(example), _label(example["gold"], example["clean"])]


def _perturbed(example: Json) -> list[Piece]:
    predicted = example["predicted"]
    if example["turned"]:
        return [*perturbed_words(example), Mark("lost", (in_words(predicted),), "↑")]
    return [*perturbed_words(example), _label(example["new_gold"], predicted)]


def _label(gold: Sequence[str], predicted: Sequence[str]) -> Mark:
    """The labels predicted, marked as right or wrong."""
    words = (in_words(predicted),)
    return Mark("found", words, "✓") if gold == predicted else Mark("lost", words, f"✗ {in_words(gold)} → {words[0]}")
