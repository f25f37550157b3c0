"""Documents: sentences in a row as one `Sentence`, so that moving sentences is edits too, and clusters of mentions.

A layer of the policy ``bmes`` says where sentences begin and end: unlike anchors, it lets an edit say so of the
sentences that it puts in. A mention is an anchor whose type names its cluster.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence, Set

from perturbations.layers import TokenLayer, WholeLabel
from perturbations.stops import sentences_in
from perturbations.text import Edit, Sentence, Span, entity_spans

SENTENCES = "sentences"
"""The name of the layer whose words are the sentences of a document."""

DOCUMENT = "document"
"""The name of the layer that says which document it is, also of a part of one."""

_CLUSTER = "cluster "

TokenBounds = tuple[int, int]
"""Tokens ``start`` up to but not including ``stop``."""


def document_of(
    sentences: Iterable[tuple[Sequence[str], Sequence[str]]], mentions: Iterable[Span], name: str
) -> Sentence:
    """A document of sentences, each with its tokens and the white space behind each of them.

    ``mentions`` have places in the whole document, and the names of their clusters as types.
    """
    tokens, spaces, labels = list[str](), list[str](), list[str]()
    for words, gaps in sentences:
        tokens += words
        spaces += gaps
        labels += sentence_labels(len(words))
    if spaces:
        spaces[-1] = ""
    anchors = tuple(Span(each.start, each.stop, _CLUSTER + each.type) for each in mentions)
    layers = (TokenLayer(SENTENCES, tuple(labels), "bmes"), WholeLabel(DOCUMENT, name))
    return Sentence(tuple(tokens), spaces=tuple(spaces), anchors=anchors, layers=layers)


def sentence_labels(length: int) -> tuple[str, ...]:
    """The labels that the tokens of a sentence have in the layer of sentences."""
    return ("B", *("M",) * (length - 2), "E") if length > 1 else ("S",) * length


def is_document(text: Sentence) -> bool:
    """Whether the text says where its sentences begin."""
    return any(layer.name == SENTENCES for layer in text.layers)


def document_name(text: Sentence) -> str:
    """The document that a text is, or is a part of; "" if it does not say."""
    found = (layer.label for layer in text.layers if isinstance(layer, WholeLabel) and layer.name == DOCUMENT)
    return next(found, "")


def sentences_of(document: Sentence) -> list[TokenBounds]:
    """The sentences from left to right; together they are all of it. Of a text that does not say, those it seems to be.

    A token that was put in between two sentences belongs to the first of them.
    """
    layer = next((each for each in document.layers if isinstance(each, TokenLayer) and each.name == SENTENCES), None)
    if layer is None:
        return sentences_in(document)
    starts = [place for place, label in enumerate(layer.labels) if label in ("B", "S")]
    starts = [0, *starts[1:]]
    return list(zip(starts, [*starts[1:], len(layer)], strict=True)) if layer.labels else []


def mentions_of(document: Sentence) -> tuple[Span, ...]:
    """The mentions, each with the name of its cluster as its type.

    They are anchors; in a text that does not say where its sentences begin, they are the entities that the tags mark.
    """
    if not is_document(document):
        return tuple(entity_spans(document.entity_tags or ()))
    return tuple(
        Span(each.start, each.stop, each.type.removeprefix(_CLUSTER))
        for each in document.anchors
        if each.type.startswith(_CLUSTER) and len(each)
    )


def windows(document: Sentence, size: int) -> list[Sentence]:
    """Parts of so many sentences; the last has what is left. A mention across the end of one is in none."""
    sentences = sentences_of(document)
    begins = [begin for begin, _ in sentences[::size]]
    mentions: dict[int, list[Span]] = {}
    for each in mentions_of(document):
        mentions.setdefault(begins[bisect_right(begins, each.start) - 1], []).append(each)
    made = []
    for first in range(0, len(sentences), size):
        own = sentences[first : first + size]
        begin, end = own[0][0], own[-1][1]
        spans = [
            Span(each.start - begin, each.stop - begin, each.type)
            for each in mentions.get(begin, ())
            if each.stop <= end
        ]
        rows = [(document.tokens[slice(*each)], document.spaces[slice(*each)]) for each in own]
        made.append(document_of(rows, spans, document_name(document)))
    return made


def part_of(document: Sentence, start: int, stop: int) -> Sentence:
    """Tokens [start, stop) as a sentence by themselves, with their labels of tokens but without layers and anchors."""
    tags = None if document.tags is None else document.tags[start:stop]
    return Sentence(document.tokens[start:stop], tags, document.spaces[start:stop], policy=document.policy)


def move_edit(edit: Edit, by: int) -> Edit:
    """The edit of a part as one of the document in which the part begins ``by`` tokens later."""
    origins = edit.origins and tuple(tuple(old + by for old in origin) for origin in edit.origins)
    return edit._replace(start=edit.start + by, stop=edit.stop + by, origins=origins)


def within_borders(document: Sentence, edits: Sequence[Edit]) -> list[Edit]:
    """The edits that make no word of two of which one is in a mention and the other is not: *she 'd* as *she'd*."""
    borders = {place for each in mentions_of(document) for place in (each.start, each.stop)}
    return [edit for edit in edits if not _joins_across(edit, borders)]


def _joins_across(edit: Edit, borders: Set[int]) -> bool:
    """Whether a new token stands for tokens on both sides of a border."""
    if edit.origins is not None:
        return any(not borders.isdisjoint(range(origin[0] + 1, origin[-1] + 1)) for origin in edit.origins if origin)
    first = edit.start + len(edit.tokens) - 1
    return 0 < len(edit.tokens) < edit.stop - edit.start and not borders.isdisjoint(range(first + 1, edit.stop))
