"""Sentences that suffered most, with predicted trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from abalo.core.documents.blocks import Block, DrawnTree, Mark, Marked, Piece, ShownExample, TreeArc
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result, WorstExample
from abalo.tasks.parsing.shown import read_arc
from abalo.tasks.tokens.marked import EDITS, Marking, original_words, perturbed_words, worst
from perturbations.layers import UNLABELLED

_LEGEND = (
    (Mark("lost", ("word",), "✗ relation HEAD → relation HEAD"), "right before the change, wrong now"),
    (Mark("missed", ("word",), "– relation HEAD → relation HEAD"), "wrong before the change too"),
    *EDITS,
)
_LONGEST = 60


def sentences(result: Result, document: Document) -> Sequence[Block]:
    """The examples of a result with their trees, worst first."""
    return worst(result, Marking(_original, _perturbed, "wrong word", "a head", _with_tree), _LEGEND)


def _with_tree(shown: ShownExample, example: WorstExample) -> ShownExample:
    first, *rest = shown.sentences
    both: list[Marked] = [replace(first, tree=_tree(example.tokens, example.gold, example.clean, first.which))]
    if rest:
        new = _tree(example.new_tokens, example.new_gold, example.predicted, rest[0].which)
        both.append(replace(rest[0], tree=new))
    return replace(shown, sentences=tuple(both))


def _tree(tokens: Sequence[str], gold: Sequence[str], given: Sequence[str], which: str) -> DrawnTree | None:
    if len(tokens) > _LONGEST:
        return None
    arcs = []
    for word, (right, arc) in enumerate(zip(gold, given, strict=True)):
        found = read_arc(arc)
        if found is not None:
            head, relation = found
            arcs.append(TreeArc(word, head, relation, "" if right in (UNLABELLED, arc) else _in_words(right, tokens)))
    return DrawnTree(tuple(tokens), tuple(arcs), f"tree of the {which} sentence")


def _in_words(arc: str, tokens: Sequence[str]) -> str:
    head, relation = read_arc(arc) or (-1, "")
    return relation if head < 0 else f"{relation} {tokens[head]}"


def _original(example: WorstExample) -> list[Piece]:
    rows = zip(original_words(example), example.gold, example.clean, strict=True)
    return [
        word if gold in (UNLABELLED, given) else Mark("missed", (word,), f"– {_both(gold, given, example.tokens)}")
        for word, gold, given in rows
    ]


def _perturbed(example: WorstExample) -> list[Piece]:
    pieces: list[Piece] = []
    rows = zip(perturbed_words(example), example.new_gold, example.predicted, example.origins, strict=True)
    for word, gold, given, origin in rows:
        if gold in (UNLABELLED, given):
            pieces.append(word)
            continue
        was_right = any(example.clean[old] == example.gold[old] for old in origin)
        kind, sign = ("lost", "✗") if was_right else ("missed", "–")
        pieces.append(Mark(kind, (word,), f"{sign} {_both(gold, given, example.new_tokens)}"))  # type: ignore[arg-type]
    return pieces


def _both(gold: str, given: str, tokens: Sequence[str]) -> str:
    return f"{_in_words(gold, tokens)} → {_in_words(given, tokens)}"
