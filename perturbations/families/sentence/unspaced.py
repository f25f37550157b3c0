"""Final marks and brackets in a script without spaces."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.languages.layout import Layout
from perturbations.text import Edit, Origins

_FINAL = frozenset("。！？…；，、.!?;,")
_CLOSING = frozenset("”’』」）】》〉)]\"'")


def punctuated(
    layout: Layout, marks: Sequence[str], brackets: Sequence[tuple[str, str]], *, bracket: bool
) -> list[list[Edit]]:
    """Edits that end the text with another of the marks, with ``bracket`` also set it in brackets that it has not."""
    end = _end_of_words(layout)
    present = "".join(layout.sentence.tokens[end:])
    is_closed = not present and layout.sentence.tokens[-1][-1] in _FINAL | _CLOSING
    if not bracket:
        others = () if is_closed else tuple(mark for mark in marks if mark != present)
        return [[_marked(layout, end, mark) for mark in others]]
    characters = set("".join(layout.sentence.tokens))
    pairs = [pair for pair in brackets if characters.isdisjoint(pair)]
    return [[edit for mark in (("",) if is_closed else marks) for edit in _wrapped(layout, end, mark, pairs)]]


def _end_of_words(layout: Layout) -> int:
    """Behind the last token that is more than final marks or belongs to an entity; at least 1."""
    tokens = layout.sentence.tokens
    end = len(tokens)
    while end > 1 and _FINAL.issuperset(tokens[end - 1]) and end - 1 not in layout.entities:
        end -= 1
    return end


def _marked(layout: Layout, end: int, mark: str) -> Edit:
    length = len(layout.sentence)
    return layout.replacing(end, length, (mark,)) if end < length else layout.inserting(length, (mark,))


def _wrapped(layout: Layout, end: int, mark: str, pairs: Sequence[tuple[str, str]]) -> list[Edit]:
    """Edits of the whole sentence that set the mark and, since they belong together, both brackets."""
    sentence, gap, length = layout.sentence, layout.gap, len(layout.sentence)
    marks = layout.cut((mark,)) if mark else ()
    places = [min(end + k, length - 1) for k in range(len(marks))]
    last = [tuple(range(place, length)) for place in places[-1:]]
    of_marks = [(place,) for place in places[:-1]] + last if end < length else [()] * len(marks)
    kept = sentence.spaces[:end] if end < length else (*sentence.spaces[: end - 1], gap)
    spaces = (gap, *kept, *(gap for _ in marks), sentence.spaces[-1])
    origins: Origins = ((), *((i,) for i in range(end)), *of_marks, ())
    body = (*sentence.tokens[:end], *marks)
    return [Edit(0, length, (left, *body, right), spaces=spaces, origins=origins) for left, right in pairs]
