"""The aspects of a sentence, the one that is asked about, and what is said of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from perturbations.application import apply
from perturbations.composition import edits_between
from perturbations.languages import rules
from perturbations.languages.opinion import OPPOSITE, Opinion
from perturbations.languages.parts import AspectOpinions
from perturbations.text import Edit, Sentence, Span, entity_spans

TARGET = "target"
"""The type of the anchor that marks the aspect that is asked about."""

_JOINTS = frozenset([",", ";", "and", "but", "/"])


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """A sentence with its aspects, their polarity as their type, the number of the target, and the opinions on them."""

    sentence: Sentence
    aspects: tuple[Span, ...]
    target: int
    opinions: tuple[Opinion, ...]

    def on(self, number: int) -> Opinion | None:
        """The opinion on an aspect; None where none is found."""
        return next((opinion for opinion in self.opinions if number in opinion.aspects), None)

    def is_apart(self, number: int, opinion: Opinion) -> bool:
        """Whether an aspect, of which no opinion is found, stands in another part of its sentence than an opinion."""
        span = self.aspects[number]
        start, stop = (opinion.stop, span.start) if opinion.stop <= span.start else (span.stop, opinion.start)
        between = [*map(str.lower, self.sentence.tokens[start:stop])]
        return not _JOINTS.isdisjoint(between) and "which" not in between


def target_of(sentence: Sentence) -> tuple[tuple[Span, ...], int] | None:
    """The aspects, which the tags mark, and the number of the one that is asked about; None where there is none.

    That is the aspect with the anchor `TARGET` or, without such an anchor, the first.
    """
    aspects = tuple(entity_spans(sentence.entity_tags or ()))
    marked = [anchor for anchor in sentence.anchors if anchor.type == TARGET]
    if not marked:
        return (aspects, 0) if aspects else None
    places = [k for k, span in enumerate(aspects) if (span.start, span.stop) == (marked[0].start, marked[0].stop)]
    return (aspects, places[0]) if places else None


def judge_sentence(sentence: Sentence, language: str) -> JudgedSentence | None:
    """The sentence with the opinions in it that are certain; None if no aspect is asked about."""
    asked = target_of(sentence)
    if asked is None:
        return None
    aspects, target = asked
    rule = rules(language, "aspect_opinions", AspectOpinions)
    found = rule.opinions(sentence, aspects)
    clear = tuple(opinion for opinion in found if rule.is_clear(sentence, aspects, found, opinion))
    return JudgedSentence(sentence, aspects, target, clear)


def reverse_opinions(
    given: JudgedSentence, reverse: Sequence[Opinion], exaggerate: Sequence[Opinion], language: str
) -> list[Edit]:
    """Edits that reverse and exaggerate these opinions, each all of them at once, with *and* and *but* to fit.

    The aspects of reversed opinions get the other polarity.
    """
    rule = rules(language, "aspect_opinions", AspectOpinions)
    now = [OPPOSITE[each.polarity] if each in reverse else each.polarity for each in given.opinions]
    joints = rule.rejoined(given.sentence, given.aspects, given.opinions, now)
    if joints is None or not all(each.reversals for each in reverse):
        return []
    ways: list[list[Edit]] = [list(joints)]
    for choices in [each.reversals for each in reverse] + [each.exaggerations for each in exaggerate]:
        ways = [[*way, *choice] for way in ways for choice in choices[:_CHOICES]] if choices else ways
    turned = {number: OPPOSITE[each.polarity] for each in reverse for number in each.aspects}
    made = [as_one(given.sentence, way, given.aspects, turned) for way in ways[:_MOST] if way]
    return list(dict.fromkeys(made))


_CHOICES = 3
_MOST = 24
"""Choices of one opinion, and ways for all together, that are kept."""


def as_one(sentence: Sentence, edits: Iterable[Edit], aspects: Sequence[Span], turned: Mapping[int, str]) -> Edit:
    """One edit that makes all ``edits``, and gives the aspects with these numbers these polarities."""
    made = apply(sentence, edits)
    assert made.sentence.tags is not None
    tags = list(made.sentence.tags)
    for place, origin in enumerate(made.origins):
        for number, polarity in turned.items():
            if any(aspects[number].start <= old < aspects[number].stop for old in origin) and tags[place] != "O":
                tags[place] = f"{tags[place][:2]}{polarity}"
    target = Sentence(made.sentence.tokens, tuple(tags), made.sentence.spaces)
    source = Sentence(sentence.tokens, sentence.tags, sentence.spaces)
    parts = edits_between(source, target, made.origins)
    start, stop = parts[0].start, parts[-1].stop
    grown = len(target) - len(sentence)
    new = slice(start, stop + grown)
    return Edit(
        start,
        stop,
        target.tokens[new],
        tags=tuple(tags[new]),
        spaces=target.spaces[new],
        origins=made.origins[new],
    )
