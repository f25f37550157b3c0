"""Filled templates of labelled texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from abalo.core.records.example import Example
from abalo.core.records.filling import Filled, Filling
from abalo.corpora.examples import TEXT, example_of
from abalo.corpora.running_text import borders, replace_all, running_text
from abalo.models.labelling.classified import Classified
from abalo.tasks.classification.corpus import LabelledTexts
from abalo.tasks.labels.examples import in_words
from abalo.tasks.labels.templates import LabelTemplates
from perturbations import Sentence, Span

LABEL = "label"

FIELDS: Mapping[str, str] = {TEXT: "the text", LABEL: "its label, or a list of several"}

_SPACE = re.compile(r"\s+")


def write_filling(filled: Mapping[str, Filled | Sequence[Filled]], *, several: bool) -> Filling:
    """The text with its labels, if given.

    Runs of white space become one space. Raises ValueError for an invisible text, or for several labels unless
    ``several``.
    """
    text = filled.get(TEXT)
    if not isinstance(text, Filled):
        raise ValueError(f"expected {TEXT}: {FIELDS[TEXT]}")  # noqa: TRY004 - what the user wrote
    sentence = running_text(_SPACE.sub(" ", text.plain))
    return Filling(
        replace(example_of(sentence), gold=_gold(filled.get(LABEL), several=several)), _places(text, sentence)
    )


def _gold(filled: Filled | Sequence[Filled] | None, *, several: bool) -> tuple[str, ...] | None:
    if filled is None:
        return None
    given = [each.plain.strip() for each in ([filled] if isinstance(filled, Filled) else filled)]
    if "" in given:
        raise ValueError(f"{LABEL} is empty; name one, or leave it out")
    if len(given) != 1 and not several:
        raise ValueError(f"{LABEL} is {given}; a text of this corpus has one label")
    return tuple(sorted(set(given)))


def _places(filled: Filled, sentence: Sentence) -> dict[str, list[tuple[str, Span]]]:
    bounds = borders(sentence)
    found: dict[str, list[tuple[str, Span]]] = {}
    for slot in filled.slots:
        begin, end = (
            len(_SPACE.sub(" ", Filled(filled.text[:place]).plain).lstrip())
            for place in (slot.start, slot.start + len(slot.value))
        )
        stop = sum(start < end for start, _ in bounds)
        first = sum(each <= begin for _, each in bounds) if slot.value else stop
        found.setdefault(slot.key, []).append((TEXT, Span(first, stop, slot.key)))
    return found


def swap_words(example: Example, old: str, new: str) -> Iterator[tuple[Filling, Filling]]:
    """Replaces ``old`` by ``new`` everywhere."""
    made = replace_all(example.sentence.text, Filled(old).plain, Filled(new).plain)
    if made is not None:
        yield Filling(example), Filling(replace(example_of(running_text(made)), gold=example.gold))


def say_example(example: Example, prediction: Classified | None = None) -> str:
    """The text with the predicted or else the gold labels in brackets."""
    labels = example.gold if prediction is None else prediction.labels
    return example.sentence.text if labels is None else f"{example.sentence.text} ({in_words(labels)})"


class TextTemplates(LabelTemplates):
    """Templates of labelled texts."""

    fields = FIELDS
    gold = LABEL
    said = staticmethod(say_example)

    def written(self, filled: Mapping[str, Filled | Sequence[Filled]], corpus: LabelledTexts | None) -> Filling:
        return write_filling(filled, several=corpus is None or corpus.several)

    def swapped(self, example: Example, key: str, old: str, new: str) -> Iterator[tuple[Filling, Filling]]:
        return swap_words(example, old, new)
