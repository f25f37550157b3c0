"""Report blocks of text segmented differently from gold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abalo.core.documents.blocks import Block, Mark, Piece
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result, WorstExample
from abalo.tasks.tokens.marked import EDITS, Marking, worst

VIEW_MEANINGS = {"structural": "the words of the changed sentence against the gold words carried to it"}

_LEGEND = (
    (Mark("lost", ("gold words",), "✗ predicted words"), "cut otherwise than in gold, a gold word changed"),
    (Mark("missed", ("gold words",), "→ predicted words"), "cut otherwise than in gold"),
    *EDITS,
)


def sentences(result: Result, document: Document) -> Sequence[Block]:
    """The worst examples of a result."""
    return worst(result, Marking(_original, _perturbed, "wrong word", "a word"), _LEGEND)


def _original(example: WorstExample) -> list[Piece]:
    removed = dict.fromkeys(example.removed, "")
    return _pieces(example.tokens, example.gold, example.clean, removed, "removed")


def _perturbed(example: WorstExample) -> list[Piece]:
    was = {new: "".join(example.tokens[old] for old in example.origins[new]) for new in example.edited}
    return _pieces(example.new_tokens, example.new_gold, example.predicted, was, "edited")


def _pieces(
    tokens: Sequence[str], gold: Sequence[str], predicted: Sequence[str], touched: dict[int, str], kind: str
) -> list[Piece]:
    found: list[Piece] = []
    for start, stop in _ranges(len(tokens), gold, predicted):
        written, given = (_written(tokens, labels, start, stop) for labels in (gold, predicted))
        changed = [place for place in range(start, stop) if place in touched]
        was = "".join(dict.fromkeys(touched[place] for place in changed))
        hint = ("removed" if kind == "removed" else f"was: {was}" if was else "inserted") if changed else ""
        unlabelled = any(not label for label in gold[start:stop])
        if written != given and not unlabelled:
            lost = kind == "edited" and bool(changed)
            found.append(
                Mark("lost", (written,), f"✗ {given}", hint) if lost else Mark("missed", (written,), f"→ {given}", hint)
            )
        elif changed:
            found.append(Mark("removed" if kind == "removed" else "edited", (written,), hint=hint))
        else:
            found.append(written)
    return found


def cut_words(tokens: Sequence[str], gold: Sequence[str], predicted: Sequence[str]) -> str:
    """The text in gold words; those cut otherwise stand in brackets, such as ``[孔雀石 → 孔 雀 石]``."""
    found = []
    for start, stop in _ranges(len(tokens), gold, predicted):
        right, given = (_written(tokens, labels, start, stop) for labels in (gold, predicted))
        unlabelled = any(not label for label in gold[start:stop])
        found.append(right if right == given or unlabelled else f"[{right} → {given}]")
    return " ".join(found)


def _ranges(length: int, gold: Sequence[str], predicted: Sequence[str]) -> Iterator[tuple[int, int]]:
    start = 0
    for stop in range(1, length + 1):
        if stop == length or all(_parted(labels, stop) for labels in (gold, predicted)):
            yield start, stop
            start = stop


def _parted(labels: Sequence[str], place: int) -> bool:
    before, behind = labels[place - 1].split("|")[-1], labels[place].split("|")[0]
    return before in ("E", "S", "") or behind in ("B", "S", "")


def _written(tokens: Sequence[str], labels: Sequence[str], start: int, stop: int) -> str:
    text = ""
    for place in range(start, stop):
        text += (" " if text and _parted(labels, place) else "") + tokens[place] + "|" * ("|" in labels[place])
    return text
