"""Answers to questions about a text, and the two spans of a relation: their anchors, and edits that leave them."""

from __future__ import annotations

from collections.abc import Sequence, Set

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

    All of them in a sentence whose anchors mark none of these.
    """
    kept = (ANSWER,) if related else (ANSWER, SUBJECT, OBJECT)
    marked = [anchor for anchor in sentence.anchors if anchor.type in kept]
    return [edit for edit in edits if not any(touches(sentence, edit, each) for each in marked)]


def beside_answers(sentence: Sentence, edits: Sequence[Edit], *, related: bool = False) -> list[Edit]:
    """As `outside_answers`, but an edit that writes several words anew, each in its place, leaves these words alone."""
    kept = (ANSWER,) if related else (ANSWER, SUBJECT, OBJECT)
    inside = {place for each in sentence.anchors if each.type in kept for place in range(each.start, each.stop)}
    spared = [_sparing(sentence, edit, inside) for edit in edits] if inside else edits
    return outside_answers(sentence, [edit for edit in spared if edit is not None], related=related)


def _sparing(sentence: Sentence, edit: Edit, inside: Set[int]) -> Edit | None:
    """The edit with the old words inside if it keeps every word's place; None if it then changes nothing."""
    places = range(edit.start, edit.stop)
    if len(places) < 2 or edit.origins != tuple((place,) for place in places):
        return edit
    tokens = tuple(
        sentence.tokens[place] if place in inside else token for place, token in zip(places, edit.tokens, strict=True)
    )
    same = edit.spaces is None and tokens == sentence.tokens[edit.start : edit.stop]
    return None if same else edit._replace(tokens=tokens)


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
