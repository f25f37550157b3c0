"""Report blocks of broken links, each in its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from abalo.core.documents.blocks import Block, Item, Mark, Piece, ShownExample
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result, WorstExample
from abalo.corpora.coreference import read_cells
from abalo.models.coreference.protocol import MentionPlace
from abalo.tasks.tokens.marked import EDITS, Marking, original_words, perturbed_words, worst

MOST_LINKS = 2

_AROUND = 4

_LEGEND = (
    (Mark("lost", ("mention",), "≠ mention before"), "in gold both are one entity, but the model does not link them"),
    (Mark("found", ("mention",), "= mention before"), "the model links both, as in gold"),
    *EDITS,
)

_Placed = Sequence[tuple[MentionPlace, int]]

_Link = tuple[MentionPlace, MentionPlace]


def sentences(result: Result, document: Document) -> Sequence[Block]:
    """The worst examples of a result."""
    return worst(result, Marking(original_words, perturbed_words, "broken link", "a link", _with_links), _LEGEND)


def _with_links(shown: ShownExample, example: WorstExample) -> ShownExample:
    caption = shown.caption
    if isinstance(caption, Item) and example.broken > MOST_LINKS:
        said = f"{caption.text.removesuffix(')')}; at most {MOST_LINKS} are shown)"
        shown = replace(shown, caption=replace(caption, text=said))
    gold, clean = read_cells(example.gold), read_cells(example.clean)
    if len(shown.sentences) == 1:
        links = [link for link in _links(gold) if not _linked(link, clean)][:MOST_LINKS]
        return _in_place(shown, [(original_words(example), example.tokens, links, clean)])
    new_gold, given = read_cells(example.new_gold), read_cells(example.predicted)
    broken = [link for link in _links(new_gold) if not _linked(link, given)]
    before = {link: _before(link, example) for link in broken}
    new = [link for link in broken if (old := before[link]) is not None and _linked(old, clean)]
    links = (new or broken)[:MOST_LINKS]
    old_links = [old for link in links if (old := before[link]) is not None]
    texts = [
        (original_words(example), example.tokens, old_links, clean),
        (perturbed_words(example), example.new_tokens, links, given),
    ]
    return _in_place(shown, texts)


def _in_place(
    shown: ShownExample, texts: Sequence[tuple[Sequence[Piece], Sequence[str], Sequence[_Link], _Placed]]
) -> ShownExample:
    made = [
        replace(kept, pieces=tuple(_marked(text, tokens, links, given)))
        for kept, (text, tokens, links, given) in zip(shown.sentences, texts, strict=False)
    ]
    return replace(shown, sentences=tuple(made))


def _links(gold: _Placed) -> list[_Link]:
    clusters: dict[int, list[MentionPlace]] = {}
    for mention, number in gold:
        clusters.setdefault(number, []).append(mention)
    return sorted((pair for each in clusters.values() for pair in pairwise(each)), key=lambda pair: pair[1])


def _linked(link: _Link, given: _Placed) -> bool:
    home = dict(given)
    return link[0] in home and home[link[0]] == home.get(link[1])


def _before(link: _Link, example: WorstExample) -> _Link | None:
    places = [sorted({old for new in range(*mention) for old in example.origins[new]}) for mention in link]
    if not all(places):
        return None
    first, second = ((each[0], each[-1] + 1) for each in places)
    return first, second


def _marked(text: Sequence[Piece], tokens: Sequence[str], links: Sequence[_Link], given: _Placed) -> Iterator[Piece]:
    marks: dict[MentionPlace, Mark] = {}
    for one, other in links:
        linked = _linked((one, other), given)
        label = f"{'=' if linked else '≠'} {' '.join(tokens[slice(*one)])}"
        marks.setdefault(other, Mark("found" if linked else "lost", tuple(text[slice(*other)]), label))
    edges = [edge for link in links for mention in link for edge in mention]
    near = (
        {place for edge in edges for place in range(edge - _AROUND, edge + _AROUND)} if links else {*range(len(text))}
    )
    place, dots = 0, False
    while place < len(text):
        longest = max((mention for mention in marks if mention[0] == place), key=lambda each: each[1], default=None)
        if longest is not None:
            yield marks[longest]
            place, dots = longest[1], False
            continue
        if place in near:
            yield text[place]
        elif not dots:
            yield "…"
        dots = place not in near
        place += 1
