"""Filled templates in bracket notation.

Text outside brackets is no entity; for word labels, it is not judged.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

import numpy as np

from abalo.core.protocols.subject import Subject
from abalo.core.protocols.templates import Templates
from abalo.core.records.example import Example, Variant
from abalo.core.records.filling import Filled, Filling
from abalo.corpora.examples import TEXT, example_of, variant_of
from abalo.models.labelling.prediction import Prediction
from abalo.models.tokens.scores import ScoreScale
from perturbations import UNLABELLED, Edit, Perturbed, Policy, Sentence, Span, apply, entity_spans, parse, render
from perturbations.suggestions import did_you_mean

Places = Mapping[str, Sequence[tuple[str, Span]]]

_FIRST_MARK = 0xF0000


def write_filling(filled: Filled, policy: Policy, judged: Collection[str] | None = None) -> Filling:
    """The sentence of a template, with entities of types ``judged`` (None: all). Raises ValueError."""
    text = filled.text
    for k, slot in reversed(list(enumerate(filled.slots))):
        start = slot.start + slot.value.startswith("[")
        text = text[:start] + chr(_FIRST_MARK + k) + text[start:]
    marked = parse(text)
    begins: dict[int, int] = {}
    tokens: list[str] = []
    gone: list[int] = []
    for i, token in enumerate(marked.tokens):
        plain = "".join(char for char in token if ord(char) < _FIRST_MARK)
        begins |= {ord(char) - _FIRST_MARK: i - len(gone) for char in token if ord(char) >= _FIRST_MARK}
        if not plain:
            gone.append(i)
        tokens.append(plain or token)
    tags = tuple("".join(char for char in tag if ord(char) < _FIRST_MARK) for tag in marked.tags or ())
    sentence = apply(Sentence(tuple(tokens), tags), [Edit(i, i + 1, ()) for i in gone]).sentence
    sentence = _label_sentence(sentence, policy, judged)
    if not len(sentence):
        raise ValueError(f"{filled.text!r}: has no word")
    places: dict[str, list[tuple[str, Span]]] = {}
    for k, slot in enumerate(filled.slots):
        if k in begins:  # the value of the others is a type
            stop = begins[k] + (len(parse(slot.value)) if slot.value else 0)
            places.setdefault(slot.key, []).append((TEXT, Span(begins[k], stop, slot.key)))
    return Filling(example_of(sentence), places)


def _label_sentence(sentence: Sentence, policy: Policy, judged: Collection[str] | None) -> Sentence:
    spans, tags = entity_spans(sentence.tags or ()), sentence.tags or ()
    plain = {tag for tag in tags if tag != "O" and tag[:2] not in ("B-", "I-")}
    if policy == "bio":
        if plain:
            raise ValueError(f"={min(plain)} labels a word; write entities as [words TYPE]")
        left_out = {i for span in spans if judged is not None and span.type not in judged for i in _of(span)}
        return Sentence(sentence.tokens, tuple("O" if i in left_out else tag for i, tag in enumerate(tags)))
    if spans:
        raise ValueError(f"[… {spans[0].type}] marks an entity; write labels of words as [word ={spans[0].type}]")
    return Sentence(sentence.tokens, tuple(UNLABELLED if tag == "O" else tag for tag in tags), policy=policy)


def swap_words(example: Example, key: str, old: str, new: str) -> Iterator[tuple[Filling, Filling]]:
    """Replaces ``old`` one place at a time, unless it crosses the border of an entity."""
    sentence, words, others = example.sentence, parse(old).tokens, parse(new).tokens
    for start in range(len(sentence) - len(words) + 1):
        stop = start + len(words)
        if sentence.tokens[start:stop] == words and words:
            try:
                made = apply(sentence, [Edit(start, stop, others)])
            except ValueError:  # across the border of an entity
                continue
            after = Span(start, start + len(others), key)
            yield (
                Filling(example_of(sentence), {key: [(TEXT, Span(start, stop, key))]}),
                Filling(example_of(made.sentence), {key: [(TEXT, after)]}),
            )


def variant(before: Filling, after: Filling) -> Variant:
    """The second filling as edits of the first."""
    old, new = before.example.sentence, after.example.sentence
    edits: list[Edit] = []
    for here, there in _stretches(before, after):
        tokens = new.tokens[there.start : there.stop]
        if tokens != old.tokens[here.start : here.stop]:
            edits.append(Edit(here.start, here.stop, tokens, (new.tags or ())[there.start : there.stop]))
    made = apply(old, edits)
    if made.sentence.tokens != new.tokens or made.sentence.tags != new.tags:  # other labels around the slots
        made = apply(old, [Edit(0, len(old), new.tokens, new.tags)])
    return variant_of(before.example, made)


def _stretches(before: Filling, after: Filling) -> Iterator[tuple[Span, Span]]:
    pairs = [
        (here, there)
        for key, places in before.places.items()
        for (_, here), (_, there) in zip(places, after.places.get(key, ()), strict=False)
    ]
    joined: list[tuple[Span, Span]] = []
    for here, there in sorted(pairs, key=lambda pair: (pair[0].start, pair[0].stop, pair[1].start)):
        if joined and here.start < joined[-1][0].stop and len(here):
            last = joined.pop()
            here = Span(last[0].start, max(last[0].stop, here.stop), here.type)
            there = Span(last[1].start, max(last[1].stop, there.stop), there.type)
        joined.append((here, there))
    yield from joined


# Faults ---------------------------------------------------------------------------------------------------------------


def fault(filling: Filling, prediction: Prediction, policy: Policy) -> str:
    """The wrong entities or labels, in words."""
    sentence = filling.example.sentence
    gold = sentence.tags or ()
    if policy != "bio":
        return "; ".join(
            f"{token} is labelled {found or 'nothing'}, not {tag}"
            for token, tag, found in zip(sentence.tokens, gold, prediction.tags, strict=True)
            if tag not in (UNLABELLED, found)
        )
    wanted, found = set(filling.targets or entity_spans(gold)), set(entity_spans(prediction.tags))
    invented = set() if filling.targets else found - wanted
    return _spans_apart(sentence, wanted - found, sentence, invented, ("missed", "invented"))


def differing(
    before: Filling, first: Prediction, after: Filling, second: Prediction, free: Collection[str], policy: Policy
) -> str:
    """The entities or labels that changed outside the slots in ``free``."""
    made = variant(before, after).perturbed
    old, new = before.example.sentence, after.example.sentence
    loose = [_tokens_of(each, free) for each in (before, after)]
    if policy != "bio":
        return "; ".join(
            f"{old.tokens[origin[0]]} was labelled {first.tags[origin[0]]}, "
            f"{new.tokens[place]} is labelled {second.tags[place]}"
            for place, origin in enumerate(made.origins)
            if len(origin) == 1
            and sum(origin[0] in each for each in made.origins) == 1
            and place not in loose[1]
            and first.tags[origin[0]] != second.tags[place]
        )
    known = {_move_span(span, made): span for span in entity_spans(first.tags) if not loose[0] & set(_of(span))}
    now = {span for span in entity_spans(second.tags) if not loose[1] & set(_of(span))}
    lost = {span for moved, span in known.items() if moved not in now}
    return _spans_apart(old, lost, new, now - known.keys(), ("lost", "new"))


def _move_span(span: Span, made: Perturbed) -> Span | None:
    own = set(_of(span))
    places = [place for place, origin in enumerate(made.origins) if own & set(origin)]
    return Span(places[0], places[-1] + 1, span.type) if places else None


def _spans_apart(
    old: Sentence, lost: Collection[Span], new: Sentence, found: Collection[Span], words: tuple[str, str]
) -> str:
    said = [
        f"{word} {', '.join(_bracket(sentence, span) for span in sorted(spans, key=_of_place))}"
        for word, sentence, spans in ((words[0], old, lost), (words[1], new, found))
        if spans
    ]
    return "; ".join(said)


def _of_place(span: Span) -> tuple[int, int, str]:
    return span.start, span.stop, span.type


def _bracket(sentence: Sentence, span: Span) -> str:
    return f"[{' '.join(sentence.tokens[span.start : span.stop])} {span.type}]"


# Labels and confidence ------------------------------------------------------------------------------------------------


def predicted_labels(filling: Filling, prediction: Prediction, key: str, policy: Policy) -> set[str]:
    """Labels predicted on a slot; "" means everywhere."""
    tokens = _tokens_of(filling, [key]) if key else set(range(len(prediction.tags)))
    if policy != "bio":
        return {prediction.tags[i] for i in tokens}
    return {span.type for span in entity_spans(prediction.tags) if tokens & set(_of(span))}


def confidence(filling: Filling, prediction: Prediction, label: str, scale: ScoreScale | None) -> float | None:
    """Mean probability of a label or type where it occurs."""
    gold = filling.example.sentence.tags or ()
    places = [i for i, tag in enumerate(gold) if label in (tag, tag[2:])]
    if not places:
        raise ValueError(f"{render(filling.example.sentence)!r} has no {label}, of which it expects a confidence")
    if scale is None or prediction.scores is None:
        return None
    total = np.zeros(len(places))
    names = [name for name in scale.labels if label in (name, name[2:])]
    for column in scale.columns(names):
        total += scale.probabilities(prediction.scores[places], np.full(len(places), column))
    return float(total.mean()) if names else None


def say_example(example: Example, prediction: Prediction | None = None) -> str:
    """The sentence with predicted or else gold labels."""
    sentence = example.sentence
    tags = sentence.tags if prediction is None else prediction.tags
    return render(Sentence(sentence.tokens, tags, sentence.spaces, policy=sentence.policy))


def _tokens_of(filling: Filling, keys: Collection[str]) -> set[int]:
    return {i for key in keys for _, span in filling.places.get(key, ()) for i in _of(span)}


def _of(span: Span) -> range:
    return range(span.start, span.stop)


class TokenTemplates(Templates):
    """Templates in bracket notation.

    ``known`` gives the groups of corpus and model, or None if incomplete.
    """

    fields: ClassVar[Mapping[str, str]] = {TEXT: "a sentence in the bracket notation"}

    def __init__(self, policy: Policy, noun: str, known: Callable[[Subject], Collection[str] | None]) -> None:
        self._policy, self._noun, self._known = policy, noun, known

    def written(self, filled: Mapping[str, Filled | Sequence[Filled]], corpus: object) -> Filling:
        text = filled[TEXT]
        assert isinstance(text, Filled)
        return write_filling(text, self._policy, getattr(corpus, "judged", None))

    swapped = staticmethod(swap_words)
    variant = staticmethod(variant)
    confidence = staticmethod(confidence)
    said = staticmethod(say_example)

    def foreign(self, fillings: Iterable[Filling], labels: Collection[str], subject: Subject) -> str:
        known = self._known(subject) if subject.model.labels else None
        if known is None:
            return ""
        tags = {tag for each in fillings for tag in each.example.sentence.tags or ()} - {UNLABELLED, "O"}
        unknown = sorted({*(tag[2:] if self._policy == "bio" else tag for tag in tags), *labels} - {*known})
        if not unknown:
            return ""
        near = did_you_mean(unknown[0], sorted(known))
        return f"no {self._noun} {unknown[0]!r} in corpus or model{near}; there are {', '.join(sorted(known))}"

    def fault(self, filling: Filling, prediction: Prediction) -> str:
        return fault(filling, prediction, self._policy)

    def differing(
        self, before: Filling, first: Prediction, after: Filling, second: Prediction, free: Collection[str] = ()
    ) -> str:
        return differing(before, first, after, second, free, self._policy)

    def predicted(self, filling: Filling, prediction: Prediction, key: str = "") -> Collection[str]:
        return predicted_labels(filling, prediction, key, self._policy)
