"""Filled templates of labelled texts, and what a prediction has wrong in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from abalo.core.example import Example
from abalo.core.filling import Filled, Filling
from abalo.corpora.examples import TEXT, example_of
from abalo.corpora.running_text import borders, replaced, running_text
from abalo.models.classifiers.protocol import Classified
from abalo.tasks.labels.examples import in_words
from abalo.tasks.labels.templates import LabelTemplates
from perturbations import Sentence, Span

LABEL = "label"

FIELDS: Mapping[str, str] = {TEXT: "the text", LABEL: "its label, or a list of several"}

_SPACE = re.compile(r"\s+")


def written(filled: Mapping[str, Filled | Sequence[Filled]], *, several: bool) -> Filling:
    """The text with its labels, none of them known where there is no field for them.

    White space in a row, as an empty value leaves, is one space. Raises ValueError for a text without a visible
    character, and for more than one label where texts cannot have ``several``.
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
    """The tokens that each value has a part in, by key; an empty span where a value is empty."""
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


def swapped(example: Example, old: str, new: str) -> Iterator[tuple[Filling, Filling]]:
    """The text with ``new`` in every place of ``old`` at once, since a text is labelled as a whole."""
    made = replaced(example.sentence.text, Filled(old).plain, Filled(new).plain)
    if made is not None:
        yield Filling(example), Filling(replace(example_of(running_text(made)), gold=example.gold))


def said(example: Example, prediction: Classified | None = None) -> str:
    """The text with the labels predicted in brackets; with its own for None, or without where they are not known."""
    labels = example.gold if prediction is None else prediction.labels
    return example.sentence.text if labels is None else f"{example.sentence.text} ({in_words(labels)})"


class TextTemplates(LabelTemplates):
    """Templates of such examples."""

    fields = FIELDS
    gold = LABEL
    said = staticmethod(said)

    def written(self, filled: Mapping[str, Filled | Sequence[Filled]], corpus: Any) -> Filling:
        """The text with its labels."""
        return written(filled, several=corpus is None or corpus.several)

    def swapped(self, example: Example, key: str, old: str, new: str) -> Iterator[tuple[Filling, Filling]]:
        """The text with the other everywhere."""
        return swapped(example, old, new)
