"""The sentences that suffered most, with gold and predicted entities side by side or one over the other.

Gold entities are marked whole; predicted ones lie inside them or between them, cut where they cross. The targets of an
attack are innermost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from abalo.core.blocks import Block, Mark, Piece
from abalo.core.results import Json, facts_of, groups_of
from abalo.tasks.tokens import marked
from perturbations import Span, entity_spans

_LEGEND = (
    (Mark("found", ("words",), "TYPE", colour=0), "gold entity, predicted just so"),
    (Mark("lost", ("words",), "✗ lost TYPE"), "gold entity no longer predicted"),
    (Mark("missed", ("words",), "– missed TYPE"), "gold entity missed on the clean sentence too"),
    (Mark("predicted", ("words",), "+ TYPE", colour=0), "predicted, not gold"),
    *marked.EDITS,
)

_TARGET = (Mark("target", ("words",)), "target of the attack")

Colours = Mapping[str, int]
"""The number of the colour of each entity type."""


def worst(result: Json, document: Json) -> Sequence[Block]:
    """The examples of a result, worst first; a line where a bound case that perturbs has none."""
    baseline = facts_of(document, "ner").get("baseline") or {}
    colours = {kind: k for k, kind in enumerate(groups_of([baseline, *document.get("results", ())]))}
    original, perturbed = partial(_original, colours=colours), partial(_perturbed, colours=colours)
    marking = marked.Marking(original, perturbed, "entity error", "an entity")
    aimed = any(each["targets"] for each in result["examples"])
    return marked.worst(result, marking, (*_LEGEND, _TARGET) if aimed else _LEGEND)


def _original(example: Json, colours: Colours) -> Sequence[Piece]:
    """The clean sentence with the clean prediction."""
    gold, clean = entity_spans(example["gold"]), entity_spans(example["clean"])
    return _line(marked.original_words(example), _Labels(gold, clean, _spans(example["targets"]), (), colours))


def _perturbed(example: Json, colours: Colours) -> Sequence[Piece]:
    """The perturbed sentence with its prediction."""
    gold, predicted = entity_spans(example["new_gold"]), entity_spans(example["predicted"])
    lost = {span for span in gold if span not in predicted and _found_before(span, example)}
    labels = _Labels(gold, predicted, _spans(example["new_targets"]), lost, colours)
    return _line(marked.perturbed_words(example), labels)


def _spans(places: Sequence[Sequence[Any]]) -> list[Span]:
    return sorted((Span(*place) for place in places), key=lambda span: span.start)


def _found_before(span: Span, example: Json) -> bool:
    """Whether the entity, where it stood in the clean sentence, was predicted there."""
    olds = {old for new in range(span.start, span.stop) for old in example["origins"][new]}
    found = set(entity_spans(example["gold"])) & set(entity_spans(example["clean"]))
    return any(was.type == span.type and olds.intersection(range(was.start, was.stop)) for was in found)


@dataclass(frozen=True, slots=True)
class _Labels:
    """The entities of one sentence, and the targets of an attack on it.

    ``lost`` are gold entities that the clean prediction still had.
    """

    gold: Sequence[Span]
    predicted: Sequence[Span]
    targets: Sequence[Span]
    lost: Collection[Span]
    colours: Colours

    def of_gold(self, span: Span) -> Mark:
        """The mark of a gold entity, still without its words."""
        if span in self.predicted:
            return Mark("found", (), span.type, colour=self.colours.get(span.type, 0))
        if span in self.lost:
            return Mark("lost", (), f"✗ lost {span.type}")
        return Mark("missed", (), f"– missed {span.type}")


def _line(words: Sequence[Piece], labels: _Labels) -> list[Piece]:
    """Gold entities and the words between them, from left to right."""
    line: list[Piece] = []
    for start, stop, gold in _stretches(0, len(words), labels.gold):
        pieces = _predicted(start, stop, words, labels, gold)
        line += pieces if gold is None else [replace(labels.of_gold(gold), parts=tuple(pieces))]
    return line


def _predicted(start: int, stop: int, words: Sequence[Piece], labels: _Labels, gold: Span | None) -> Iterator[Piece]:
    """Words ``start`` to ``stop`` with the predictions in them; one that is just the gold entity shows as that alone.

    A predicted entity that crosses the end of a gold one is marked in two parts, with its label on the last.
    """
    for begin, end, predicted in _stretches(start, stop, labels.predicted):
        pieces = _targeted(begin, end, words, labels.targets)
        if predicted is None or predicted == gold:
            yield from pieces
        else:
            label = f"+ {predicted.type}" if predicted.stop == end else ""
            yield Mark("predicted", tuple(pieces), label, colour=labels.colours.get(predicted.type, 0))


def _targeted(start: int, stop: int, words: Sequence[Piece], targets: Sequence[Span]) -> Iterator[Piece]:
    """Words ``start`` to ``stop``, targets marked; of one that lies across an end, the part that is here."""
    for begin, end, target in _stretches(start, stop, targets):
        pieces = words[begin:end]
        if target is None:
            yield from pieces
        else:
            hint = f"target: {target.type}"
            yield Mark("target", tuple(pieces), hint=hint, starts=begin == target.start, stops=end == target.stop)


def _stretches(start: int, stop: int, spans: Sequence[Span]) -> Iterator[tuple[int, int, Span | None]]:
    """The parts of [start, stop) that lie in one of the ``spans``, which are in order, and the gaps between (None)."""
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
