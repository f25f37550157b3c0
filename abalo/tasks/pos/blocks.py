"""What reports say of parts of speech: the sentences that suffered most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from abalo.core import words
from abalo.core.blocks import Block, Example, Examples, Item, Mark, Marked, Piece, Text
from abalo.core.results import Json, probe_of
from perturbations.layers import UNLABELLED

VIEW_MEANINGS = {
    "projected": "each original word by the first word that stands for it now; words that are gone are not counted",
    "structural": "the words of the perturbed sentence by the gold tags carried to them",
    "padded": "position by position; past the end of the perturbed sentence every tag is wrong",
}

_TITLE = "Worst examples"

_LEGEND = (
    (Mark("lost", ("word",), "✗ GOLD → predicted"), "tagged right on the clean sentence, wrong now"),
    (Mark("missed", ("word",), "– GOLD → predicted"), "tagged wrong on the clean sentence too"),
    (Mark("edited", ("word",)), "edited or inserted"),
    (Mark("removed", ("word",)), "removed"),
)


def detail(result: Json, document: Json) -> Sequence[Block]:
    """The examples of a result, worst first; a line where a bound case has none; nothing for the clean corpus."""
    found = result["examples"]
    if found:
        shown = tuple(_example(number, each) for number, each in enumerate(found, start=1))
        return [Examples(shown, _TITLE, _LEGEND)]
    if result["bound"] is None or not probe_of(result).perturbs:
        return []
    return [Text(("None: no sentence lost a tag, or the report was made with --abalo-no-text.",), _TITLE)]


def _example(number: int, example: Mapping[str, Any]) -> Example:
    said = (
        f"{words.count(example['broken'], 'more wrong tag')} than on the clean sentence (seed {example['seed']}, "
        f"sentence {example['sentence_id']})"
    )
    sentences = (Marked("original", tuple(_original(example))), Marked("perturbed", tuple(_perturbed(example))))
    return Example(Item(said, f"{number}."), sentences)


def _original(example: Mapping[str, Any]) -> Iterator[Piece]:
    removed = set(example["removed"])
    for i, (word, gold, clean) in enumerate(zip(example["tokens"], example["gold"], example["clean"], strict=True)):
        piece: Piece = Mark("removed", (word,), hint="removed") if i in removed else word
        yield piece if gold in (UNLABELLED, clean) else Mark("missed", (piece,), f"– {gold} → {clean}")


def _perturbed(example: Mapping[str, Any]) -> Iterator[Piece]:
    edited = set(example["edited"])
    rows = zip(example["new_tokens"], example["new_gold"], example["predicted"], example["origins"], strict=True)
    for i, (word, gold, predicted, origin) in enumerate(rows):
        was = " ".join(example["tokens"][old] for old in origin)
        piece: Piece = Mark("edited", (word,), hint=f"was: {was}" if was else "inserted") if i in edited else word
        if gold in (UNLABELLED, predicted):
            yield piece
        elif any(example["clean"][old] == example["gold"][old] for old in origin):
            yield Mark("lost", (piece,), f"✗ {gold} → {predicted}")
        else:
            yield Mark("missed", (piece,), f"– {gold} → {predicted}")
