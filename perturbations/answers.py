"""Answers to questions about a text, and the two spans of a relation: their anchors, and edits that leave them."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.application import apply
from perturbations.text import Edit, Sentence, Span, entity_spans

ANSWER = "answer"
"""The type of the anchors of answers; in the bracket notation, where there are no anchors, the type of an entity."""

SUBJECT, OBJECT = "subject", "object"
"""The types of the anchors of a relation."""


def answers_in(sentence: Sentence) -> tuple[Span, ...]:
    """The answers in a sentence, from its anchors; without anchors, from its tags."""
    return _marked_spans(sentence) or tuple(
        span for span in entity_spans(sentence.entity_tags or ()) if span.type == ANSWER and not sentence.anchors
    )


def _marked_spans(sentence: Sentence) -> tuple[Span, ...]:
    return tuple(anchor for anchor in sentence.anchors if anchor.type == ANSWER)


def outside_answers(sentence: Sentence, edits: Sequence[Edit], *, related: bool = False) -> list[Edit]:
    """The edits that touch no answer and, unless ``related``, neither span of a relation.

    All of them in a sentence whose anchors mark none of these. An edit that writes several words anew, each in its
    place, leaves the words of these spans as they are.
    """
    kept = (ANSWER,) if related else (ANSWER, SUBJECT, OBJECT)
    marked = [anchor for anchor in sentence.anchors if anchor.type in kept]
    if not marked:
        return list(edits)
    spared = (_sparing(sentence, edit, marked) for edit in edits)
    return [edit for edit in spared if edit and not any(touches(sentence, edit, each) for each in marked)]


def _sparing(sentence: Sentence, edit: Edit, marked: Sequence[Span]) -> Edit | None:
    """The edit with the old words in these spans if it keeps every word's place; None if it then changes nothing."""
    places = range(edit.start, edit.stop)
    if len(places) < 2 or edit.origins != tuple((place,) for place in places):
        return edit
    inside = {place for span in marked for place in range(span.start, span.stop)}
    tokens = tuple(
        sentence.tokens[place] if place in inside else token for place, token in zip(places, edit.tokens, strict=True)
    )
    if edit.spaces is None and tokens == sentence.tokens[edit.start : edit.stop]:
        return None
    return edit._replace(tokens=tokens)


def touches(sentence: Sentence, edit: Edit, answer: Span) -> bool:
    """Whether an answer has other words or white space after an edit, or is torn apart.

    An edit that moves an answer as a whole does not touch it. What is put in right before or behind it is outside.
    """
    if edit.stop <= answer.start or answer.stop <= edit.start:
        return False
    if edit.origins is None:
        return True
    kept = Sentence(sentence.tokens, spaces=sentence.spaces, anchors=(answer,))
    made = apply(kept, [edit._replace(tags=None, layers=None)])
    moved = made.sentence.anchors
    return not moved or answer_text(made.sentence, moved[0]) != answer_text(sentence, answer)


def answer_text(sentence: Sentence, span: Span) -> str:
    """The text of a span, without the white space behind it."""
    pairs = zip(sentence.tokens[span.start : span.stop], sentence.spaces[span.start : span.stop], strict=True)
    return "".join(token + space for token, space in pairs).rstrip() if len(span) else ""
