"""Turns character spans of entities into BIO tags."""

from __future__ import annotations

import operator
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from abalo.corpora.schemes import names_a_type
from abalo.models.labelling.labels import OUTSIDE
from perturbations import Sentence

CharacterSpan = tuple[int, int, str]


def tags_from_spans(sentence: Sentence, spans: Iterable[object]) -> tuple[str, ...]:
    """BIO tags; a token belongs to the first overlapping span.

    Raises ValueError for invalid spans.
    """
    starts, stops = _token_bounds(sentence)
    tags = [OUTSIDE] * len(sentence)
    reached = 0
    length = len(sentence.text)
    for start, stop, kind in sorted(_check_span(span, length) for span in spans):
        if start < reached:
            raise ValueError(f"span {(start, stop, kind)!r} overlaps the one before it, which ends at {reached}")
        reached = stop
        first = bisect_right(stops, start)
        last = bisect_right(starts, stop - 1)
        if first >= last:
            raise ValueError(f"span {(start, stop, kind)!r} holds no token, only white space")
        own = [i for i in range(first, last) if tags[i] == OUTSIDE]
        for i in own:
            tags[i] = f"{'B' if i == own[0] else 'I'}-{kind}"
    return tuple(tags)


def _token_bounds(sentence: Sentence) -> tuple[list[int], list[int]]:
    starts, stops, place = [], [], 0
    for token, space in zip(sentence.tokens, sentence.spaces, strict=True):
        starts.append(place)
        stops.append(place + len(token))
        place += len(token) + len(space)
    return starts, stops


def _check_span(span: object, length: int) -> CharacterSpan:
    if not isinstance(span, Sequence) or isinstance(span, str) or len(span) != 3:
        raise ValueError(f"found {span!r}, expected a span (start, end, type)")
    try:
        start, stop = operator.index(span[0]), operator.index(span[1])
    except TypeError:
        raise ValueError(f"span {span!r} does not begin with two whole numbers, start and end") from None
    kind = span[2]
    if not isinstance(kind, str) or not names_a_type(kind) or kind[:2] in ("B-", "I-"):
        raise ValueError(f"span {span!r} does not end with the name of an entity type, such as 'PER'")
    if not 0 <= start < stop <= length:
        raise ValueError(f"span {span!r} is empty, reversed or outside the {length} characters of the text")
    return start, stop, kind
