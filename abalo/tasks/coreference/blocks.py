"""Report blocks of broken clusters, gold beside prediction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from abalo.core.blocks import Block, Mark, Marked, Piece, ShownExample
from abalo.core.document import Document
from abalo.core.found import Result, WorstExample
from abalo.corpora.coreference import read_cells
from abalo.models.coreference.protocol import MentionPlace
from abalo.tasks.tokens.marked import EDITS, Marking, original_words, perturbed_words, worst

_COLOURS = 8
_AROUND = 6

_LEGEND = (
    (Mark("found", ("mention",), "1", colour=0), "mention of a gold cluster that is broken"),
    (Mark("predicted", ("mention",), "1", colour=0), "predicted to be in that cluster; + in one with no gold mention"),
    *EDITS,
)

_Placed = Sequence[tuple[MentionPlace, int]]


def sentences(result: Result, document: Document) -> Sequence[Block]:
    """The worst examples of a result."""
    return worst(result, Marking(original_words, perturbed_words, "broken link", "a link", _with_gold), _LEGEND)


def _with_gold(shown: ShownExample, example: WorstExample) -> ShownExample:
    changes = len(shown.sentences) > 1
    gold, clean = read_cells(example.gold), read_cells(example.clean)
    new_gold, given = read_cells(example.new_gold), read_cells(example.predicted)
    broken = _split_clusters(new_gold, given) if changes else _split_clusters(gold, clean)
    if changes:  # those that held together before
        broken = (broken - _split_clusters(gold, clean)) or broken
    made: list[Marked] = []
    texts = [(gold, clean, original_words(example)), (new_gold, given, perturbed_words(example))]
    for kept, (right, found, text) in zip(shown.sentences, texts, strict=False):
        own = [each for each in right if each[1] in broken]
        beside = _renumbered(found, right, broken)
        near = _near([mention for mention, _ in (*own, *beside)], text)
        made.append(replace(kept, which=f"{kept.which}, gold", pieces=tuple(_marked(text, own, near, "found"))))
        made.append(replace(kept, which="predicted", pieces=tuple(_marked(text, beside, near, "predicted"))))
    return replace(shown, sentences=tuple(made))


def _split_clusters(gold: _Placed, given: _Placed) -> set[int]:
    home = dict(given)
    clusters: dict[int, list[MentionPlace]] = {}
    for mention, number in gold:
        clusters.setdefault(number, []).append(mention)
    return {
        number
        for number, mentions in clusters.items()
        if any(one not in home or home[one] != home.get(other) for one, other in pairwise(mentions))
    }


def _renumbered(given: _Placed, gold: _Placed, broken: Collection[int]) -> list[tuple[MentionPlace, int]]:
    right, votes = dict(gold), Counter[tuple[int, int]]()
    for mention, number in given:
        if right.get(mention) in broken:
            votes[number, right[mention]] += 1
    names: dict[int, int] = {}
    for (number, name), _ in sorted(votes.items(), key=lambda each: (-each[1], each[0])):
        if number not in names:
            names[number] = -1 if name in names.values() else name
    return [(mention, names[number]) for mention, number in given if number in names]


def _near(mentions: Sequence[MentionPlace], text: Sequence[Piece]) -> set[int]:
    marked = [place for place, piece in enumerate(text) if isinstance(piece, Mark)]
    centres = [*marked, *(place for mention in mentions for place in range(*mention))]
    return {place for centre in centres for place in range(centre - _AROUND, centre + _AROUND + 1)}


def _marked(text: Sequence[Piece], mentions: _Placed, near: set[int], kind: str) -> Iterator[Piece]:
    ordered = sorted(mentions, key=lambda each: (each[0][0], -each[0][1]))
    place, dots = 0, False
    while place < len(text):
        here = next((each for each in ordered if each[0][0] == place), None)
        if here is not None:
            (start, stop), number = here
            inner = [each for each in ordered if each != here and start <= each[0][0] and each[0][1] <= stop]
            yield _mark(tuple(_inside(text, start, stop, inner, kind)), number, kind)
            place, dots = stop, False
        else:
            if place in near:
                yield text[place]
            elif not dots:
                yield "…"
            dots = place not in near
            place += 1


def _inside(text: Sequence[Piece], start: int, stop: int, mentions: _Placed, kind: str) -> Iterator[Piece]:
    moved = [((first - start, last - start), number) for (first, last), number in mentions]
    yield from _marked(text[start:stop], moved, {*range(stop - start)}, kind)


def _mark(parts: tuple[Piece, ...], number: int, kind: str) -> Mark:
    label = "+" if number < 0 else str(number + 1)
    colours: Mapping[bool, int | None] = {True: None, False: number % _COLOURS}
    return Mark(kind, parts, label, colour=colours[number < 0])  # type: ignore[arg-type]
