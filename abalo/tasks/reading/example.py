"""A passage and a question as one example, with anchored answers."""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from abalo.core.records.example import Example, join_edits
from abalo.corpora.running_text import borders
from abalo.models.questions.protocol import PassagePlace
from abalo.models.questions.scoring import Rules
from perturbations import Partner, Perturbed, Sentence, Span
from perturbations.answers import ANSWER, answer_text, answers_in

CONTEXT, QUESTION = "context", "question"

OPENED = "open answer"


class GoldAnswer(NamedTuple):
    """A gold answer; ``place`` may be None."""

    text: str
    place: PassagePlace | None = None


class KnownPassage(NamedTuple):
    """Where the tokens of a passage start and stop, its cluster, and its tokens as a text."""

    starts: Sequence[int]
    stops: Sequence[int]
    cluster: str
    said: str


@dataclass(frozen=True, slots=True)
class QuestionFacts:
    """The ``key`` and scoring ``rules`` of a question.

    ``placed``: all gold answers have places. ``droppable``: *no answer* is a possible reply.
    """

    key: str
    rules: Rules
    placed: bool = True
    droppable: bool = False


def example_of(
    passage: Sentence,
    question: Sentence,
    answers: Sequence[GoldAnswer],
    asked: QuestionFacts,
    known: KnownPassage | None = None,
) -> Example:
    """The question as an example, clustered by passage, of which it need not be ``known`` what `known_of` gives.

    Places count characters and are extended to whole tokens.
    """
    known = known or known_of(passage)
    spans = [_tokens_at(known.starts, known.stops, each.place) for each in answers if each.place is not None]
    key = _digest(f"({known.said}, {question.tokens!r})")
    gold = tuple(each.text for each in answers)
    fields = read_together(passage, question, tuple(Span(*span, ANSWER) for span in spans))
    return Example(key, fields, known.cluster, gold, replace(asked, placed=len(spans) == len(gold)))


def known_of(passage: Sentence) -> KnownPassage:
    """What all questions about a passage share."""
    starts, stops = zip(*borders(passage), strict=True)
    return KnownPassage(starts, stops, _digest(" ".join(passage.text.casefold().split())), repr(passage.tokens))


def _digest(text: str) -> str:
    return hashlib.blake2b(ascii(text).encode(), digest_size=8).hexdigest()


def read_together(
    passage: Sentence, question: Sentence, anchors: tuple[Span, ...] | None = None
) -> Mapping[str, Sentence]:
    """The fields of an example, each the other's partner; by default the passage keeps its anchors."""
    partner = Partner(QUESTION, question.tokens, entails=False)
    return {
        CONTEXT: replace(passage, anchors=passage.anchors if anchors is None else anchors, layers=(partner,)),
        QUESTION: replace(question, layers=(Partner(CONTEXT, passage.tokens, entails=True),)),
    }


def open_answers(choice: str, sentence: Sentence) -> Sentence:
    """Makes answers changeable if the case says so."""
    if choice != "inside_answers":
        return sentence
    return replace(sentence, anchors=tuple(Span(each.start, each.stop, OPENED) for each in sentence.anchors))


def texts(example: Example) -> tuple[str, str]:
    """The passage and question."""
    return example.fields[CONTEXT].text, example.fields[QUESTION].text


def carry_edits(example: Example, edits: Mapping[str, Perturbed]) -> Example | None:
    """The example after edits; None if an answer has no place, is lost or empty.

    Unchanged answers keep the text of their file. *No answer* is right if edits deliberately remove all answers.
    """
    if not any(each.edits for each in edits.values()):
        return example
    if not example.source.placed:
        return None
    old = example.fields[CONTEXT]
    made = edits[CONTEXT].sentence if CONTEXT in edits else old
    question = edits[QUESTION].sentence if QUESTION in edits else example.fields[QUESTION]
    anchors = tuple(Span(each.start, each.stop, ANSWER) for each in made.anchors if each.type in (ANSWER, OPENED))
    gold: tuple[str, ...] = example.gold
    source: QuestionFacts = example.source
    if len(anchors) < len(gold):
        if anchors or not example.source.droppable or CONTEXT not in edits or not is_dropped(edits[CONTEXT]):
            return None
        gold, source = (), replace(source, rules=replace(source.rules, impossible=True))
    else:
        pairs = [
            (answer_text(old, before), answer_text(made, now))
            for before, now in zip(answers_in(old), anchors, strict=True)
        ]
        if any(each.type == ANSWER for each in made.anchors) and any(before != now for before, now in pairs):
            return None
        gold = tuple(text if before == now else now for text, (before, now) in zip(gold, pairs, strict=True))
    return replace(example, fields=read_together(replace(made, anchors=anchors), question), gold=gold, source=source)


def is_dropped(made: Perturbed) -> bool:
    """True if words were only removed."""
    return all(made.origins)


def place_of(sentence: Sentence, span: Span) -> PassagePlace:
    """The characters of a span."""
    start = sum(map(len, sentence.tokens[: span.start] + sentence.spaces[: span.start]))
    length = sum(map(len, sentence.tokens[span.start : span.stop] + sentence.spaces[span.start : span.stop - 1]))
    return PassagePlace(start, start + length)


def span_at(sentence: Sentence, place: PassagePlace) -> tuple[int, int]:
    """The tokens that overlap these characters."""
    starts, stops = zip(*borders(sentence), strict=True)
    return _tokens_at(starts, stops, place)


def _tokens_at(starts: Sequence[int], stops: Sequence[int], place: PassagePlace) -> tuple[int, int]:
    first = bisect_right(stops, place.start)
    return first, max(first, bisect_left(starts, place.stop))


def joined_edits(example: Example, edits: Mapping[str, Perturbed]) -> tuple[Sentence, Perturbed]:
    """Passage and question as one sentence, with all edits as one change."""
    return example.whole, join_edits(example.fields, edits)
