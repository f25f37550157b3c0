"""A sentence of an example as HTML, with its gold and its predicted entities side by side or one over the other.

Gold entities are boxes drawn whole; predicted ones lie inside them or between them, cut where they cross. The targets
of an attack are innermost, a mark at either end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from abalo.reporting.markup import text
from abalo.reporting.selection import Json
from perturbations import Span, entity_spans

Colours = Mapping[str, int]
"""The number of the colour of each entity type."""


def original(example: Json, colours: Colours) -> str:
    """The clean sentence with the clean prediction; removed words are struck through."""
    removed = set(example["removed"])
    gold, clean = entity_spans(example["gold"]), entity_spans(example["clean"])

    def word(i: int) -> str:
        shown = text(example["tokens"][i])
        return f'<del class="abalo-removed" title="removed">{shown}</del>' if i in removed else shown

    return _line(len(example["tokens"]), word, _Labels(gold, clean, _spans(example["targets"]), (), colours))


def perturbed(example: Json, colours: Colours) -> str:
    """The perturbed sentence with its prediction; edited and inserted words are marked, their originals in the tip."""
    edited = set(example["edited"])
    gold, predicted = entity_spans(example["new_gold"]), entity_spans(example["predicted"])

    def word(i: int) -> str:
        shown = text(example["new_tokens"][i])
        if i not in edited:
            return shown
        was = " ".join(example["tokens"][old] for old in example["origins"][i])
        return f'<mark class="abalo-edited" title="{f"was: {text(was)}" if was else "inserted"}">{shown}</mark>'

    lost = {span for span in gold if span not in predicted and _found_before(span, example)}
    labels = _Labels(gold, predicted, _spans(example["new_targets"]), lost, colours)
    return _line(len(example["new_tokens"]), word, labels)


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

    def of_gold(self, span: Span) -> tuple[str, str]:
        """The class of a gold entity and the words of its label."""
        if span in self.predicted:
            return f"abalo-found {self.colour(span)}", span.type
        return ("abalo-lost", f"✗ lost {span.type}") if span in self.lost else ("abalo-missed", f"– missed {span.type}")

    def colour(self, span: Span) -> str:
        """The class that gives the type its colour."""
        return f"abalo-type-{self.colours.get(span.type, 0)}"


def _line(length: int, word: Callable[[int], str], labels: _Labels) -> str:
    """Gold entities and what stands between them, from left to right."""
    parts = []
    for start, stop, gold in _stretches(0, length, labels.gold):
        shown = _predicted(start, stop, word, labels, gold)
        if gold is not None:
            kind, name = labels.of_gold(gold)
            shown = f'<span class="abalo-gold {kind}">{shown}{_chip(name)}</span>'
        parts.append(shown)
    return " ".join(parts)


def _predicted(start: int, stop: int, word: Callable[[int], str], labels: _Labels, gold: Span | None) -> str:
    """Words ``start`` to ``stop`` with the predictions in them; one that is just the gold entity shows as that alone.

    A predicted entity that crosses the end of a gold one is drawn in two parts, with its label on the last.
    """
    parts = []
    for begin, end, predicted in _stretches(start, stop, labels.predicted):
        shown = _targeted(begin, end, word, labels.targets)
        if predicted is not None and predicted != gold:
            label = _chip(f"+ {predicted.type}") if predicted.stop == end else ""
            shown = f'<span class="abalo-predicted {labels.colour(predicted)}">{shown}{label}</span>'
        parts.append(shown)
    return " ".join(parts)


def _targeted(start: int, stop: int, word: Callable[[int], str], targets: Sequence[Span]) -> str:
    """Words ``start`` to ``stop``, targets between two marks; of one that lies across an end, the part that is here."""
    parts = []
    for begin, end, target in _stretches(start, stop, targets):
        shown = " ".join(map(word, range(begin, end)))
        if target is not None:
            ends = " abalo-target-start" * (begin == target.start) + " abalo-target-stop" * (end == target.stop)
            shown = f'<span class="abalo-target{ends}" title="target: {text(target.type)}">{shown}</span>'
        parts.append(shown)
    return " ".join(parts)


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


def _chip(label: str) -> str:
    return f'<span class="abalo-chip">{text(label)}</span>'
