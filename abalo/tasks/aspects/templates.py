"""Filled templates of aspects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from abalo.core.records.example import Example
from abalo.core.records.filling import Filled, Filling
from abalo.corpora.examples import TEXT
from abalo.corpora.running_text import borders, replace_all, running_text
from abalo.models.labelling.classified import Classified
from abalo.tasks.aspects.sentences import POLARITIES, Aspect, tag_sentence, target_in, words_of
from abalo.tasks.labels.examples import in_words
from abalo.tasks.labels.templates import LabelTemplates
from perturbations import Sentence, sentence_id
from perturbations.suggestions import did_you_mean

ASPECT, LABEL = "aspect", "label"

FIELDS: Mapping[str, str] = {
    TEXT: "the sentence",
    ASPECT: "the aspect, as it is written in the sentence",
    LABEL: "its polarity",
}

_SPACE = re.compile(r"\s+")


def write_filling(filled: Mapping[str, Filled | Sequence[Filled]]) -> Filling:
    """The sentence with its target aspect and optional polarity.

    Runs of white space become one space. Raises ValueError if the aspect does not occur exactly once as whole words, a
    field is missing, or the polarity is unknown.
    """
    text, aspect, label = (_plain(filled, name) for name in FIELDS)
    if text is None or aspect is None:
        raise ValueError(f"expected {TEXT}: {FIELDS[TEXT]}, and {ASPECT}: {FIELDS[ASPECT]}")
    if label is not None and label not in POLARITIES:
        near = did_you_mean(label, POLARITIES)
        raise ValueError(f"{LABEL} is {label!r}; expected {', '.join(POLARITIES)}{near}")
    places = _places(text, aspect)
    if len(places) != 1:
        raise ValueError(f"the aspect {aspect!r} stands {len(places)} times in {text!r}; expected once, as whole words")
    return Filling(_example(text, *places[0], label))


def swap_words(example: Example, old: str, new: str) -> Iterator[tuple[Filling, Filling]]:
    """Replaces ``old`` everywhere, if the new aspect then occurs exactly once."""
    span = target_in(example.sentence)
    made = replace_all(example.sentence.text, Filled(old).plain, Filled(new).plain)
    if made is None or span is None:
        return
    own = words_of(example.sentence, span)
    places = _places(made, replace_all(own, Filled(old).plain, Filled(new).plain) or own)
    if len(places) == 1:
        yield Filling(example), Filling(_example(made, *places[0], example.gold[0]))


def say_example(example: Example, prediction: Classified | None = None) -> str:
    """The sentence, the aspect in brackets, and the predicted or else the gold polarity."""
    labels = example.gold if prediction is None else prediction.labels
    span = target_in(example.sentence)
    asked = "" if span is None else f" [{words_of(example.sentence, span)}]"
    return f"{example.sentence.text}{asked}" + ("" if labels is None else f" ({in_words(labels)})")


def _plain(filled: Mapping[str, Filled | Sequence[Filled]], name: str) -> str | None:
    given = filled.get(name)
    if given is None:
        return None
    if not isinstance(given, Filled):
        raise ValueError(f"{name} is a list; expected one text")  # noqa: TRY004 - what the user wrote
    return _SPACE.sub(" ", given.plain).strip()


def _places(text: str, aspect: str) -> list[tuple[int, int]]:
    starts, stops = map(set, zip(*borders(running_text(text)), strict=True))
    found = (each.span() for each in re.finditer(re.escape(aspect), text)) if aspect else ()
    return [(start, stop) for start, stop in found if start in starts and stop in stops]


def _example(text: str, start: int, stop: int, label: str | None) -> Example:
    aspect = Aspect(start, stop, label or POLARITIES[0])
    sentence = tag_sentence(text, [aspect], aspect)
    if label is None:
        sentence = Sentence(sentence.tokens, None, sentence.spaces, sentence.anchors)
    span, key = target_in(sentence), sentence_id(sentence)
    assert span is not None
    gold = None if label is None else (label,)
    return Example(f"{key}-{span.start}-{span.stop}", {TEXT: sentence}, key, gold)


class AspectTemplates(LabelTemplates):
    """Templates of sentences with an aspect."""

    fields = FIELDS
    gold = LABEL
    said = staticmethod(say_example)

    def written(self, filled: Mapping[str, Filled | Sequence[Filled]], corpus: object) -> Filling:
        return write_filling(filled)

    def swapped(self, example: Example, key: str, old: str, new: str) -> Iterator[tuple[Filling, Filling]]:
        return swap_words(example, old, new)
