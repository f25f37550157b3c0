"""Slice of unseen words near entities."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from abalo.core.records.configuring import Ranges
from abalo.corpora import Corpus
from abalo.corpora.training import corpus_name, load_named
from abalo.slices.slice import Cut, Slice
from abalo.slices.training import Trained
from perturbations import Sentence, entity_spans


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextSettings(Trained):
    """At least ``least`` unseen words within ``window`` of an entity."""

    window: int = 3
    least: int = 1

    ranges: ClassVar[Ranges] = {"window": (1, 10**6), "least": (1, 10**6)}


def cut(_corpus: Corpus, settings: ContextSettings) -> Cut:
    """Sentences with words near an entity, but outside entities, that the training corpus lacks.

    Ignores letter case and tokens without a letter, such as numbers and marks.
    """
    training = load_named(settings.training)
    known = frozenset(token.lower() for sentence in training.sentences for token in sentence.tokens)
    number = "a word" if settings.least == 1 else f"{settings.least} words"
    text = f"sentences with {number} not in {corpus_name(training)} within {settings.window} of an entity"
    return Cut(partial(_holds, known=known, settings=settings), text)


def _holds(sentence: Sentence, known: frozenset[str], settings: ContextSettings) -> bool:
    near = (sentence.tokens[place].lower() for place in context(sentence, settings.window))
    return sum(word not in known and any(map(str.isalpha, word)) for word in near) >= settings.least


def context(sentence: Sentence, window: int) -> list[int]:
    """Places outside entities, within ``window`` words of one."""
    spans = entity_spans(sentence.tags or ())
    inside = {place for span in spans for place in range(span.start, span.stop)}
    near = {place for span in spans for place in range(span.start - window, span.stop + window)}
    return sorted(place for place in near - inside if 0 <= place < len(sentence))


SLICE = Slice(
    "unseen_context",
    ContextSettings,
    cut,
    needs=("training",),
    of_entities=True,
    title="Context not in the training data",
)
