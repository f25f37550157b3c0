"""Gold labels that all models contradict in the same way.

On CoNLL-2003, 47 % of the errors were right predictions against wrong gold [Rücker and Akbik, CleanCoNLL, EMNLP 2023].
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from abalo.core.protocols.task import Task
from abalo.core.records.example import Example, JsonObject
from perturbations import Sentence, Span

_CONTEXT = 8


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Gold spans and predicted spans; either may be empty."""

    gold: tuple[Span, ...]
    predicted: tuple[Span, ...]

    @property
    def kind(self) -> str:
        """Kind of error if gold is right: type, boundary, missed, invented, or several."""
        if not self.predicted:
            return "missed"
        if not self.gold:
            return "invented"
        places = [{(span.start, span.stop) for span in side} for side in (self.gold, self.predicted)]
        types = [{span.type for span in side} for side in (self.gold, self.predicted)]
        if places[0] == places[1]:
            return "type"
        return "boundary" if types[0] == types[1] else "boundary and type"

    @property
    def words(self) -> range:
        """The words from the first to the last of all spans."""
        spans = self.gold + self.predicted
        return range(min(span.start for span in spans), max(span.stop for span in spans))


@dataclass(frozen=True, slots=True, eq=False)
class Suspect:
    """A contradiction of all models in example ``number``, from 1.

    ``elsewhere`` counts gold labels of the same words elsewhere, in any letter case; copies count.
    """

    number: int
    example: Example
    sentence: Sentence
    found: Contradiction
    elsewhere: Mapping[str, int]

    def to_json(self) -> JsonObject:
        """Plain values; places are word indices from 0, end excluded."""
        return {
            "example": self.number,
            "id": self.example.id,
            "kind": self.found.kind,
            "gold": [asdict(span) for span in self.found.gold],
            "predicted": [asdict(span) for span in self.found.predicted],
            "elsewhere": dict(self.elsewhere),
            "text": self.sentence.text,
        }

    def lines(self) -> tuple[str, str]:
        """The contradiction, and its context."""
        found = self.found
        sides = " -> ".join(_span_text(self.sentence, side) for side in (found.gold, found.predicted))
        seen = ", ".join(f"{label} {times}" for label, times in self.elsewhere.items())
        return f"{self.number}: {found.kind}: {sides}{f'; elsewhere {seen}' * bool(seen)}", self._context()

    def _context(self) -> str:
        words, tokens = self.found.words, self.sentence.tokens
        start, stop = max(0, words.start - _CONTEXT), min(len(tokens), words.stop + _CONTEXT)
        parts = [
            *(["…"] if start else []),
            *tokens[start : words.start],
            f"«{' '.join(tokens[words.start : words.stop])}»",
            *tokens[words.stop : stop],
            *(["…"] if stop < len(tokens) else []),
        ]
        return " ".join(parts)


def suspects(task: Task, examples: Sequence[Example], predictions: Sequence[Sequence[object]]) -> list[Suspect]:
    """The contradictions that all models share, copies once.

    ``predictions`` holds one prediction per model and example. A place that all models miss is no suspect if they
    differ in anything else about it.
    """
    known = _labels_of(task, examples)
    found: dict[tuple[str, Contradiction], Suspect] = {}
    for number, (example, *said) in enumerate(zip(examples, *predictions, strict=True), start=1):
        gold = task.stated(example)
        first, *others = [set(contradictions(gold, task.stated(example, each))) for each in said]
        sentence = example.whole
        for each in sorted(first.intersection(*others), key=lambda each: (each.words.start, each.words.stop)):
            key = example.cluster, each
            if key not in found:
                found[key] = Suspect(number, example, sentence, each, _elsewhere(known, sentence, each))
    return list(found.values())


def contradictions(gold: Iterable[Span], predicted: Iterable[Span]) -> Iterator[Contradiction]:
    """Differences of two sets of spans; overlapping spans form one contradiction."""
    sides = set(gold), set(predicted)
    differing = [(span, which) for which in (0, 1) for span in sides[which] - sides[1 - which]]
    differing.sort(key=lambda each: (each[0].start, each[0].stop, each[0].type, each[1]))
    group: list[tuple[Span, int]] = []
    reach = -1
    for span, side in differing:
        if group and span.start >= reach:
            yield _contradiction(group)
            group = []
        group.append((span, side))
        reach = max(reach, span.stop)
    if group:
        yield _contradiction(group)


def _contradiction(group: Sequence[tuple[Span, int]]) -> Contradiction:
    gold, predicted = (tuple(span for span, side in group if side == which) for which in (0, 1))
    return Contradiction(gold, predicted)


def _labels_of(task: Task, examples: Sequence[Example]) -> Mapping[str, Counter[str]]:
    known: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for example in examples:
        sentence = example.whole
        for span in task.stated(example):
            known[_words(sentence, span)][span.type] += 1
    return known


def _elsewhere(known: Mapping[str, Counter[str]], sentence: Sentence, found: Contradiction) -> Mapping[str, int]:
    counts: Counter[str] = Counter()
    for words in {_words(sentence, span) for span in found.gold + found.predicted}:
        counts.update(known.get(words, {}))
    counts.subtract(span.type for span in found.gold)
    return {label: times for label, times in sorted(counts.items()) if times > 0}


def _words(sentence: Sentence, span: Span) -> str:
    return " ".join(sentence.tokens[span.start : span.stop]).lower()


def _span_text(sentence: Sentence, spans: Sequence[Span]) -> str:
    told = [
        span.type
        if len(span) == len(sentence)
        else f"[{' '.join(sentence.tokens[span.start : span.stop])} {span.type}]"
        for span in spans
    ]
    return " ".join(told) or "nothing"
