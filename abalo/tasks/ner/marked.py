"""The sentences that suffered most, with gold and predicted entities."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from abalo.core.documents.blocks import Block, Mark, Piece
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result, WorstExample
from abalo.core.protocols.results import facts_of, groups_of
from abalo.tasks.tokens import marked
from perturbations import Span, entity_spans

_LEGEND = (
    (Mark("found", ("words",), "TYPE", colour=0), "gold entity, predicted correctly"),
    (Mark("lost", ("words",), "✗ lost TYPE"), "gold entity no longer predicted"),
    (Mark("missed", ("words",), "– missed TYPE"), "gold entity missed on the clean sentence too"),
    (
        Mark("predicted", ("words",), "+ TYPE", colour=0),
        "predicted, not gold; inside another mark, predicted for that part; … the same span goes on",
    ),
    *marked.EDITS,
)

_TARGET = (Mark("target", ("words",)), "target of the attack")

Colours = Mapping[str, int]


def worst(result: Result, document: Document) -> Sequence[Block]:
    """The worst examples of a result."""
    facts = facts_of(document, "ner")
    tables = [] if facts is None else [facts.baseline.per_type]
    colours = {kind: k for k, kind in enumerate(groups_of([*tables, *(each.per_type for each in document.results)]))}
    original, perturbed = partial(_original, colours=colours), partial(_perturbed_pieces, colours=colours)
    marking = marked.Marking(original, perturbed, "entity error", "an entity")
    aimed = any(each.targets for each in result.examples)
    return marked.worst(result, marking, (*_LEGEND, _TARGET) if aimed else _LEGEND)


def _original(example: WorstExample, colours: Colours) -> Sequence[Piece]:
    gold, clean = entity_spans(example.gold), entity_spans(example.clean)
    return _line(marked.original_words(example), _Labels(gold, clean, _spans(example.targets), (), colours))


def _perturbed_pieces(example: WorstExample, colours: Colours) -> Sequence[Piece]:
    gold, predicted = entity_spans(example.new_gold), entity_spans(example.predicted)
    lost = {span for span in gold if span not in predicted and _is_found_before(span, example)}
    labels = _Labels(gold, predicted, _spans(example.new_targets), lost, colours)
    return _line(marked.perturbed_words(example), labels)


def _spans(places: Sequence[Sequence[Any]]) -> list[Span]:
    return sorted((Span(*place) for place in places), key=lambda span: span.start)


def _is_found_before(span: Span, example: WorstExample) -> bool:
    olds = {old for new in range(span.start, span.stop) for old in example.origins[new]}
    found = set(entity_spans(example.gold)) & set(entity_spans(example.clean))
    return any(was.type == span.type and olds.intersection(range(was.start, was.stop)) for was in found)


@dataclass(frozen=True, slots=True)
class _Labels:
    gold: Sequence[Span]
    predicted: Sequence[Span]
    targets: Sequence[Span]
    lost: Collection[Span]
    colours: Colours

    def of_gold(self, span: Span) -> Mark:
        if span in self.predicted:
            return Mark("found", (), span.type, colour=self.colours.get(span.type, 0))
        if span in self.lost:
            return Mark("lost", (), f"✗ lost {span.type}")
        return Mark("missed", (), f"– missed {span.type}")

    def of_predicted(self, span: Span, start: int, stop: int, parts: Sequence[Piece]) -> Mark:
        """The part of a predicted span from ``start`` to ``stop``; dots say that the span goes on."""
        before, behind = "…" * (start > span.start), "…" * (stop < span.stop)
        label = f"+ {before}{span.type}{behind}"
        return Mark("predicted", tuple(parts), label, colour=self.colours.get(span.type, 0))


def _line(words: Sequence[Piece], labels: _Labels) -> list[Piece]:
    """The words in nested spans; only a longer predicted span holds gold spans."""
    around = [span for span in labels.predicted if span not in labels.gold and _holds_gold(span, labels.gold)]
    inside = [span for span in labels.gold if any(_overlap(span, each) for each in around)]
    line: list[Piece] = []
    outer = sorted([*around, *(span for span in labels.gold if span not in inside)], key=lambda span: span.start)
    for start, stop, span in _stretches(0, len(words), outer):
        if span is None or span not in around:
            pieces = _predicted_pieces(start, stop, words, labels, span)
            line += pieces if span is None else [replace(labels.of_gold(span), parts=tuple(pieces))]
            continue
        parts: list[Piece] = []
        for begin, end, gold in _stretches(start, stop, inside):
            pieces = _mark_targets(begin, end, words, labels.targets)
            parts += pieces if gold is None else [replace(labels.of_gold(gold), parts=tuple(pieces))]
        line.append(labels.of_predicted(span, start, stop, parts))
    return line


def _holds_gold(span: Span, gold: Sequence[Span]) -> bool:
    """Whether a span holds shorter gold spans, and none crosses its ends."""
    met = [each for each in gold if _overlap(span, each)]
    longer = any(each.stop - each.start < span.stop - span.start for each in met)
    return longer and all(span.start <= each.start and each.stop <= span.stop for each in met)


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.stop and other.start < one.stop


def _predicted_pieces(
    start: int, stop: int, words: Sequence[Piece], labels: _Labels, gold: Span | None
) -> Iterator[Piece]:
    for begin, end, predicted in _stretches(start, stop, labels.predicted):
        pieces = [*_mark_targets(begin, end, words, labels.targets)]
        if predicted is None or predicted == gold:
            yield from pieces
        else:
            yield labels.of_predicted(predicted, begin, end, pieces)


def _mark_targets(start: int, stop: int, words: Sequence[Piece], targets: Sequence[Span]) -> Iterator[Piece]:
    for begin, end, target in _stretches(start, stop, targets):
        pieces = words[begin:end]
        if target is None:
            yield from pieces
        else:
            hint = f"target: {target.type}"
            yield Mark("target", tuple(pieces), hint=hint, starts=begin == target.start, stops=end == target.stop)


def _stretches(start: int, stop: int, spans: Sequence[Span]) -> Iterator[tuple[int, int, Span | None]]:
    reached = start
    for span in spans:
        begin, end = max(span.start, reached), min(span.stop, stop)
        if begin >= end:
            continue
        if begin > reached:
            yield reached, begin, None
        yield begin, end, span
        reached = end
    if reached < stop:
        yield reached, stop, None
