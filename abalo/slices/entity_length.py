"""Sentences with the longest entities, or with only short ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from abalo.corpora import Corpus
from abalo.slices.ranking import Ranked, at_the_end
from abalo.slices.slice import Cut, Slice
from perturbations import Sentence, entity_spans


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityLengthSettings(Ranked):
    """Which ``end``, and how many."""

    end: Literal["shortest", "longest"] = "longest"


def cut(corpus: Corpus, settings: EntityLengthSettings) -> Cut:
    """Sentences by the words of their longest entity; those without an entity are never in."""
    top, text = settings.end == "longest", f"the sentences whose longest entity is {settings.end}"
    return at_the_end(corpus, _longest, settings.share, top=top, text=text, unit="words")


def _longest(sentence: Sentence) -> float | None:
    return max(map(len, entity_spans(sentence.tags or ())), default=None)


SLICE = Slice("entity_length", EntityLengthSettings, cut, of_entities=True)
