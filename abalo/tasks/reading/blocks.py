"""Report blocks of passages with answers and edits marked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from abalo.core.documents.blocks import Block, Mark, Piece
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result, WorstExample
from abalo.core.records.example import ARROW
from abalo.tasks.reading.shown import NONE, in_words
from abalo.tasks.tokens.marked import EDITS, Marking, worst

_AROUND = 12

_LONG = 80

_LEGEND = (
    (Mark("found", ("answer",), "✓"), "answered right"),
    (Mark("missed", ("answer",)), "right answer"),
    (Mark("lost", ("answer",)), "answer given, wrong"),
    (Mark("lost", ("given",), "✗ right → given"), "answered wrong"),
    *EDITS,
)


def sentences(result: Result, document: Document) -> Sequence[Block]:
    """The worst examples of a result."""
    return worst(result, Marking(_original, _perturbed, "wrong answer", "its answer"), _LEGEND)


def _original(example: WorstExample) -> list[Piece]:
    removed = dict.fromkeys(example.removed, "removed")
    pieces = _marked(example.tokens, example.gold_places, example.clean_place, removed, lambda _: "removed")
    return [*pieces, _verdict(example.gold, example.clean, example.gold_places, example.clean_place)]


def _perturbed(example: WorstExample) -> list[Piece]:
    def was(new: int) -> str:
        old = " ".join(example.tokens[place] for place in example.origins[new])
        return f"was: {old}" if old else "inserted"

    edited = dict.fromkeys(example.edited, "edited")
    places, place = example.new_gold_places, example.place
    pieces = _marked(example.new_tokens, places, place, edited, was)
    return [*pieces, _verdict(example.new_gold, example.predicted, places, place)]


def _verdict(gold: Sequence[str], given: str, places: Sequence[Sequence[int]], place: Sequence[int] | None) -> Mark:
    right = given in gold or (place is not None and place in places) or (not gold and not given)
    said = (given or NONE,)
    return Mark("found", said, "✓") if right else Mark("lost", said, f"✗ {in_words(gold)} → {said[0]}")


def _marked(
    tokens: Sequence[str],
    gold: Sequence[Sequence[int]],
    given: Sequence[int] | None,
    edited: Mapping[int, str],
    hint: Callable[[int], str],
) -> list[Piece]:
    right = {place for start, stop in gold for place in range(start, stop)}
    own = set() if given is None else set(range(*given))
    kinds: list[str] = [
        edited.get(k, "found" if k in right & own else "missed" if k in right else "lost" if k in own else "")
        for k in range(len(tokens))
    ]
    near = [k for k, kind in enumerate(kinds) if kind]
    kept = {each for k in near for each in range(k - _AROUND, k + _AROUND + 1)} if len(tokens) > _LONG else None
    asked = max((k for k, token in enumerate(tokens) if token == ARROW), default=len(tokens))
    pieces: list[Piece] = []
    for k, (token, kind) in enumerate(zip(tokens, kinds, strict=True)):
        if kept is not None and k not in kept and k < asked:
            if not pieces or pieces[-1] != "…":
                pieces.append("…")
            continue
        pieces.append(Mark(kind, (token,), hint=hint(k) if k in edited else "") if kind else token)  # type: ignore[arg-type]
    return pieces
