"""Joining: touching spans that a label map gives one type become one entity.

A model may tell apart what a corpus does not: ``[Ana GIVEN_NAME] [Sá SURNAME]`` is one person. The rule: a span that
begins right where another ends, in the same sentence, belongs to it if both have the same type in the names of the
corpus, and had different types in those of the model. Spans of one type of the model stay apart where the model keeps
them apart, since that is what it says of them: ``[Ana PER] [Rui PER]`` are two persons. So do spans with a token
between them. Of two persons whose names touch, ``[Ana GIVEN_NAME] [Sá SURNAME] [Rui GIVEN_NAME]``, one is made.

The type of the model is that after the position in its label, ``SURNAME`` of ``B-SURNAME``. A label without a position,
such as ``LABEL_3``, has the type that the map gives it, so that it joins nothing: map it to the inside of an entity,
``LABEL_3=I-PER``, where it continues one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def joins(tags: Sequence[str], kinds: Sequence[str], starts: Iterable[int] = (0,)) -> list[int]:
    """The places where a span begins that belongs to the one before it.

    ``tags`` are BIO in the names of the corpus, ``kinds`` the types of the tokens in those of the model. ``starts`` are
    the places where a sentence begins.
    """
    first = frozenset(starts)
    return [
        i
        for i, tag in enumerate(tags)
        if tag.startswith("B-") and i and i not in first and tags[i - 1][1:] == tag[1:] and kinds[i - 1] != kinds[i]
    ]


def spanned(label: str) -> str:
    """The label of a token inside of an entity of the same type."""
    return f"I-{label[2:]}"


def joined(tags: Sequence[str], kinds: Sequence[str]) -> tuple[str, ...]:
    """The tags of one sentence, its spans joined."""
    places = frozenset(joins(tags, kinds))
    return tuple(spanned(tag) if i in places else tag for i, tag in enumerate(tags))
