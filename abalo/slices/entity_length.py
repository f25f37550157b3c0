"""Slice by entity length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from abalo.corpora import Corpus
from abalo.slices.ranking import Ranked, at_the_end
from abalo.slices.slice import Cut, Slice
from perturbations import Sentence, entity_spans


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityLengthSettings(Ranked):
    """Which ``end`` and share."""

    end: Literal["shortest", "longest"] = "longest"


def cut(corpus: Corpus, settings: EntityLengthSettings) -> Cut:
    """Sentences by the number of words in their longest entity; excludes sentences without an entity."""
    top, text = settings.end == "longest", f"the sentences with the {settings.end} entities"
    return at_the_end(corpus, _longest, settings.share, top=top, text=text, unit="words")


def _longest(sentence: Sentence) -> float | None:
    return max(map(len, entity_spans(sentence.tags or ())), default=None)


SLICE = Slice("entity_length", EntityLengthSettings, cut, of_entities=True, title="{end} entities")
