"""Joins touching spans that a label map gives one type.

Example: ``[Ana GIVEN_NAME] [Sá SURNAME]`` is one person. A span joins its direct predecessor in the sentence if both
have one corpus type but different model types; ``[Ana PER] [Rui PER]`` stay two persons. Limitation: ``[Ana GIVEN_NAME]
[Sá SURNAME] [Rui GIVEN_NAME]`` becomes one person.

Labels without a position, such as ``LABEL_3``, join nothing; map them to ``I-PER`` if they continue an entity.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def joins(tags: Sequence[str], kinds: Sequence[str], starts: Iterable[int] = (0,)) -> list[int]:
    """The places of spans that join the span before them.

    ``tags`` are BIO in corpus names, ``kinds`` model types, ``starts`` first places of sentences.
    """
    first = frozenset(starts)
    return [
        i
        for i, tag in enumerate(tags)
        if tag.startswith("B-") and i and i not in first and tags[i - 1][1:] == tag[1:] and kinds[i - 1] != kinds[i]
    ]


def inside_label(label: str) -> str:
    """The inside label of the same type."""
    return f"I-{label[2:]}"


def join_spans(tags: Sequence[str], kinds: Sequence[str]) -> tuple[str, ...]:
    """The tags of a sentence with joined spans."""
    places = frozenset(joins(tags, kinds))
    return tuple(inside_label(tag) if i in places else tag for i, tag in enumerate(tags))
